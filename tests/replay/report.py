"""The figures of one run over many dialogues, what they must not exceed, and their tables as text."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tests.replay.data import forms
from tests.replay.faults import KINDS
from tests.replay.outcomes import BACK, REFUSED, TAKEN, Fault, Told, Took
from tests.replay.persons import Care
from tests.replay.player import Seen


@dataclass(frozen=True)
class Setting:
    """Who fills in, and beside which model: how often it misbehaves, or that there is none."""

    care: Care
    rate: float | None

    @property
    def name(self) -> str:
        """As the head of a column."""
        return "no model" if self.rate is None else f"{self.care} {self.rate:.0%}"

    @property
    def limits(self) -> tuple[float, float | None]:
        """How much of what is taken may be wrong, and of what is told neither taken nor put back."""
        return (0.03, None) if self.rate is None else (0.005, 0.02)


@dataclass(frozen=True)
class Figure:
    """A figure of the report. `share` where it counts some of many; `most` or `least` where it has a target, in the same unit as `value`."""

    label: str
    count: int
    of: int | None = None
    most: float | None = None
    least: float | None = None

    @property
    def value(self) -> float:
        """The share, or the count."""
        return self.count if self.of is None else self.count / self.of if self.of else float(self.least is not None)

    @property
    def met(self) -> bool:
        """Return True if the target, if there is one, is met."""
        low = self.least is None or self.value >= self.least
        return low and (self.most is None or self.value <= self.most)

    @property
    def shown(self) -> str:
        """The figure, marked where it misses its target."""
        text = str(self.count) if self.of is None else f"{self.value:.2%} of {self.of}"
        return text if self.met else f"{text} !"

    @property
    def target(self) -> str:
        """The target as it is printed beside the figure."""
        limit, sign = (self.most, "≤") if self.most is not None else (self.least, "≥")
        if limit is None:
            return ""
        return f"{sign} {limit:g}" if self.of is None else f"{sign} {limit:.1%}"


@dataclass(frozen=True)
class Sum:
    """Everything that was seen in one setting."""

    setting: Setting
    seen: Sequence[Seen]
    seconds: float

    @cached_property
    def took(self) -> list[Took]:
        """Every value that reading put into a draft."""
        return [t for s in self.seen for t in s.took]

    @cached_property
    def told(self) -> list[Told]:
        """Every value that a person told."""
        return [t for s in self.seen for t in s.told]

    @cached_property
    def faults(self) -> list[Fault]:
        """Every injected value."""
        return [f for s in self.seen for f in s.faults]

    def figures(self) -> tuple[Figure, ...]:
        """What the report prints of this setting, in its order; the same labels in every setting."""
        may_be_wrong, may_be_lost = self.setting.limits
        in_records = may_be_wrong if self.setting.rate is not None else None
        wrong, values = _count(t for t in self.took if not t.right), len(self.took)
        ends, held = Counter(t.end for t in self.told), self._sum(lambda s: s.held)
        told = len(self.told)
        return (
            Figure("forms filled in", len(self.seen)),
            Figure("faults injected (values)", len(self.faults)),
            Figure("wrong values taken", wrong, values, most=may_be_wrong),
            Figure("… in replies to another question", _count(t for t in self.took if t.astray and not t.right)),
            Figure("told but neither taken nor put back", ends[REFUSED], told, most=may_be_lost),
            Figure("told and taken", ends[TAKEN], told),
            Figure("told and put back", ends[BACK], told),
            Figure(
                "put back, and not what was meant",
                self._sum(lambda s: s.put_back_wrongly),
                self._sum(lambda s: s.put_back),
            ),
            Figure("told but asked again", self._sum(lambda s: len(s.asked_told))),
            Figure("filled fields asked again", self._sum(lambda s: len(s.asked_filled)), most=0),
            Figure("double submissions", self._sum(lambda s: s.twice), most=0),
            Figure("wrong values in records", self._sum(lambda s: len(s.wrong)), held, most=in_records),
            Figure("values lacking in records", self._sum(lambda s: len(s.lacking))),
            Figure("records equal to gold", self._sum(lambda s: s.equal), len(self.seen)),
            Figure("not filed", self._sum(lambda s: bool(s.stuck))),
            Figure("values taken unsure", _count(t for t in self.took if not t.sure), values),
            Figure("answers put right at the review", self._sum(lambda s: s.corrected)),
            Figure("clicks on what was put before them", self._sum(lambda s: s.clicks)),
            Figure("yes to the other bot, not said to ours", self._sum(lambda s: s.unsaid)),
            Figure("seconds of work", round(self.seconds)),
        )

    @property
    def fit(self) -> bool:
        """Return True if every target is met."""
        return all(figure.met for figure in self.figures())

    def _sum(self, of: Callable[[Seen], int]) -> int:
        return sum(of(s) for s in self.seen)


@dataclass(frozen=True)
class Read:
    """How well some values were read: of what was taken how much is right, of what was told how much was taken or put back."""

    took: int = 0
    right: int = 0
    told: int = 0
    taken: int = 0
    back: int = 0

    @property
    def precision(self) -> str:
        """Right among what was taken."""
        return f"{self.right / self.took:.1%}" if self.took else "-"

    def fit(self, setting: Setting) -> bool:
        """Return True if these values keep within what counts for all of them."""
        may_be_wrong, may_be_lost = setting.limits
        right = self.took - self.right <= may_be_wrong * self.took
        return right and (may_be_lost is None or self.told - self.taken - self.back <= may_be_lost * self.told)

    @property
    def recall(self) -> str:
        """Taken among what was told; with what was put back."""
        return f"{self.taken / self.told:.1%} {(self.taken + self.back) / self.told:.1%}" if self.told else "-"


By = Callable[[Took | Told], str]


def reads(one: Sum, by: By) -> Mapping[str, Read]:
    """The same by kind of field, or by form."""
    groups = sorted({by(t) for t in one.took} | {by(t) for t in one.told})
    return {g: _read([t for t in one.took if by(t) == g], [t for t in one.told if by(t) == g]) for g in groups}


def _read(took: Sequence[Took], told: Sequence[Told]) -> Read:
    ends = Counter(t.end for t in told)
    return Read(len(took), sum(t.right for t in took), len(told), ends[TAKEN], ends[BACK])


def _count(things: Iterable[object]) -> int:
    return sum(1 for _ in things)


WIDE = 18
SENTENCES = 4
"""Sentences shown of each class."""


def report(sums: Sequence[Sum]) -> str:
    """Every table."""
    return "\n\n".join((figures(sums), by_kind(sums), by_form(sums), by_fault(sums)))


def figures(sums: Sequence[Sum]) -> str:
    """The figures side by side, each with its target; "!" marks one that misses it."""
    lines = [_row("", [s.setting.name for s in sums])]
    for row in zip(*(s.figures() for s in sums), strict=True):
        targets = dict.fromkeys(f.target for f in row if f.target)
        lines.append(_row(row[0].label, [f.shown for f in row], "; ".join(targets)))
    return "\n".join(lines)


def by_kind(sums: Sequence[Sum]) -> str:
    """Precision of what is taken and recall of what is told (taken, then with what is put back), by kind of field."""
    return _reads("by kind: precision | recall", sums, lambda t: t.kind)


def by_form(sums: Sequence[Sum]) -> str:
    """The same by form."""
    lines = [_reads("by form: precision | recall", sums, lambda t: t.form)]
    lines.append(_row("by form: wrong in records | equal", [s.setting.name for s in sums]))
    lines += [_row(form, [_records(s, form) for s in sums]) for form in forms()]
    return "\n".join(lines)


def _records(one: Sum, form: str) -> str:
    seen = [s for s in one.seen if s.form == form]
    return f"{sum(len(s.wrong) for s in seen)} | {sum(s.equal for s in seen)}/{len(seen)}"


def _reads(title: str, sums: Sequence[Sum], by: By) -> str:
    tables = [reads(s, by) for s in sums]
    groups = sorted({g for table in tables for g in table})
    cells = ([_cell(t[g], s) if g in t else "-" for s, t in zip(sums, tables, strict=True)] for g in groups)
    return "\n".join((_row(title, [s.setting.name for s in sums]), *map(_row, groups, cells)))


def _cell(read: Read, one: Sum) -> str:
    """Marked where the whole's targets are missed; of few values one is many."""
    return f"{read.precision} | {read.recall}{'' if read.fit(one.setting) else ' !'}"


