"""The figures as text: every setting in a column, then by kind of field, by form and by kind of fault; and the sentences behind them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from tests.replay.data import forms
from tests.replay.faults import KINDS
from tests.replay.measures import By, Read, Sum, reads
from tests.replay.outcomes import BACK, REFUSED, TAKEN, Fault, Told, Took

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
