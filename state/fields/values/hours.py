"""Times of day in a text: "14:30", "2 pm", "noon", "half past two". What could be morning or afternoon is read as both: the person says which."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from state.fields.base import RECENT, Candidate, Context, the_whole
from state.fields.naming import led, place
from state.fields.values.numerals import JOINED, numerals, spoken
from state.language import Language
from state.language.table import Table, listed, meanings, numbered
from state.language.tokens import Token, masked, tokens

CLOCK = re.compile(
    r"(?<![\w.,:/£€$%+-])([0-9]{1,2})(?:([:.h])([0-5][0-9]))?(?: ?([ap])\.? ?m(?!\w)\.?)?(?![\w:/%+-]|[.,][0-9])",
    re.IGNORECASE,
)
NOON, LAST, LAST_MINUTE = 12, 23, 59
TWO_DIGITS = 10


@dataclass(frozen=True, slots=True)
class _Said:
    """An hour in figures or in words, before what stands beside it is looked at."""

    hour: int
    start: int
    end: int
    minute: int = 0
    sign: str | None = None
    half: str = ""
    sure: bool = False


@lru_cache(maxsize=RECENT)
def hours(text: str, context: Context) -> tuple[Candidate, ...]:
    """Return every time of day in order, each with the word that leads to it ("at", "alle")."""
    clean = masked(text)
    row = tokens(clean, context.language)
    names = (Candidate(t, row[a].start, row[b - 1].end) for a, b, t in _noons(context.language).spans(row))
    said = (*_in_figures(clean, context.language), *_in_words(text, context))
    starts, ends = {place(row, s.start): s for s in reversed(said)}, {place(row, s.end): s for s in said}
    found = (*(h for one in said for h in _clock(one, starts, ends, row, context.language)), *names)
    every = (Candidate(h.data, led(row, h.start, "hour_marks", context), h.end) for h in found)
    return tuple(sorted(every, key=lambda h: h.start))


def bare_hours(text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the times that a text may mean which is an hour and nothing else, in both halves of the day ("3", "three thirty", "half nine")."""
    row = tokens(masked(text), context.language)
    half = numbered(context.language, "halves").at(row, 0)
    rest = text[row[half[0]].start :] if half and half[0] < len(row) else text
    one = the_whole(rest, (*_in_words(rest, context), *_in_figures(masked(rest), context.language)))
    minute = one.minute + int(60 * half[1]) if one and half else one.minute if one else 0
    return tuple(Candidate(t, 0, len(text)) for t in (_times(one.hour, minute, one.half, sure=one.sure) if one else ()))


def _in_figures(text: str, language: Language) -> Iterator[_Said]:
    for m in CLOCK.finditer(text):
        sign = m.group(2)
        sure = m.group(1).startswith("0") or (language.clock24 and sign is not None)
        yield _Said(
            int(m.group(1)), m.start(), m.end(), int(m.group(3) or 0), sign, (m.group(4) or "").lower(), sure=sure
        )


def _in_words(text: str, context: Context) -> Iterator[_Said]:
    for n in numerals(text, context):
        if n.words and n.value == int(n.value) and 0 < n.value <= LAST_MINUTE:
            yield _Said(int(n.value), n.start, n.end)
    row = tokens(masked(text), context.language)
    for hour, minute in pairwise(s for s in spoken(text, context.language) if not s.ordinal):  # "three thirty pm"
        beside = hour.after == minute.first and text[row[minute.first].start - 1] in JOINED
        if beside and 0 < hour.value <= LAST and TWO_DIGITS <= minute.value <= LAST_MINUTE:
            yield _Said(int(hour.value), row[hour.first].start, row[minute.after - 1].end, int(minute.value))


