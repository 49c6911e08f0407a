"""What a field counts ("number of rooms"), and what stands behind a number in a message ("one room", "4 star")."""

import re
from collections.abc import Sequence
from functools import lru_cache

from state.form import Field
from state.language import Language
from state.language.table import listed
from state.language.tokens import Token, keys_of, tokens

BRACES = re.compile(r"\{[^{}]*\}")
FIELDS = 4096
"""Fields whose words are kept at hand, those of every form that is loaded."""
ENDING = re.compile(r"(?:s|n|e|a|i|o)$")
"""Letters by which one and many end, in the languages that there are."""
STEM = 3
"""Letters of the shortest word without its ending."""
Row = Sequence[Token]


@lru_cache(maxsize=FIELDS)
def counted_nouns(field: Field, language: Language) -> frozenset[str]:
    """Stems of what a field counts, by its label or else its question; none where its author gave words or a unit of its own."""
    if field.unit or field.words:
        return frozenset()
    counting = listed(language, "cues.counting")
    for said in (field.label, field.ask):
        row = tokens(BRACES.sub(" ", said), language)
        hit = next(counting.spans(row), None)
        if hit and hit[1] < len(row):
            return _alike(row[hit[1]].key, language)
    label = keys_of(BRACES.sub(" ", field.label), language)
    return _alike(label[0], language) if len(label) == 1 and _is_person(label[0], language) else frozenset()


def _is_person(key: str, language: Language) -> bool:
    return key in listed(language, "cues.people").rows


def _alike(key: str, language: Language) -> frozenset[str]:
    """The noun, and where it counts people or their seats, all names of either."""
    both = listed(language, "cues.people", "cues.seats").rows
    return frozenset(map(stem, both)) if key in both else frozenset((stem(key),))


def stem(key: str) -> str:
    """A word without the letters that tell one from many ("habitación", "habitaciones")."""
    short = ENDING.sub("", key)
    return key if short == key or len(short) < STEM else stem(short)


def counts_people(field: Field, language: Language) -> bool:
    """Whether a number of people answers the field."""
    nouns = counted_nouns(field, language)
    return any(stem(key) in nouns for key in listed(language, "cues.people").rows)


def is_counted(field: Field, row: Row, first: int, after: int, language: Language) -> bool:
    """Whether the number in tokens `first` up to `after` counts what the field counts: "two hotel rooms", "a table for two"."""
    nouns = counted_nouns(field, language)
    if not nouns:
        return False
    ratings = listed(language, "cues.ratings", "durations", "breaks", "conjunctions")
    for i in range(after, min(after + 2, len(row))):
        if row[i].stop or row[i].key[0].isdigit():
            break
        if stem(row[i].key) in nouns:
            return True
        if ratings.at(row, i):
            break
    return counts_people(field, language) and _for_people(row, first, after, language)


def _for_people(row: Row, first: int, after: int, language: Language) -> bool:
    """ "a cab for one", "for 2 please": nothing is counted but those whom it is for."""
    led = None if row[first].stop else listed(language, "cues.counted_for").ending(row, first)
    if led is None or not _ends_there(row, after, language):
        return False
    before = row[first - led[0] - 1 : first - led[0]]
    pointing = listed(language, "subjects").at(before, 0) if before and not row[first - led[0]].stop else None
    return pointing is None or listed(language, "be").at(before, 0) is not None


def _ends_there(row: Row, after: int, language: Language) -> bool:
    if after >= len(row) or row[after].stop:
        return True
    return listed(language, "polite", "breaks", "conjunctions").at(row, after) is not None


def counts_else(field: Field, row: Row, after: int, language: Language) -> bool:
    """Whether what stands behind a number is counted or ranked, and is not what the field counts ("4 star", "two beds")."""
    own = frozenset(map(stem, keys_of(f"{field.label} {field.unit} {field.ask}", language)))
    if after >= len(row) or row[after].stop > 1 or stem(row[after].key) in own:
        return False
    if listed(language, "cues.ratings").at(row, after):
        return True
    if row[after].stop:
        return False
    small = listed(
        language, "breaks", "articles", "filler", "polite", "value_fillers", "conjunctions", "naming", "be", "units",
        "approximations_after", "stand_ins", "days", "question_verbs", "or_words", "exceptions",
    )  # fmt: skip
    counts = bool(counted_nouns(field, language)) or _lasts(field, language)
    return counts and small.at(row, after) is None


@lru_cache(maxsize=FIELDS)
def _lasts(field: Field, language: Language) -> bool:
    """Whether the field asks how long, by its own words alone."""
    return not field.unit and listed(language, "durations").holds(tokens(f"{field.label} . {field.ask}", language))
