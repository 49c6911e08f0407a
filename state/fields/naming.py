"""What a field is called, whether a value stands beside its name, and the places of a text: tokens, and stretches that are taken."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from operator import attrgetter

from state.fields.base import Context
from state.form import Field
from state.language import LANGUAGES, Language
from state.language.small_talk import idle
from state.language.table import Table, all_of, joined, listed, listed_everywhere, meanings, phrases
from state.language.tokens import Token, keys_of, masked, tokens


class Spans:
    """A set of stretches; `hits` tells in logarithmic time whether a stretch overlaps any of them."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(spans):
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(end, self.ends[-1])
            else:
                self.starts.append(start)
                self.ends.append(end)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the stretches, in order."""
        return zip(self.starts, self.ends, strict=True)

    def hits(self, start: int, end: int) -> bool:
        """Return True if `start` up to `end` overlaps a taken stretch."""
        i = bisect_right(self.starts, end - 1) - 1
        return i >= 0 and self.ends[i] > start


START = attrgetter("start")
YEAR = re.compile(r"(?:19|20|21)[0-9]{2}")


def place(row: Sequence[Token], at: int) -> int:
    """Return the first token that begins at or after a place of the text."""
    return bisect_left(row, at, key=START)


def is_after(table: Table[str], row: Sequence[Token], at: int) -> bool:
    """Return True if a phrase of the table ends just before this place, in the same clause."""
    i = place(row, at)
    same_clause = i == len(row) or not row[i].stop
    return same_clause and table.ending(row, i) is not None


def is_denied(row: Sequence[Token], start: int, end: int, language: Language) -> bool:
    """Return True if a word right before a value puts it aside, or a no right behind it ("not Monday", "todos menos el lunes", "lunedì no")."""
    first, after = place(row, start), place(row, end)
    leads = listed(language, "one_article", "day_leads", "orders.stating").rows
    while 0 < first < len(row) and row[first - 1].key in leads:  # "non è 1500"
        first -= 1
    before = first < len(row) and not row[first].stop and listed(language, "negators", "excepting").ending(row, first)
    plain = listed(language, "no").ending(row, first)  # behind a figure it corrects that one: "100 no 300"
    corrects = plain is not None and first > plain[0] and row[first - plain[0] - 1].key[0].isdigit()
    behind = after < len(row) and not row[after].stop and listed(language, "no").at(row, after)
    last = after + behind[0] if behind else after
    return bool(before and not corrects) or bool(behind and (last == len(row) or row[last].stop))


def is_of_each(field: Field, text: str, start: int, end: int, context: Context) -> bool:
    """Return True if a sum is told of each, or in another measure than the field's, unless the field asks for that ("£25 each", "1800 lordi")."""
    row, language = tokens(masked(text), context.language), context.language
    first, after, measures = place(row, start), place(row, end), _measures(language)
    before = [(i, hit) for i in (first, first - 1) if (hit := measures.ending(row, i))]  # "each 12", "each ticket 12"
    apart = any(t.stop for t in row[first : first + 1]) or any(  # "25 each, 50 in all"
        row[i].stop or (i > hit[0] and row[i - hit[0] - 1].key[0].isdigit()) for i, hit in before
    )
    told = set() if apart else {hit[1] for _, hit in before}
    told |= {hit[1] for i in range(2) if (hit := measures.at(row, after + i))}
    told |= {""} if text[:start].rstrip().endswith("@") else set()
    own = keys_of(f"{field.label} {field.ask}", language) if told else ()
    if "" in told and not listed_everywhere(language, "each").holds(tokens(f"{field.label} {field.ask}", language)):
        return True
    return any(key.startswith(word) for word in told - {""} for key in own)


@cache
def _measures(language: Language) -> Table[str]:
    """Return the words for a sum of each, and those for another measure with the word that a field has for its own, of every language."""
    other = {word: own for one in LANGUAGES.values() for word, own in one.against.items()}
    return meanings({**other, **{word: "" for one in LANGUAGES.values() for word in one.each}}, language)


