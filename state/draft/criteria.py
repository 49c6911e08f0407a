"""A form's criteria held against a draft: comparisons, sums over earlier records, and doubts."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from operator import gt, lt
from typing import Any

from state.draft.draft import Draft, Value
from state.draft.missing import matches
from state.fields import kind_of
from state.fields.limits import Limit, limit_of
from state.form import Field, Form
from state.form.field import Data
from state.form.filing import Bound, Criterion, Over, counts

EARLIER = "earlier_records"
"""The fact that holds them: `{"today": ISO 8601, "records": [{"number", "day", "values": {field: canonical value}}]}`."""
ROWS = "rows"
"""The fact that holds rows of operations which an answer names: its own fact of that name says which, `{"form", "numbers"}`."""

Answers = Mapping[str, Data]


@dataclass(frozen=True)
class Entry:
    """An amount that counts: its record (empty: the draft's own), its day (ISO 8601) and its currency (empty: none was told)."""

    record: str
    day: str
    field: Field
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Sum:
    """The sum of one span of days: entries in the limit's currency, and those that cannot be added to them."""

    entries: tuple[Entry, ...] = ()
    others: tuple[Entry, ...] = ()

    @property
    def total(self) -> Decimal:
        """Return the sum in the limit's currency."""
        return sum((entry.amount for entry in self.entries), Decimal())

    @property
    def records(self) -> tuple[str, ...]:
        """Return the earlier records in it."""
        return tuple(dict.fromkeys(entry.record for entry in self.entries if entry.record))


def wanted(form: Form) -> tuple[str, ...]:
    """Return fields of earlier records that the form's limits look at; none where it has no such limit."""
    named = {name for over in form.filing.sums for name in over.fields}
    codes = {f.name for f in form.fields.values() if kind_of(f).money == "currency"} if named else set()
    return tuple(f.name for f in form.fields.values() if {f.name, f.base} & named or f.name in codes)


def earlier(form: Form, records: Iterable[Mapping[str, Any]], today: str) -> dict[str, Any]:
    """Return the fact, from records with number, state, `day` of filing and values; what never took place is left out."""
    names = wanted(form)
    held = [record for record in records if counts(form.filing, record["state"])]
    return {"today": today, "records": [_kept(record, names) for record in held]}


def _kept(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    values = record.get("values", {})
    data = {name: values[name]["data"] for name in names if name in values}
    return {"number": record["number"], "day": record["day"], "values": data}


def summed(form: Form, draft: Draft, over: Over, currency: str, facts: Mapping[str, Any]) -> Sum:
    """Return the fullest span of days that the draft stands in. Nothing, where the draft has no such amount of its own."""
    known: Mapping[str, Any] = facts.get(EARLIER) or {}
    mine: Answers = {name: value.data for name, value in draft.values.items()}
    own = tuple(_entries(form, over, "", mine, str(known.get("today", ""))))
    if not own:
        return Sum()
    before = [
        entry
        for record in known.get("records", ())
        if all(_plain(mine.get(name)) == _plain(record["values"].get(name)) for name in over.same)
        for entry in _entries(form, over, record["number"], record["values"], record["day"])
    ]
    spans = (_parted((*own, *held), currency) for held in _spans(over, own[0].day, before))
    return max(spans, key=lambda found: (found.total, len(found.others)))


def _entries(form: Form, over: Over, record: str, answers: Answers, filed: str) -> Iterator[Entry]:
    day = str(answers.get(over.by) or filed)
    for field in form.fields.values():
        measure = kind_of(field).measure
        if over.sum in (field.name, field.base) and field.name in answers and measure:
            amount = measure(answers[field.name])
            yield Entry(record, day, field, Decimal(amount), currency_of(form, field, answers))


def currency_of(form: Form, amount: Field, answers: Answers) -> str:
    """Return the amount's one currency, or the one that was told with it: of the same time, where both are asked several times."""
    if amount.currency or kind_of(amount).money != "amount":
        return amount.currency
    codes = [f for f in form.fields.values() if kind_of(f).money == "currency"]
    beside = [f for f in codes if f.repeat == amount.repeat and f.slot == amount.slot] or codes
    return next((str(answers[f.name]) for f in beside if f.name in answers), "")


def _plain(data: object) -> object:
    """Open words count as the same whatever their capitals and spaces."""
    return " ".join(data.casefold().split()) if isinstance(data, str) else data


def _spans(over: Over, day: str, entries: list[Entry]) -> Iterator[list[Entry]]:
    """Entries of each span that holds the day: of its calendar year, or of so many days that begin with one of them."""
    if over.days is None or not day:
        yield [entry for entry in entries if entry.day[:4] == day[:4]]
        return
    own, length = _ordinal(day), over.days
    firsts = {own, *(n for n in (_ordinal(entry.day) for entry in entries) if n <= own < n + length)}
    for first in firsts:
        yield [entry for entry in entries if first <= _ordinal(entry.day) < first + length]


def _ordinal(day: str) -> int:
    return date.fromisoformat(day[:10]).toordinal()


def _parted(entries: tuple[Entry, ...], currency: str) -> Sum:
    same = tuple(entry for entry in entries if entry.currency == currency)
    return Sum(same, tuple(entry for entry in entries if entry.currency != currency))


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
    """The person's earlier records, as gathered."""

    def holds(self, criterion: Criterion) -> bool:
        """Return True if the whole criterion holds; a field without a value matches nothing."""
        return (
            all(any(matches(v.data, wanted) for _, v in self._values(n)) for n, wanted in criterion.equals.items())
            and all(self._beyond(name, bound, gt, self.above) for name, bound in criterion.above.items())
            and all(self._beyond(name, bound, lt, self.below) for name, bound in criterion.below.items())
            and (criterion.over is None or self._exceeds(criterion.over))
            and (not criterion.any_of or any(map(self.holds, criterion.any_of)))
            and all(map(self.holds, criterion.all_of))
            and not any(map(self.holds, criterion.none_of))
        )

    def doubts(self, criterion: Criterion) -> Iterator[Doubt]:
        """Yield every comparison of the criterion that cannot be made."""
        for name, bound in (*criterion.above.items(), *criterion.below.items()):
            yield from filter(None, (self._doubt(field, bound) for field, _ in self._values(name)))
        if criterion.over is not None:
            limit, found = self.sum(criterion.over)
            yield from (Doubt(e.field, e.currency, limit.currency, e.record) for e in found.others)
        for inner in criterion.inner:
            yield from self.doubts(inner)

    def sum(self, over: Over) -> tuple[Limit, Sum]:
        """Return a limit on a sum, and what that comes to with the draft."""
        amounts = next(f for f in self.form.fields.values() if over.sum in (f.name, f.base))
        limit = self._limit(amounts, over.limit)
        return limit, summed(self.form, self.draft, over, limit.currency, self.facts)

    def _exceeds(self, over: Over) -> bool:
        """A sum that is past its limit stays so, whatever cannot be added to it."""
        limit, found = self.sum(over)
        return gt(found.total, limit.value) or (bool(found.others) and self.above)

    def _beyond(self, name: str, bound: Bound, past: Past, doubtful: bool) -> bool:
        return any(
            doubtful if self._doubt(field, bound) else past(_measure(field, value), self._limit(field, bound).value)
            for field, value in self._values(name)
        )

    def _doubt(self, field: Field, bound: Bound) -> Doubt | None:
        limit = self._limit(field, bound)
        if not limit.currency:
            return None
        currency = currency_of(self.form, field, {name: v.data for name, v in self.draft.values.items()})
        return Doubt(field, currency, limit.currency) if currency != limit.currency else None

    def _limit(self, field: Field, bound: Bound) -> Limit:
        return limit_of(field, bound, self.form.language)

    def _values(self, name: str) -> Iterator[tuple[Field, Value]]:
        """Yield the field's value; of one that is asked several times, each time's."""
        for field in self.form.fields.values():
            if name in (field.name, field.base) and field.name in self.draft.values:
                yield field, self.draft.values[field.name]


def _measure(field: Field, value: Value) -> Decimal | str:
    measure = kind_of(field).measure
    return measure(value.data) if measure else ""