def by_fault(sums: Sequence[Sum]) -> str:
    """Of the injected values of each kind: taken and right, taken and wrong, put back, refused."""
    lines = [_row("by fault: right / WRONG / back / refused", [s.setting.name for s in sums])]
    for kind in KINDS:
        lines.append(_row(kind, [_ends([f for f in s.faults if f.kind == kind]) for s in sums]))
    return "\n".join(lines)


def _ends(faults: Sequence[Fault]) -> str:
    ends, harm = Counter(f.end for f in faults), sum(f.harm for f in faults)
    return f"{ends[TAKEN] - harm} / {harm} / {ends[BACK]} / {ends[REFUSED]}" if faults else "-"


def _row(label: str, cells: Sequence[str], note: str = "") -> str:
    return f"{label:<40}" + "".join(f"{cell:>{WIDE + 6}}" for cell in cells) + (f"   {note}" if note else "")


def reasons(sums: Sequence[Sum]) -> str:
    """The classes of wrong values and of lost ones with sentences, the most frequent first, and each form that did not end as it should."""
    return "\n".join(line for s in sums for line in (f"\n== {s.setting.name}", *_wrong(s), *_lost(s), *_ill(s)))


def _wrong(one: Sum) -> Iterator[str]:
    classes: defaultdict[str, list[Took]] = defaultdict(list)
    for t in one.took:
        if not t.right:
            classes[f"{t.by}: {t.kind} {t.form}.{t.field}{' (asked)' if t.asked == t.field else ''}"].append(t)
    yield "Wrong values taken, by who read them:"
    yield from (
        f"  {n:>4}  {by}" for by, n in Counter(f"{t.by}: {t.kind}" for t in one.took if not t.right).most_common()
    )
    yield "Wrong values taken, with sentences:"
    for name, some in sorted(classes.items(), key=lambda item: -len(item[1])):
        yield f"  {len(some):>4}  {name}"
        yield from (f"          {t.data!r} for {t.meant or 'nothing'!r}: “{t.text}”" for t in some[:SENTENCES])


def _lost(one: Sum) -> Iterator[str]:
    classes: defaultdict[str, list[Told]] = defaultdict(list)
    for t in one.told:
        if t.end == REFUSED:
            classes[f"{t.kind} {t.form}.{t.field}, {t.how}{' (correction)' if t.correction else ''}"].append(t)
    yield "Told, but neither taken nor put back:"
    for name, some in sorted(classes.items(), key=lambda item: -len(item[1])):
        yield f"  {len(some):>4}  {name}"
        yield from (f"          {t.value!r} (asked {t.asked}): “{t.text}”" for t in some[:SENTENCES])


def _ill(one: Sum) -> Iterator[str]:
    yield "Records that are not gold:"
    for s in one.seen:
        if not s.equal:
            why = [
                *s.wrong,
                *(f"no {n}" for n in s.lacking),
                s.stuck or ("" if s.filed == s.expected else "filed" if s.filed else "not filed"),
            ]
            yield f"  {s.dialogue} {s.form}: {', '.join(filter(None, why))}"
