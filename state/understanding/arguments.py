"""An operation's arguments, held against its fields and against the person's words.

What the words do not yield is inferred where it may be (a date, a currency, a choice), and refused where it may not
(a sum, a text that nobody said): no figure is ever made up.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from state.draft.rejection import Rejection, bad_arguments
from state.fields import kind_of
from state.fields.base import RECENT, Candidate, Context, Unreadable
from state.fields.naming import Spans, is_after, place
from state.fields.values.marks import likeliest, marks
from state.fields.values.measures import is_measured
from state.fields.values.periods import stretches
from state.form.field import Data, Field
from state.form.schema import Form, Operation
from state.language import LANGUAGES, Language
from state.language.table import Table, listed, listed_everywhere, phrases
from state.language.tokens import Token, masked, tokens
from state.understanding.evidence import WORD, as_written, normalized, place_of
from state.understanding.wishes import form_names

FIGURE = re.compile(r"(?<![\w.,:/'’-])[0-9]+(?:[.,'’][0-9]+)*(?![.,:/'’-]?\w|\s?%)")
"""A figure by itself: no part of a code, a date, a time of day, a range or a share."""
LETTERS = re.compile(r"\w{3,}")
COUNTED = 12
"""The highest number in words that counts things more often than it is a sum."""


@dataclass(frozen=True)
class Checked:
    """Canonical arguments, and the names of those that the words do not say."""

    arguments: Mapping[str, Data]
    inferred: frozenset[str] = frozenset()


def check(operation: Operation, given: Mapping[str, Any], context: Context, currency: str = "") -> Checked | Rejection:
    """Return every argument in its canonical form, with what may be guessed filled in: `currency` is the form's usual one."""
    said = {name: value for name, value in given.items() if value is not None}
    stray = sorted(set(said) - set(operation.fields))
    if stray:
        return bad_arguments(f"'{operation.name}' has no property '{stray[0][:64]}'")
    arguments: dict[str, Data] = {}
    for name, value in said.items():
        field = operation.fields[name]
        try:
            by_file = kind_of(field).by_file and isinstance(value, str)
            arguments[name] = value if by_file else kind_of(field).parse(field, value, context)
        except Unreadable as problem:
            return bad_arguments(f"'{name}' cannot be read ({problem.key})")
    wanted = (f for f in operation.fields.values() if f.required and f.name not in arguments)
    usual = ((f.name, of(context, currency)) for f in wanted if (of := kind_of(f).usual) is not None)
    guessed = {name: data for name, data in usual if data}
    absent = [f.name for f in operation.fields.values() if f.required and f.name not in {**arguments, **guessed}]
    return missing(absent[0]) if absent else Checked({**arguments, **guessed}, frozenset(guessed))


def missing(name: str) -> Rejection:
    """Return the refusal of a call that lacks a required argument."""
    return Rejection(f"'{name}' is missing.", f"ask the user for {name}; do not make it up.", "missing")


def unfilled(operation: Operation, field: Field) -> bool:
    """Return True if a caller may leave this field out."""
    return not field.required or kind_of(field).usual is not None


def against_words(
    operation: Operation, checked: Checked, lines: Sequence[str], context: Context
) -> Checked | Rejection:
    """Mark every argument that the person's words (`lines`, newest first) do not yield; take a text as they wrote it."""
    if operation.confirm == "never":
        return checked
    inferred, own = set(checked.inferred), dict[str, Data]()
    told = _with_told_money(operation, checked, lines, context)
    for name, data in told.items():
        field = operation.fields[name]
        yields = None if name in checked.inferred else _yields(operation, field, data, lines, context)
        if yields is None and name not in checked.inferred:
            hint = f"ask the user for {name}, or leave it out; never make it up."
            return Rejection(f"the user's words do not say this for '{name}'.", hint, "grounding")
        if kind_of(field).verbatim:
            own[name] = next(filter(None, (_in_words(line, str(data)) for line in lines)), data)
        if not yields and not (operation.confirm == "always" and kind_of(field).listing == "row"):
            inferred.add(name)
    return Checked({**told, **own}, frozenset(inferred))


def figures(operation: Operation, text: str, context: Context) -> Sequence[Candidate]:
    """Return the sums that a text says for an operation, with a mark of money (`named`) or without, in order; neither days nor "for two" are any."""
    return _figures(field_told(operation, "amount"), masked(text), context)