def _clock(
    said: _Said, starts: Mapping[int, _Said], ends: Mapping[int, _Said], row: Sequence[Token], language: Language
) -> Iterator[Candidate]:
    """Yield the time, with what stands beside the hour: "half past", "twenty to", "meno un quarto", "Uhr", "in the morning"."""
    first, after = place(row, said.start), place(row, said.end)
    beside = _minutes(first, after, starts, ends, row, language) if first < len(row) else None
    if beside is None:  # also of an hour within a word ("l’3pm")
        return
    shift, first, after = beside
    lead = listed(language, "hour_marks").ending(row, first)
    mark = listed(language, "hour_marks_after").at(row, after)
    after += mark[0] if mark else 0
    if mark and after < len(row) and not row[after].stop:  # "14 Uhr 30", not "14 Uhr 30 Leute"
        told = starts.get(after)
        told = None if told and (told.sign or told.minute) else told
        end = place(row, told.end) if told else after
        if end < len(row) and (not row[end].stop if told else row[after].key[0].isdigit()):
            return
        shift, after = shift + (told.hour if told else 0), end
    half, first, after = _half(said.half, row, first, lead[0] if lead else 0, after, language)
    clear = said.sign in (":", "h", "H") or half or (said.sign == "." and language.clock24)
    if not (clear or shift or ((lead or mark) and said.sign is None)):
        return
    minutes = said.hour * 60 + said.minute + shift
    for time in _times(minutes // 60, minutes % 60, half, sure=said.sure):
        yield Candidate(time, min(said.start, row[first].start), max(said.end, row[after - 1].end))


def _minutes(
    first: int,
    after: int,
    starts: Mapping[int, _Said],
    ends: Mapping[int, _Said],
    row: Sequence[Token],
    language: Language,
) -> tuple[int, int, int] | None:
    """Return the minutes that the words beside an hour add to it, and where it begins and ends with them; None where it counts minutes itself."""
    before, behind = numbered(language, "clock_before"), numbered(language, "clock_after")
    to_hour, to_minutes = numbered(language, "minutes_before"), numbered(language, "minutes_after")
    if (hit := to_hour.at(row, after)) and after + hit[0] in starts:
        return None
    if (hit := to_minutes.ending(row, first)) and first - hit[0] in ends:
        return None
    if hit := before.ending(row, first):
        begins = first - hit[0]
        more = to_hour.ending(row, begins)  # "fünf vor halb neun"
        if more and (told := ends.get(begins - more[0])):
            return hit[1] + more[1] * told.hour, place(row, told.start), after
        return hit[1], begins, after
    if hit := behind.at(row, after):
        return hit[1], first, after + hit[0]
    if (hit := to_hour.ending(row, first)) and (told := ends.get(first - hit[0])):
        return hit[1] * told.hour, place(row, told.start), after
    if (hit := to_minutes.at(row, after)) and (told := starts.get(after + hit[0])):
        return hit[1] * told.hour, first, place(row, told.end)
    return 0, first, after


def _half(
    half: str, row: Sequence[Token], first: int, lead: int, after: int, language: Language
) -> tuple[str, int, int]:
    """Return the half of the day that is said ("a" or "p") before the hour or behind it, and where the words begin and end with it."""
    for name, entry in (("a", "mornings"), ("p", "afternoons"), ("n", "nights")) if not half else ():
        part = listed(language, entry)
        if hit := part.at(row, after):
            return name, first, after + hit[0]
        for skipped in (lead, 0):
            if hit := part.ending(row, first - skipped):
                return name, first - skipped - hit[0], after
    return half, first, after


def _times(hour: int, minute: int, half: str, *, sure: bool) -> Iterator[str]:
    """Yield the time; where hour and half of the day leave it open, those of both halves. `sure`: an hour of one digit is one of the morning."""
    half = half if half != "n" else "ap"[NOON // 2 <= hour < NOON] if 1 <= hour <= NOON else ""
    if hour > LAST or minute > LAST_MINUTE or (half and not 1 <= hour <= NOON):
        return
    halves = (hour % NOON, hour % NOON + NOON)
    open_ = not half and hour < TWO_DIGITS and not sure
    for one in halves if open_ else (halves[half == "p"] if half else hour,):
        yield f"{one:02}:{minute:02}"


@cache
def _noons(language: Language) -> Table[str]:
    return meanings({**dict.fromkeys(language.noon, "12:00"), **dict.fromkeys(language.midnight, "00:00")}, language)