def led(row: Sequence[Token], start: int, entry: str, context: Context) -> int:
    """Return where a value begins with the word of a language's entry that leads to it ("on 3 March", "alle 14:30")."""
    first = place(row, start)
    lead = None if first >= len(row) or row[first].stop else listed(context.language, entry).ending(row, first)
    return row[first - lead[0]].start if lead else start


BRACES = re.compile(r"\{[^{}]*\}")
FIELDS = 4096
"""Fields whose words are kept at hand, those of every form that is loaded."""
SHORT = 3
"""Letters of a word that may stand anywhere."""
REACH = 3
"""Words between a value and the name after it ("200 ordinary Tesco shares")."""


def names(field: Field, context: Context) -> Table[str]:
    """Return the label and the words of a field, and their plurals where one ending makes them."""
    return _names(field, context.language)


@lru_cache(maxsize=FIELDS)
def _names(field: Field, language: Language) -> Table[str]:
    said = tuple(BRACES.sub(" ", w) for w in (field.label, *field.words))
    plural = tuple(w + language.plural_ending for w in said) if language.plural_ending else ()
    return phrases(said + plural, language)


@lru_cache(maxsize=FIELDS)
def nouns(field: Field, language: Language) -> frozenset[str]:
    """Return single longer words of a field's label, words and unit, in one and many: "rooms" and "room" of "Number of rooms"."""
    said = " ".join(BRACES.sub(" ", w) for w in (field.label, *field.words, field.unit))
    keys, ending = {k for k in keys_of(said, language) if len(k) > SHORT}, language.plural_ending or "\0"
    return frozenset({*keys, *(k.removesuffix(ending) for k in keys), *(k + ending for k in keys)})


def denies(field: Field, text: str, context: Context) -> bool:
    """Return True if the text says no, in any language, to what the field is called by, and nothing else ("no loans", "non ho debiti")."""
    row, no = tokens(masked(text), context.language), listed_everywhere(context.language, "no", "negators")
    called, beside = names(field, context), listed_everywhere(context.language, "denying")
    said = called.holds(row) and no.holds(row) and all_of(row, joined(called, joined(no, beside)))
    return said and idle(text, context.language) is None  # "I don't know of any loans"


def is_named(field: Field, row: Sequence[Token], first: int, after: int, context: Context) -> bool:
    """Return True if the value in tokens `first` up to `after` has the field's name or unit beside it, with only small words between."""
    return is_named_before(field, row, first, context) or _name_after(field, row, after, context)


def is_named_before(field: Field, row: Sequence[Token], first: int, context: Context) -> bool:
    """Return True if the field's name stands before a token, with only small words between."""
    between = listed(context.language, "naming")
    called = names(field, context)
    for end in range(first, max(first - REACH - 1, 0), -1):
        if end < len(row) and row[end].stop > 1:
            return False
        if called.ending(row, end):
            return True
        if not between.at(row, end - 1):
            return False
    return False


def _name_after(field: Field, row: Sequence[Token], after: int, context: Context) -> bool:
    called = names(field, context)
    units = _units(field.unit, context.language)
    ends = listed(context.language, "breaks")
    for i in range(after, min(after + REACH + 1, len(row))):
        if row[i].stop or row[i].key[0].isdigit():
            return False
        if called.at(row, i) or units.at(row, i):
            return True
        if ends.at(row, i):
            return False
    return False


@lru_cache(maxsize=FIELDS)
def _units(unit: str, language: Language) -> Table[str]:
    """Return a field's unit, in many and in one; a field that counts usual units counts them under any of their names."""
    usual = language.units if listed(language, "units").holds(tokens(unit, language)) else ()
    return phrases((unit, unit.removesuffix(language.plural_ending), *usual), language)
