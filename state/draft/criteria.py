"""Whether what a form's data ask of a draft holds, and what of it is in doubt: an amount in another currency than its limit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from operator import gt, lt
from typing import Any

from state.draft.draft import Draft, Value
from state.draft.missing import matches
from state.fields import kind_of
from state.fields.limits import Limit, limit_of
from state.form import Field, Form
from state.form.field import Plain
from state.form.filing import Bound, Criterion

Past = Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Doubt:
    """An answer that cannot be compared: its field, its currency (empty: none was told) and the limit's."""

    field: Field
    currency: str
    limit: str


@dataclass(frozen=True)
class Case:
    """A draft before a form's criteria. `above` and `below` are what counts where a comparison is in doubt."""

    form: Form
    draft: Draft
    above: bool = True
    below: bool = False

    def holds(self, criterion: Criterion) -> bool:
        """Whether the whole criterion holds; a field without a value matches nothing."""
        return (
            all(self._equal(name, wanted) for name, wanted in criterion.equals.items())
            and all(self._beyond(name, bound, gt, self.above) for name, bound in criterion.above.items())
            and all(self._beyond(name, bound, lt, self.below) for name, bound in criterion.below.items())
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
        for inner in criterion.inner:
            yield from self.doubts(inner)

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
        currency = field.currency or self._currency(field)
        return Doubt(field, currency, limit.currency) if currency != limit.currency else None

    def _currency(self, amount: Field) -> str:
        """The currency that was told with an amount: of the same time, where both are asked several times."""
        codes = [f for f in self.form.fields.values() if kind_of(f).money == "currency"]
        beside = [f for f in codes if f.repeat == amount.repeat and f.slot == amount.slot] or codes
        return next((str(self.draft.values[f.name].data) for f in beside if f.name in self.draft.values), "")

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
