"""Grounded writes: a value counts only if the person's own words, quoted, yield it."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from functools import cache

from state.draft.draft import ChatLine, Data, Draft
from state.fields import kind_of
from state.fields.base import Context
from state.fields.words.naming import names
from state.form import Field
from state.language import Language, understood
from state.understanding.acceptance import Stance, leans_to, stance

OVERLAP = 0.6
"""Share of a text's words that a quote must hold for the text to be kept as a reading to check."""
STOPS = r"[.,;:!?\n–—]+"
WORD = re.compile(r"\w+")
MARKS = (".", ",")
"""Within a number."""


class Ground(StrEnum):
    """What the words bear: the value itself; a reading that the person should check; nothing."""

    YIELDS = "yields"
    SUPPORTS = "supports"
    NOTHING = "nothing"


def normalized(text: str) -> str:
    """Text as it is compared: compatibility forms folded, case and white space levelled, quotes at the ends taken off."""
    level = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return level.strip("\"'“”‘’«» ")


def said_by_person(draft: Draft) -> tuple[ChatLine, ...]:
    """What the person typed, oldest first; acts that code wrote down ground nothing."""
    return tuple(s for s in (*draft.earlier, *draft.opening, *draft.window) if s.role == "user" and not s.clicked)


def newest_line(draft: Draft) -> ChatLine | None:
    """The newest line of the conversation, if the person typed it."""
    lines = [s for s in (*draft.opening, *draft.window) if s.role == "user"]
    return lines[-1] if lines and not lines[-1].clicked else None


def holds_quote(text: str, quote: str) -> bool:
    """Whether the quote stands in the text as whole words and whole numbers ("200" does not stand in "12,200")."""
    wanted = normalized(quote)
    if not wanted:
        return False
    level, at = normalized(text), -1
    while (at := level.find(wanted, at + 1)) >= 0:
        if _stands_alone(level, at, at + len(wanted)):
            return True
    return False


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether what stands there is no part of a longer word or number."""
    begins = not text[start].isalnum() or not _goes_on(text[max(start - 2, 0) : start][::-1])
    return begins and (not text[end - 1].isalnum() or not _goes_on(text[end : end + 2]))


def _goes_on(beside: str) -> bool:
    """Whether a word or a number goes on in the two characters beside it, the nearest first."""
    nearest, further = beside[:1], beside[1:]
    return nearest.isalnum() or nearest == "_" or (nearest in MARKS and further.isdigit())


def source_line(draft: Draft, quote: str, only_newest: bool = False) -> ChatLine | None:
    """The newest message that holds the quote."""
    last = newest_line(draft)
    lines: Iterable[ChatLine] = ((last,) if last else ()) if only_newest else reversed(said_by_person(draft))
    return next((line for line in lines if holds_quote(line.text, quote)), None)


def ground(field: Field, data: Data, quote: str, line: ChatLine, draft: Draft, context: Context) -> Ground:
    """What a quote from a message bears for a value of this field."""
    if line.before:
        return _before(field, data, quote, replace(line, before=False), draft, context)
    rule = kind_of(field).grounding
    if rule == "answer":
        return _answer(field, data, quote, line, draft, context)
    if rule == "words":
        return _text(str(data), line)
    return Ground.YIELDS if data in _readings(field, quote, context) else Ground.NOTHING


def _before(field: Field, data: Data, quote: str, line: ChatLine, draft: Draft, context: Context) -> Ground:
    """Words said for another form: what they yield is a reading for the person to check, and nothing less counts."""
    plainly = ground(field, data, quote, line, draft, context) is Ground.YIELDS
    return Ground.SUPPORTS if plainly and not kind_of(field).declaration else Ground.NOTHING


def accepting(draft: Draft, quote: str, context: Context) -> Ground:
    """What words of the newest message bear for a value that was offered just before it: a plain yes yields it."""
    line = source_line(draft, quote, only_newest=True)
    said = stance(line.text, context.locale) if line else Stance.REFUSES
    return {Stance.ACCEPTS: Ground.YIELDS, Stance.OPEN: Ground.SUPPORTS, Stance.REFUSES: Ground.NOTHING}[said]


def _readings(field: Field, quote: str, context: Context) -> set[Data]:
    kind = kind_of(field)
    whole = kind.whole(field, quote, context)
    return {r.data for r in kind.find(field, quote, context)} | ({whole} if whole is not None else set())


def perhaps(field: Field, data: Data, quote: str, context: Context) -> bool:
    """Whether the words hold a number that could be an article as well ("one room")."""
    return any(r.data == data for r in kind_of(field).unsure(field, quote, context))


def _answer(field: Field, data: Data, quote: str, line: ChatLine, draft: Draft, context: Context) -> Ground:
    """Yes or no: for the field that was asked, a clause that says just that; for any other, words that name the field."""
    kind = kind_of(field)
    named = {r.data for r in kind.find(field, line.text, context)}
    if named:
        return Ground.YIELDS if named == {data} else Ground.NOTHING
    every = _clauses(context.language).split(line.text)
    clauses = [c for c in every if c and holds_quote(quote, c)] or [quote]
    stated = {normalized(c) for c in (*every, line.text)}
    asked = field.name == draft.asked and all(normalized(c) in stated for c in clauses)
    if asked and kind.whole(field, clauses[0], context) == data:
        return Ground.YIELDS
    return Ground.SUPPORTS if data is True and _agrees(field, line, draft, context) else Ground.NOTHING


def _agrees(field: Field, line: ChatLine, draft: Draft, context: Context) -> bool:
    """Whether the message is fine with what was asked, or with what it names: a reading to check, and never of a declaration."""
    if not kind_of(field).polar or field.worse is not None:
        return False
    text = line.text if field.name == draft.asked else ""
    return leans_to(names(field, context), text, line.text, context.locale, wish=field.suggest)


@cache
def _clauses(language: Language) -> re.Pattern[str]:
    """What parts clauses: punctuation, "and" and "but"."""
    joins = (word for spoken in understood(language) for word in (*spoken.and_words, *spoken.but_words))
    return re.compile(rf"{STOPS}|\s(?:{'|'.join(map(re.escape, joins))})\s", re.IGNORECASE)


def _text(value: str, line: ChatLine) -> Ground:
    if holds_quote(line.text, value):
        return Ground.YIELDS
    told, heard = set(WORD.findall(normalized(value))), set(WORD.findall(normalized(line.text)))
    share = len(told & heard) / len(told) if told else 0.0
    return Ground.SUPPORTS if share >= OVERLAP else Ground.NOTHING
