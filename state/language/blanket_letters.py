"""Sentences as a letter a phrase: what each phrase is in one answer to many questions, slips and drawn-out letters levelled."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, lru_cache
from operator import attrgetter

from state.language.clauses import Sentence
from state.language.language import Language
from state.language.small_talk import DRAWN_OUT
from state.language.table import Table, meanings
from state.language.tokens import Token, keys_of

LETTERS: Mapping[str, str] = {
    "no_idioms": "o", "negators": "X", "blankets.joining": "c", "polite": "t", "blankets.after": "t", "blankets.saying": "y", "blankets.small": "l",
    "blankets.leading": "p", "blankets.questions": "n", "blankets.declarations": "M", "blankets.same": "s", "blankets.applying": "P",
    "blankets.everywhere": "E", "blankets.every": "A", "blankets.rest": "R", "blankets.yes": "Y", "blankets.no": "D",
    "blankets.none_of": "K", "blankets.none_softly": "z", "blankets.none": "Z", "blankets.others": "v", "blankets.whole": "W",
    "blankets.no_blankets": "o",
}  # fmt: skip
"""The letter of each entry; of a phrase that stands in several the last one counts."""
SIGNALS = ("no", "yes", "same", "none", "none_of", "none_softly", "whole", "applying")
SLIP, LIKE, STRAY = 6, 0.84, 2
"""Letters of the shortest word in which a slip is looked for, how alike it is to the word that is meant, and how many letters only one has."""
SPELT = ("declarations", "questions", "every", "rest", "everywhere", "none", "whole", "applying")


@dataclass(frozen=True)
class Said:
    """A sentence as one letter a phrase; `first` and `last` are the tokens of each."""

    letters: str
    first: tuple[int, ...]
    last: tuple[int, ...]
    row: tuple[Token, ...]


def in_letters(sentence: Sentence, language: Language, spoken: Language) -> Said:
    """A sentence of a form's `language` by the words of the `spoken` one; a comma stands where a clause ends."""
    row = _row(sentence)
    table = _words(spoken, language)
    level = tuple(_meant(t, spoken, language) for t in row)
    letters, i = "", 0
    first: list[int] = []
    last: list[int] = []
    while i < len(level):
        if i and level[i].stop:
            letters += ","
            first.append(i)
            last.append(i - 1)
        length, letter = table.at(level, i) or (1, "o")
        letters += letter
        first.append(i)
        i += length
        last.append(i - 1)
    return Said(letters, tuple(first), tuple(last), level)


def _row(sentence: Sentence) -> tuple[Token, ...]:
    return tuple(t for clause in sentence.clauses for t in clause)


def may_hold_one(sentence: Sentence, language: Language, spoken: Language) -> bool:
    """Whether a sentence holds any of the words that no blanket answer is without, misspelt or not."""
    row, signals = _row(sentence), _signals(spoken, language)
    return any(t.key in signals or _corrected(t.key, spoken, language) in signals for t in row)


def asks_for_it(said: Said, first: int, language: Language, spoken: Language) -> bool:
    """Whether a clause that begins at token `first` wants it written down ("can you put no for all")."""
    return _requests(spoken, language).at(said.row, first) is not None


@cache
def _words(spoken: Language, language: Language) -> Table[str]:
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    for entry, letter in LETTERS.items():
        for phrase in attrgetter(entry)(spoken):
            keys = keys_of(phrase, language)
            joins = letter == "l" and found.get(keys, ("", ""))[1] == "c"
            found[keys] = (phrase, "b" if joins else letter)
    return meanings(dict(found.values()), language)


@cache
def _requests(spoken: Language, language: Language) -> Table[str]:
    return meanings({phrase: phrase for phrase in spoken.blankets.asking_for}, language)


@cache
def _signals(spoken: Language, language: Language) -> frozenset[str]:
    """First words of what no blanket is without."""
    phrases = (p for entry in SIGNALS for p in getattr(spoken.blankets, entry))
    return frozenset(keys[0] for p in phrases if (keys := keys_of(p, language)))


@cache
def _vocabulary(spoken: Language, language: Language) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """Every word of the tables; and the long ones that may be misspelt, by their first letter."""
    known = frozenset(k for entry in LETTERS for p in attrgetter(entry)(spoken) for k in keys_of(p, language))
    long = {k for e in SPELT for p in getattr(spoken.blankets, e) for k in keys_of(p, language) if len(k) >= SLIP}
    return known, {first: tuple(sorted(k for k in long if k[0] == first)) for first in {k[0] for k in long}}


def _meant(token: Token, spoken: Language, language: Language) -> Token:
    key = _corrected(token.key, spoken, language)
    return token if key == token.key else replace(token, key=key)


@lru_cache(maxsize=8192)
def _corrected(key: str, spoken: Language, language: Language) -> str:
    """The word that is meant: letters that are drawn out and slips in long words are levelled."""
    known, spelt_by = _vocabulary(spoken, language)
    if key in known:
        return key
    level = DRAWN_OUT.sub(r"\1", key)
    if level in known or len(level) < SLIP or not level.isalpha():
        return level if level in known else key
    near = (k for k in spelt_by.get(level[0], ()) if abs(len(k) - len(level)) <= 1 and len({*k} ^ {*level}) <= STRAY)
    return next((k for k in near if SequenceMatcher(None, level, k).ratio() >= LIKE), key)