@lru_cache(maxsize=RECENT)
def _figures(field: Field | None, clean: str, context: Context) -> Sequence[Candidate]:
    row, breaks = tokens(clean, context.language), listed(context.language, "breaks")
    days = Spans((p.start, p.end) for p in stretches(clean, context))
    found = [r for r in kind_of(field).find(field, clean, context) if not days.hits(r.start, r.end)] if field else []
    digits = re.compile("[0-9]")
    written = [r for r in found if not (r.named or digits.search(clean, r.start, r.end))]
    found = [r for r in found if r not in written or not is_after(breaks, row, r.start)]
    counts = [r for r in written if _counts(r, row, context)]
    priced = any(is_after(breaks, row, r.start) for r in found if r not in counts)  # "two coffees at 3.50"
    found = [r for r in found if r not in counts or priced]
    taken = Spans([*((r.start, r.end) for r in found)])
    for match in FIGURE.finditer(clean):
        if not (days.hits(*match.span()) or taken.hits(*match.span())):
            found += _figure(field, match.group(), match.start(), context)
    clock = ((r, CLOCK.fullmatch(clean, r.start, r.end) is not None) for r in found)
    found = [
        r
        for r, is_clock in clock
        if r.named or not is_after(_hour_marks(context.language, clock=is_clock), row, r.start)
    ]
    measured = all(is_measured(clean, row, r.end) for r in found)  # "in 15 min"
    return () if measured else tuple(sorted(found, key=lambda r: r.start))


def _counts(written: Candidate, row: Sequence[Token], context: Context) -> bool:
    """Return True if a small number in words stands right before what it counts ("two coffees")."""
    behind = row[place(row, written.end) :][:1]
    small = listed_everywhere(context.language, "small", "breaks", "units", "each", "totals", "polite")
    return Decimal(str(written.data)) <= COUNTED and bool(behind) and not (behind[0].stop or small.at(behind, 0))


CLOCK = re.compile(r"[0-9]{1,2}\.[0-5][0-9]")


@cache
def _hour_marks(language: Language, *, clock: bool) -> Table[str]:
    """Return the words before a time of day ("alle 9.30"). One that may lead to a price ("at 9.30", "um 9,50") leads to an hour only where the
    figure is written as a `clock` shows it and decimals have another mark.
    """
    sure = (w for one in LANGUAGES.values() for w in one.hour_marks if w not in one.breaks)
    other = Context(language.example, "").babel.number_symbols["latn"]["decimal"] != "."
    return phrases((*sure, *(language.hour_marks if clock and other else ())), language)


def field_told(operation: Operation, listing: str) -> Field | None:
    """Return the field that tells the name, the amount or the row of an operation."""
    return next((f for f in operation.fields.values() if kind_of(f).listing == listing), None)


def places(operation: Operation, field: Field, data: Data, text: str, context: Context) -> list[Candidate]:
    """Return where an argument stands in the words."""
    kind = kind_of(field)
    if kind.listing == "amount":
        return [r for r in figures(operation, text, context) if r.data == data]
    if kind.listing == "row":
        return [Candidate(data, *m.span()) for m in FIGURE.finditer(text) if m.group() == str(data)]
    return [] if kind.by_file else [r for r in kind.find(field, text, context) if r.data == data]


def said(line: str, text: str) -> list[tuple[int, int]]:
    """Return where the words of a text stand in a line, in order, with others between them or none; nothing where one is missing."""
    if whole := place_of(line, text):
        return [whole]
    wanted, found = WORD.findall(normalized(text)), list[tuple[int, int]]()
    for match in re.finditer(r"\S+", line):
        words = WORD.findall(normalized(match[0]))
        if words and wanted[: len(words)] == words:
            found.append(match.span())
            wanted = wanted[len(words) :]
    return [] if wanted else found


def _in_words(line: str, text: str) -> str:
    """Return a text as the person wrote it, without what stands between its words; where one is none of theirs, all from the first to the last."""
    return " ".join(line[a:b] for a, b in said(line, text)).strip(" .,;:!?") or as_written(line, text)


def _figure(field: Field | None, written: str, start: int, context: Context) -> list[Candidate]:
    try:
        data = kind_of(field).parse(field, written, context) if field else written
    except Unreadable:
        return []
    return [Candidate(data, start, start + len(written))]


