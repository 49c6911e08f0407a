"""Whether what a form's data ask of a draft holds, and what of it is in doubt: an amount in another currency than its limit."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from operator import gt, lt
from typing import Any

from state.draft.draft import Draft, Value
from state.draft.missing import matches
from state.draft.sums import Sum, currency_of, summed
from state.fields import kind_of
from state.fields.limits import Limit, limit_of
from state.form import Field, Form
from state.form.field import Plain
from state.form.filing import Bound, Criterion, Over

Past = Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Doubt:
    """An answer that cannot be compared: its field, its currency (empty: none was told), the limit's, and the earlier record it is of."""

    field: Field
    currency: str
    limit: str
    record: str = ""


@dataclass(frozen=True)
class Case:
    """A draft before a form's criteria. `above` and `below` are what counts where a comparison is in doubt."""

    form: Form
    draft: Draft
    above: bool = True
    below: bool = False
    facts: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """What was gathered: the person's earlier records."""

    def holds(self, criterion: Criterion) -> bool:
        """Whether the whole criterion holds; a field without a value matches nothing."""
        return (
            all(self._equal(name, wanted) for name, wanted in criterion.equals.items())
            and all(self._beyond(name, bound, gt, self.above) for name, bound in criterion.above.items())
            and all(self._beyond(name, bound, lt, self.below) for name, bound in criterion.below.items())
            and (criterion.over is None or self._exceeds(criterion.over))
            and (not criterion.any_of or any(map(self.holds, criterion.any_of)))
            and all(map(self.holds, criterion.all_of))
            and not any(map(self.holds, criterion.none_of))
        )

    def doubts(self, criterion: Criterion) -> Iterator[Doubt]:
        """Every comparison of the criterion that cannot be made."""
        for name, bound in (*criterion.above.items(), *criterion.below.items()):
            for field, value in self._values(name):
                if doubt := self._doubt(field, value, bound):
                    yield doubt
        if criterion.over is not None:
            limit, found = self.sum(criterion.over)
            yield from (Doubt(e.field, e.currency, limit.currency, e.record) for e in found.others)
        for inner in criterion.inner:
            yield from self.doubts(inner)

    def sum(self, over: Over) -> tuple[Limit, Sum]:
        """A limit on a sum, and what that comes to with the draft."""
        amounts = next(f for f in self.form.fields.values() if over.sum in (f.name, f.base))
        limit = self._limit(amounts, over.limit)
        return limit, summed(self.form, self.draft, over, limit.currency, self.facts)

    def _exceeds(self, over: Over) -> bool:
        """A sum that is past its limit stays so, whatever cannot be added to it."""
        limit, found = self.sum(over)
        return gt(found.total, limit.value) or (bool(found.others) and self.above)

    def _equal(self, name: str, wanted: tuple[Plain, ...]) -> bool:
        return any(matches(value.data, wanted) for _, value in self._values(name))

    def _beyond(self, name: str, bound: Bound, past: Past, doubtful: bool) -> bool:
        return any(
            doubtful
            if self._doubt(field, value, bound)
            else past(_measure(field, value), self._limit(field, bound).value)
            for field, value in self._values(name)
        )

    def _doubt(self, field: Field, value: Value, bound: Bound) -> Doubt | None:
        limit = self._limit(field, bound)
        if not limit.currency:
            return None
        currency = currency_of(self.form, field, {name: v.data for name, v in self.draft.values.items()})
        return Doubt(field, currency, limit.currency) if currency != limit.currency else None

    def _limit(self, field: Field, bound: Bound) -> Limit:
        return limit_of(field, bound, self.form.language)

    def _values(self, name: str) -> Iterator[tuple[Field, Value]]:
        """The field's value; of one that is asked several times, each time's."""
        for field in self.form.fields.values():
            if name in (field.name, field.base) and field.name in self.draft.values:
                yield field, self.draft.values[field.name]


def _measure(field: Field, value: Value) -> Decimal | str:
    measure = kind_of(field).measure
    return measure(value.data) if measure else ""
