"""An operation's arguments, held against its fields and against the person's words.

What the words do not yield is inferred where it may be (a date, a currency, a choice, which row is meant), and refused
where it may not (a sum, a text that nobody said): no figure is ever made up.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from state.draft.draft import Data
from state.draft.rejection import Rejection, bad_arguments
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.fields.values.marks import likeliest, marks
from state.fields.values.numerals import may_be_article, numerals, total
from state.fields.values.periods import stretches
from state.fields.values.spans import Spans
from state.form.schema import Field, Operation
from state.language.tokens import masked
from state.understanding.evidence import as_written, normalized

TIMES = re.compile(r"(?<!\w)(?:[x×]\s?([0-9]{1,3})|([0-9]{1,3})\s?[x×])(?!\w)", re.IGNORECASE)
"""How many: "x2", "2 x"."""
LETTERS = re.compile(r"\w{3,}")


@dataclass(frozen=True)
class Checked:
    """Canonical arguments, and the names of those that the words do not say."""

    arguments: Mapping[str, Data]
    inferred: frozenset[str] = frozenset()


def check(operation: Operation, given: Mapping[str, Any], context: Context, currency: str = "") -> Checked | Rejection:
    """Every argument in its canonical form, with what may be guessed filled in: `currency` is the form's usual one."""
    said = {name: value for name, value in given.items() if value is not None}
    stray = sorted(set(said) - set(operation.fields))
    if stray:
        return bad_arguments(f"'{operation.name}' has no property '{stray[0][:64]}'")
    arguments: dict[str, Data] = {}
    for name, value in said.items():
        if kind_of(operation.fields[name]).by_file and isinstance(value, str):
            arguments[name] = value
            continue
        try:
            arguments[name] = kind_of(operation.fields[name]).parse(operation.fields[name], value, context)
        except Unreadable as problem:
            return bad_arguments(f"'{name}' cannot be read ({problem.key})")
    guessed = _guessed(operation, arguments, context, currency)
    absent = [f.name for f in operation.fields.values() if f.required and f.name not in {**arguments, **guessed}]
    if absent:
        return _missing(absent[0])
    return Checked({**arguments, **guessed}, frozenset(guessed))


def _missing(name: str) -> Rejection:
    return Rejection(f"'{name}' is missing.", f"ask the user for {name}; do not make it up.", "missing")


def against_words(
    operation: Operation, checked: Checked, lines: Sequence[str], context: Context
) -> Checked | Rejection:
    """The same with every argument marked that the person's words (`lines`, newest first) do not yield; a text as they wrote it."""
    if operation.confirm == "never":
        return checked
    inferred, own = set(checked.inferred), dict[str, Data]()
    checked = Checked(_with_told_money(operation, checked, lines, context), checked.inferred)
    for name, data in checked.arguments.items():
        if name in checked.inferred:
            continue
        field = operation.fields[name]
        bears = _bears(field, data, lines, context)
        if bears is None:
            hint = f"ask the user for {name}, or leave it out; never make it up."
            return Rejection(f"the user's words do not say this for '{name}'.", hint, "grounding")
        if kind_of(field).verbatim:
            own[name] = next(filter(None, (as_written(line, str(data)) for line in lines)), data)
        if not bears and not (operation.confirm == "always" and kind_of(field).listing == "row"):
            inferred.add(name)
    return Checked({**checked.arguments, **own}, frozenset(inferred))


def unfilled(operation: Operation, field: Field) -> bool:
    """Whether a caller may leave this field out."""
    return not field.required or kind_of(field).usual is not None


def sums(text: str, context: Context) -> tuple[set[Decimal], set[Decimal]]:
    """Figures that a text says, days and counts left out; and those times its counts ("x2 at 12" may mean 24)."""
    clean = masked(text)
    counts = [(m.start(), m.end(), Decimal(m.group(1) or m.group(2))) for m in TIMES.finditer(clean)]
    taken = Spans([*((p.start, p.end) for p in stretches(clean, context)), *((a, b) for a, b, _ in counts)])
    said = {
        v
        for n in numerals(clean, context)
        if not taken.hits(n.start, n.end) and not may_be_article(n) and (v := total(n, context)) is not None
    }
    return said, {figure * count for figure, (_, _, count) in product(said, counts)}


def _guessed(operation: Operation, arguments: Mapping[str, Data], context: Context, currency: str) -> dict[str, Data]:
    wanted = (f for f in operation.fields.values() if f.required and f.name not in arguments)
    usual = ((f.name, of(context, currency)) for f in wanted if (of := kind_of(f).usual) is not None)
    return {name: data for name, data in usual if data}


def _with_told_money(
    operation: Operation, checked: Checked, lines: Sequence[str], context: Context
) -> Mapping[str, Data]:
    """The usual currency gives way where the words name another and leave open whose ("30 dollars"): to the likeliest one, still a guess."""
    line = next((line for line in lines if sums(line, context)[0]), "")
    opened = next((line[m.start : m.end] for m in marks(line, context) if not m.code), "")
    names = [n for n in checked.inferred if kind_of(operation.fields[n]).money == "currency"] if opened else []
    likely = {n: likeliest(opened, str(checked.arguments[n]), context) for n in names}
    return {**checked.arguments, **likely}


def _bears(field: Field, data: Data, lines: Sequence[str], context: Context) -> bool | None:
    """True where the words yield it, False where it is a guess that may be made, None where it may not."""
    kind = kind_of(field)
    if kind.listing == "amount":
        return _bears_sum(Decimal(str(data)), lines, context)
    if kind.verbatim:
        return _bears_text(str(data), lines)
    for line in lines:
        found = {r.data for r in kind.find(field, line, context)}
        if found:
            return True if data in found else None if kind.usual is not None else False
    return False


def _bears_sum(value: Decimal, lines: Sequence[str], context: Context) -> bool | None:
    """The newest line that holds figures decides: a later one puts an earlier one right."""
    for line in lines:
        said, multiplied = sums(line, context)
        if said:
            return True if value in said else False if value in multiplied else None
    return None


def _bears_text(text: str, lines: Sequence[str]) -> bool | None:
    """Words of the person's own; a text that shares a word with them is a reading of theirs."""
    heard = normalized(" ".join(lines))
    if normalized(text) in heard:
        return True
    said, told = set(LETTERS.findall(heard)), set(LETTERS.findall(normalized(text)))
    return False if said & told else None