def _with_told_money(
    operation: Operation, checked: Checked, lines: Sequence[str], context: Context
) -> Mapping[str, Data]:
    """Put the likeliest currency in the place of the usual one where the words name money and leave open whose ("30 dollars")."""
    line = next((line for line in lines if figures(operation, line, context)), "")
    opened = next((line[m.start : m.end] for m in marks(line, context) if not m.code), "")
    names = [n for n in checked.inferred if kind_of(operation.fields[n]).money == "currency"] if opened else []
    return {**checked.arguments, **{n: likeliest(opened, str(checked.arguments[n]), context) for n in names}}


def _yields(operation: Operation, field: Field, data: Data, lines: Sequence[str], context: Context) -> bool | None:
    """Return True where the words yield the value, False for a guess that may be made, None for one that may not.

    The newest line that says something for the field decides: a later figure puts an earlier one right.
    """
    kind = kind_of(field)
    if kind.verbatim and any(said(line, str(data)) for line in lines):
        return True
    if kind.verbatim:
        shared = set(LETTERS.findall(normalized(" ".join(lines)))) & set(LETTERS.findall(normalized(str(data))))
        return False if shared else None
    for line in lines:
        found = figures(operation, line, context) if kind.listing == "amount" else kind.find(field, line, context)
        if found:
            firm = kind.usual is not None or kind.listing == "amount"
            said_so = [r.rough for r in found if r.data == data]
            return not all(said_so) if said_so else None if firm else False
    return None if kind.listing == "amount" else False


def left_over(
    form: Form, operation: Operation, given: Mapping[str, Data | None], text: str, context: Context, *entries: str
) -> str:
    """Return the words of a line that nothing explains, nor further entries of the language, from the first to the last of them."""
    clean, spans = masked(text), []
    for name, data in ((name, data) for name, data in given.items() if data is not None):
        field = operation.fields[name]
        found = (*places(operation, field, data, clean, context), *_ranges(field, clean, context))
        own = said(clean, str(data)) if kind_of(field).verbatim else []
        spans += own or [(r.start, r.end) for r in found if r.data == data]
    row, taken = tokens(clean, context.language), Spans(spans)
    known = explained(form, operation, context.language, *entries)
    covered = known.covered(row)
    left = [t for i, t in enumerate(row) if i not in covered and not taken.hits(t.start, t.end)]
    return text[left[0].start : left[-1].end] if left else ""


def explained(form: Form, operation: Operation, language: Language, *entries: str) -> Table[str]:
    """Return the words that say nothing beside an operation: its own, the form's names, those of its fields, fillers, further entries."""
    fields = (w for f in operation.fields.values() for w in (f.label, *f.words))
    return _known((*form_names(form), *operation.words, *fields), language, entries)


def said_ranges(operation: Operation, text: str, context: Context) -> Mapping[str, Data]:
    """Return the one range that a line says for each field whose days lie on one side of today, in whichever language."""
    found = {f.name: {r.data for r in _ranges(f, text, context)} for f in operation.fields.values()}
    return {name: next(iter(some)) for name, some in found.items() if len(some) == 1}


def wrong_days(operation: Operation, text: str, context: Context) -> Iterator[tuple[Field, str]]:
    """Yield the days that a line says for a field and that lie on the wrong side of today, with their words."""
    for field in (f for f in operation.fields.values() if f.lies and kind_of(f).on_day):
        anyhow = kind_of(field).find(field.model_copy(update={"lies": ""}), text, replace(context, lies=""))
        if not kind_of(field).find(field, text, context):
            yield from ((field, text[r.start : r.end]) for r in anyhow if context.facing(field).is_wrong(str(r.data)))


def _ranges(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return what a field for a stretch of days finds in the form's language, else in another: people write in theirs."""
    if not field.lies or kind_of(field).on_day:
        return ()
    spoken = (context, *(replace(context, locale=language.example) for language in LANGUAGES.values()))
    return next((found for other in spoken if (found := kind_of(field).find(field, text, other))), ())


@cache
def _known(own: tuple[str, ...], language: Language, entries: tuple[str, ...]) -> Table[str]:
    every = ("orders.fillers", "small", "polite", "totals", *entries)
    return phrases((*own, *(word for entry in every for word in attrgetter(entry)(language))), language)
