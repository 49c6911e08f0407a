"""Slips that people put right within the same message: of "70 pounds, no sorry, 75 pounds" only the second was meant."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.values.spans import Spans
from state.form import Field
from state.language.language import Language
from state.language.table import Table, joined, listed, listed_widely
from state.language.tokens import Token, masked, tokens

Read = tuple[Field, list[Candidate]]


def repaired(read: Sequence[Read], text: str, context: Context) -> list[Read]:
    """The same readings, but that one which is put right gives way to the one that stands after the words that say so."""
    row = tokens(masked(text), context.language)
    places = list(_repairs(row, context)) if len(row) > 1 else []
    if not places:
        return list(read)
    said = Spans((r.start, r.end) for _, some in read for r in some)
    return [(f, some if kind_of(f).polar else _put_right(some, row, places, said, context)) for f, some in read]


def _put_right(
    found: list[Candidate], row: Sequence[Token], places: list[tuple[int, int]], said: Spans, context: Context
) -> list[Candidate]:
    for first, after in places:
        before = [r for r in found if r.end <= row[first].start]
        new = next((r for r in sorted(found, key=_start) if r.start >= row[after - 1].end), None)
        old = max(before, key=_end, default=None)
        if old is None or new is None or not _follows(new, row[after:], said, context):
            continue
        named = any(r.named for r in (*before, new) if _end(r) == _end(old) or r is new)
        found = [_like(r, new, named=named) for r in found if _end(r) != _end(old)]
    return found


def _start(reading: Candidate) -> int:
    return reading.start


def _end(reading: Candidate) -> int:
    return reading.end


def _like(reading: Candidate, new: Candidate, *, named: bool) -> Candidate:
    """What comes in the place of a named value is named as it was."""
    return replace(reading, named=named) if _start(reading) == _start(new) else reading


def _follows(new: Candidate, rest: Sequence[Token], said: Spans, context: Context) -> bool:
    """Whether nothing stands between the announcement and the value but small words and other values."""
    small = listed(context.language, "articles", "polite", "subjects", "be", "units").rows
    between = [t for t in rest if t.start < new.start]
    return all(t.key in small or said.hits(t.start, t.end) for t in between)


def _repairs(row: Sequence[Token], context: Context) -> Iterator[tuple[int, int]]:
    """From which word to which a message takes back what stands before: cues of a correction, and a no beside one or after a stop."""
    cues, either_way = listed_widely(context.language, "corrections.cues"), _taking_back(context.language)
    i = 1
    while i < len(row):
        after, cued = _run(row, i, cues, either_way)
        either = row[i - 1].key in context.language.or_words
        if after > i and not either and (cued or row[i].stop > 0):
            yield i, after
        i = max(after, i + 1)


@cache
def _taking_back(language: Language) -> Table[str]:
    """Cues of a correction, and every no."""
    return joined(listed_widely(language, "corrections.cues"), listed(language, "no"))


def _run(row: Sequence[Token], first: int, cues: Table[str], either_way: Table[str]) -> tuple[int, bool]:
    """The end of a run of such words, and whether one of them is a cue."""
    i, cued = first, False
    while i < len(row) and (hit := either_way.at(row, i)):
        cued = cued or cues.at(row, i) is not None
        i += hit[0]
    return i, cued
