"""The name of a thing to look up, out of a sentence: what follows the verb or the number, the whole answer, or the one name in capitals.

What is found is only ever searched for: the person picks from the results.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.periods import stretches
from state.fields.values.reach import place
from state.fields.values.spans import Spans
from state.fields.words.naming import names
from state.form import Field, Form
from state.language import Language
from state.language.table import Table, listed, listed_widely, phrases
from state.language.tokens import Token, masked, tokens
from state.understanding.courtesies import without_leads, without_tails
from state.understanding.small_talk import NoAnswer, no_answer

MOST = 5
"""Words of the longest name."""
OK = 2
"""Letters of the longest word that agrees in capitals."""
JOINS = frozenset({" ", "-", "&", " & ", ". ", ".", "'", "’"})
SMALL = (
    "orders.fillers", "orders.wishing", "polite", "yes", "no", "articles", "units", "naming", "subjects", "be", "have", "corrections.cues",
)  # fmt: skip
LEADS = ("articles", "units", "naming")
ENDS = ("breaks", "units", "polite", "rejected")
Span = tuple[int, int]
Row = Sequence[Token]


def query(
    form: Form, field: Field, text: str, context: Context, *, asked: bool = False, alone: bool = False
) -> Span | None:
    """Return where the one thing stands that the text names for this look-up; None where it names none, or several.

    `asked`: the field was asked, so that a few words are its name. `alone`: a name in capitals will do without a verb.
    """
    row, small = tokens(masked(text), context.language), listed_widely(context.language, *SMALL)
    if not _may_name(text, row, context, asked=asked):
        return None
    anchors, taken, bought = _surroundings(form, field, text, row, context)
    certain = [r for r in kind_of(field).find(field, text, context) if not taken.hits(r.start, r.end)]
    named = {r.data: (r.start, r.end) for r in certain if r.named} or {r.data: (r.start, r.end) for r in certain}
    behind = [span for i in anchors if (span := _after(row, i, taken, small, text, context))]
    named_behind = [(a, b) for a, b in behind if text[a].isupper() or text[a].isdigit()]
    capitals = _capitals(row, taken, small, text) if asked or alone or anchors or bought else ()
    whole = [_whole(row, small, taken, text)] if asked and (not anchors or _is_title(row, text)) else []
    found = (tuple(named.values()), filter(None, whole), named_behind, (*behind, *capitals))
    spans = next(filter(None, map(tuple, found)), ())
    return _one(spans, text) if not _only_points(spans, row, text, context) else None


def _may_name(text: str, row: Row, context: Context, *, asked: bool) -> bool:
    """Return True if it is no small talk; one word with a capital that only bids go on is a name where a name was asked ("Next")."""
    reason = no_answer(text, context)
    one = len(row) == 1 and len(row[0].key) > OK and text[row[0].start].isupper() and not text.isupper()
    return bool(row) and (reason is None or (asked and reason is NoAnswer.APPROVAL and one))


def _surroundings(form: Form, field: Field, text: str, row: Row, context: Context) -> tuple[list[int], Spans, bool]:
    """Return the words after which a name may stand, the stretches that say something else, and True if a sum is among these."""
    claims = (f for f in form.fields.values() if kind_of(f).claims or f.known)
    found = [(f, r) for f in claims for r in kind_of(f).find(f, text, context)]
    tables = (names(field, context), _counted(field.unit, context.language))
    called = {after for table in tables for _, after, _ in table.spans(row)}
    dated = ((p.start, p.end) for p in stretches(masked(text), context))
    anchors = {place(row, r.end) for f, r in found if kind_of(f).leads_to_name} | called
    taken = Spans([*((r.start, r.end) for _, r in found), *dated])
    return sorted(anchors), taken, any(kind_of(f).money for f, _ in found)


@lru_cache(maxsize=64)
def _counted(unit: str, language: Language) -> Table[str]:
    return phrases((*language.units, unit), language)


def _after(row: Row, first: int, taken: Spans, small: Table[str], text: str, context: Context) -> Span | None:
    """Return the words from a place up to a stop, articles and units before them left out; None where they begin or end with a small word."""
    leads, ends = listed(context.language, *LEADS), listed(context.language, *ENDS)
    while (
        first < len(row) and not row[first].stop and not _is_proper(row, first, text) and (hit := leads.at(row, first))
    ):
        first += hit[0]
    last = first
    while last < len(row) and last - first < MOST and not taken.hits(row[last].start, row[last].end):
        stopped = row[last].stop and not (last > first and text[row[last - 1].end : row[last].start] in JOINS)
        proper = _is_proper(row, last, text) or _joins(row, last, text, context)
        if stopped or (ends.at(row, last) and not proper):
            break
        last += 1
    words = [t for t in row[first:last] if not t.key.isdigit()]
    edges = (i for i in (first, last - 1) if small.at(row, i) and not _is_proper(row, i, text))
    return (row[first].start, row[last - 1].end) if words and next(edges, None) is None else None


def _is_proper(row: Row, i: int, text: str) -> bool:
    """Return True for a capital within a sentence that has small letters before it ("my Now shares")."""
    within = i > 0 and len(row[i].key) > 1
    return within and text[row[i].start].isupper() and not row[i].stop and not text[: row[i].end].isupper()


def _joins(row: Row, i: int, text: str, context: Context) -> bool:
    """Return True for an "and" between two capitals ("Marks and Spencer")."""
    within = row[i].key in context.language.and_words and 0 < i < len(row) - 1 and not row[i + 1].stop
    return within and text[row[i - 1].start].isupper() and text[row[i + 1].start].isupper()


def _whole(row: Row, small: Table[str], taken: Spans, text: str) -> Span | None:
    """Return a message of a few words that says nothing else, small words at either end aside; or all of whose words have capitals."""
    said = without_tails(without_leads(row, small), small) or (row if len(row) == 1 else ())
    if not said or len(said) > MOST or all(t.key.isdigit() for t in said) or any(t.stop for t in said[1:]):
        return None
    rest = said[0].end if _is_title(said, text) else said[-1].end
    return None if taken.hits(said[0].start, rest) else (said[0].start, said[-1].end)


def _is_title(row: Row, text: str) -> bool:
    return len(row) > 1 and all(text[t.start].isupper() for t in row) and not text.isupper()


def _capitals(row: Row, taken: Spans, small: Table[str], text: str) -> Sequence[Span]:
    """Return the runs of words with a capital."""
    return [(row[a].start, row[b - 1].end) for a, b in _runs(row, taken, small, text)]


def _runs(row: Row, taken: Spans, small: Table[str], text: str) -> Iterator[Span]:
    first = None
    for i, token in enumerate(row):
        capital = bool(re.match(r"[^\W\d_]", text[token.start])) and text[token.start].isupper()
        capital = (
            capital
            and not taken.hits(token.start, token.end)
            and (small.at(row, i) is None or _is_proper(row, i, text))
        )
        joined = first is not None and text[row[i - 1].end : token.start] in JOINS
        if first is not None and not (capital and joined):
            yield first, i
        first = (first if capital and joined else i) if capital else None
    if first is not None:
        yield first, len(row)


def _one(spans: Iterable[Span], text: str) -> Span | None:
    """Return the one name; where there are several, the one that is written with a capital."""
    found = tuple(spans)
    best = [s for s in found if text[s[0]].isupper() or text[s[0]].isdigit()] or found
    return best[0] if len({text[a:b].casefold() for a, b in best}) == 1 else None


def _only_points(spans: Iterable[Span], row: Row, text: str, context: Context) -> bool:
    """Return True if the words point at something and name nothing."""
    pointing = listed_widely(context.language, "small_talk.no_names", *SMALL).rows
    inside = [i for i, t in enumerate(row) for a, b in spans if a <= t.start < b]
    points = (row[i].key in pointing and not _is_proper(row, i, text) for i in inside)
    return len(row) > 1 and bool(inside) and all(points)
