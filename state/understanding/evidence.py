"""The person's own words: their lines, those that a reading is about, and whether a line holds a quote."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from state.draft.draft import ChatLine, Draft

WORD = re.compile(r"\w+")
MARKS = (".", ",")
"""Within a number."""


@lru_cache(maxsize=2048)  # the words of forms above all, which each message is held against
def normalized(text: str) -> str:
    """Return text as it is compared: compatibility forms folded, case and white space levelled, quotes at the ends taken off."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).strip("\"'“”‘’«» ")


def is_one_of(text: str, utterances: Iterable[str]) -> bool:
    """Return True if the whole text is one of these, marks and case aside."""
    words = WORD.findall(normalized(text))
    return any(words == WORD.findall(normalized(said)) for said in utterances)


def said_by_person(draft: Draft) -> tuple[ChatLine, ...]:
    """Return what the person typed, oldest first; acts that code wrote down ground nothing."""
    return tuple(s for s in (*draft.earlier, *draft.opening, *draft.window) if s.role == "user" and not s.clicked)


def newest_line(draft: Draft) -> ChatLine | None:
    """Return the newest line of the conversation, if the person typed it."""
    lines = [s for s in (*draft.opening, *draft.window) if s.role == "user"]
    return lines[-1] if lines and not lines[-1].clicked else None


def holds_quote(text: str, quote: str) -> bool:
    """Return True if the quote stands in the text as whole words and whole numbers ("200" does not stand in "12,200")."""
    return _holds(normalized(text), normalized(quote))


def held(text: str, quotes: tuple[str, ...]) -> Iterator[str]:
    """Return those of a form's own quotes that stand in the text so."""
    level = normalized(text)
    return (quote for quote, wanted in _as_compared(quotes) if _holds(level, wanted))


def first_held(text: str, quotes: tuple[str, ...]) -> str:
    """Return the first of them; "" where none does."""
    return next(held(text, quotes), "")


@lru_cache(maxsize=64)
def _as_compared(quotes: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((quote, normalized(quote)) for quote in quotes)


def _holds(level: str, wanted: str) -> bool:
    at = -1
    while wanted and (at := level.find(wanted, at + 1)) >= 0:
        if _stands_alone(level, at, at + len(wanted)):
            return True
    return False


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return True if what stands there is no part of a longer word or number."""
    begins = not text[start].isalnum() or not _goes_on(text[max(start - 2, 0) : start][::-1])
    return begins and (not text[end - 1].isalnum() or not _goes_on(text[end : end + 2]))


def _goes_on(beside: str) -> bool:
    """Return True if a word or a number goes on in the two characters beside it, the nearest first."""
    nearest, further = beside[:1], beside[1:]
    return nearest.isalnum() or nearest == "_" or (nearest in MARKS and further.isdigit())


def unread_lines(draft: Draft) -> tuple[ChatLine, ...]:
    """Return what the person typed and no reader has judged yet, oldest first."""
    return tuple(s for s in (*draft.opening, *draft.window) if s.unread)


def fresh_lines(draft: Draft) -> tuple[ChatLine, ...]:
    """Return the lines that a reading is about, oldest first: the unread ones and those read in this turn, else the newest line."""
    lines = (*draft.opening, *draft.window)
    fresh = tuple(s for s in lines if s.unread or (s.read and s.read == draft.turn))
    newest = newest_line(draft)
    return fresh or ((newest,) if newest else ())


def runs(draft: Draft, lines: Iterable[ChatLine]) -> tuple[tuple[ChatLine, ...], ...]:
    """Return the lines in groups of neighbours that were typed under one question, nothing said or clicked between them."""
    spoken, wanted = (*draft.opening, *draft.window), tuple(lines)
    grouped = groupby(spoken, key=lambda line: (line in wanted, line.asked))
    return tuple(tuple(run) for (is_wanted, _), run in grouped if is_wanted)


def joined(run: Sequence[ChatLine]) -> ChatLine:
    """Return neighbouring lines as one message."""
    return replace(run[-1], text="\n".join(line.text for line in run))


def bursts(draft: Draft) -> tuple[ChatLine, ...]:
    """Return each run of fresh lines as one line: people break a sentence over several."""
    return tuple(joined(run) for run in runs(draft, fresh_lines(draft)) if len(run) > 1)


def asked_then(line: ChatLine, draft: Draft) -> str:
    """Return the field that was the question when the line was typed."""
    return draft.asked if line.asked is None else line.asked


def place_of(text: str, quote: str) -> tuple[int, int] | None:
    """Return where a quote is in a text, case and white space levelled; None where it does not."""
    words = quote.strip("\"'“”‘’«» \n\t").split()
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE) if words else None
    return found.span() if found else None


def as_written(line: str, text: str) -> str:
    """Return a text as the line has it; else the words from the first to the last that both share, as they were written.

    "" where they share less than half of the text's words: then the line is about something else.
    """
    at = place_of(line, text)
    if at:
        return line[slice(*at)]
    told, said = set(WORD.findall(normalized(text))), set(WORD.findall(normalized(line)))
    if not told or len(told & said) * 2 < len(told):
        return ""
    shared = [m.span() for m in re.finditer(r"\S+", line) if told & set(WORD.findall(normalized(m[0])))]
    return line[shared[0][0] : shared[-1][1]].strip(" .,;:!?") if shared else ""


def source_line(draft: Draft, quote: str, only_fresh: bool = False) -> ChatLine | None:
    """Return the newest line that holds the quote, or the burst of them; `only_fresh` among those that this reading is about."""
    lines = fresh_lines(draft) if only_fresh else said_by_person(draft)
    return next((s for s in (*reversed(lines), *bursts(draft)) if holds_quote(s.text, quote)), None)
