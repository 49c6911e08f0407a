"""From when, until when: which end of a stretch a field asks for, and which one a value in a text is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache

from state.fields.base import Candidate, Context
from state.fields.values.reach import place
from state.fields.values.spoken import parts_of
from state.fields.words.naming import BRACES, FIELDS, is_named, is_named_before
from state.form import Field
from state.language import Language
from state.language.table import listed
from state.language.tokens import Token, masked, tokens

SMALL = 3
"""Words that may stand between such a word and its value ("until the morning of the 14th")."""
AND_REACH = 6
"""Words from a "between" to the far end."""
DASHES = ("-", "–", "—")
Row = Sequence[Token]


class End(Enum):
    """One end of a stretch."""

    FROM = "from"
    UNTIL = "until"


def asked_end(field: Field, context: Context) -> End | None:
    """Which end the field asks for, by its label and words, or by its question where they say nothing."""
    return _asked_end(field, context.language)


@lru_cache(maxsize=FIELDS)
def _asked_end(field: Field, language: Language) -> End | None:
    for said in ((field.label, *field.words, *field.before), (field.ask,)):
        row = tokens(BRACES.sub(" ", " . ".join(said)), language)
        begins = listed(language, "begin_words").holds(row)
        ends = listed(language, "end_words").holds(row)
        if begins != ends:
            return End.FROM if begins else End.UNTIL
    return None


def directed(field: Field, text: str, readings: Iterable[Candidate], context: Context) -> tuple[Candidate, ...]:
    """The readings told whether they are the field's by name or by the end that it asks for, those first.

    Those of the other end are left out, and so is what lies "between 3 and 5 December".
    """
    row = tokens(masked(text), context.language)
    wanted, every = asked_end(field, context), tuple(readings)
    ends = _dashed(text, every) if wanted else {}
    found: list[Candidate] = []
    for r in every:
        first, after = place(row, r.start), place(row, r.end)
        told = ends.get(r.start) or (told_end(row, first, after, context) if wanted else None)
        fits = told in (wanted, None) or is_named_before(field, row, first, context)
        if fits and not _is_between(row, first, after, context):
            named = (wanted is not None and told == wanted) or is_named(field, row, first, after, context)
            found.append(replace(r, named=named))
    return tuple(sorted(found, key=lambda r: not r.named))


def _dashed(text: str, readings: Sequence[Candidate]) -> dict[int, End]:
    """Two values with a dash between them and no third: the ends of a stretch."""
    ordered = sorted(readings, key=lambda r: r.start)
    if len(ordered) != 2 or text[ordered[0].end : ordered[1].start].strip(" .") not in DASHES:  # noqa: PLR2004 two ends
        return {}
    return {ordered[0].start: End.FROM, ordered[1].start: End.UNTIL}


def _is_between(row: Row, first: int, after: int, context: Context) -> bool:
    """Whether the value is an end of what something lies between."""
    language = context.language
    between, join = listed(language, "between_words"), listed(language, "and_words")
    near = range(max(first - AND_REACH, 0), first)
    opened = next((i for i in near if between.at(row, i)), None)
    if opened is None or any(t.stop > 1 for t in row[opened + 1 : first]):
        return False
    joined = any(join.at(row, i) for i in (*range(opened + 1, first), *range(after, min(after + 1, len(row)))))
    figures = [t for t in row[opened + 1 : after + SMALL + 1] if _is_figure(t, language)]
    return joined and len(figures) > 1


def told_end(row: Row, first: int, after: int, context: Context) -> End | None:
    """Which end the value in tokens `first` up to `after` is told to be; None where nothing says so."""
    language = context.language
    small = listed(language, "articles", "day_leads", "hour_marks", "of_words", "be", "direction_links")
    for i in range(first, max(first - SMALL - 1, 0), -1):
        if i < len(row) and row[i].stop > 1:
            break
        if listed(language, "begin_words").ending(row, i):
            return End.FROM
        if listed(language, "end_words").ending(row, i):
            return End.UNTIL
        if _joins(row, i, language):
            return End.UNTIL
        if small.at(row[i - 1 : i], 0) is None:
            break
    return End.FROM if _leads_on(row, after, context) else None


def _joins(row: Row, i: int, language: Language) -> bool:
    """Whether a "to" ends before a token that stands after the other end of the stretch."""
    link = listed(language, "to_words").ending(row, i)
    if link is None:
        return False
    before = row[: i - link[0]]
    return any(_is_figure(t, language) for t in before[-SMALL:]) or listed(language, "begin_words").holds(before)


def _leads_on(row: Row, after: int, context: Context) -> bool:
    """Whether a "to" or "until" and another figure follow."""
    language = context.language
    link = listed(language, "to_words", "end_prepositions").at(row, after)
    following = row[after + link[0] : after + link[0] + SMALL] if link else ()
    return any(_is_figure(t, language) for t in following)


def _is_figure(token: Token, language: Language) -> bool:
    return token.key[0].isdigit() or parts_of(token.key, language) is not None
