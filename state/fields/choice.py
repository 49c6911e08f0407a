"""One of the form's own choices, or several. Canonical: the choice's value, or a tuple of values in the form's order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from rapidfuzz.distance import OSA, Prefix

from state.fields.base import STRAY, Candidate, Context, Kind, Unreadable, if_plain
from state.fields.naming import FIELDS, is_named, names
from state.fields.values.numerals import position
from state.form import Choice, Field
from state.form.field import Data
from state.language import LANGUAGES, Language
from state.language.table import Table, all_of, joined, listed, meanings, words_of
from state.language.tokens import Token, keys_of, masked, tokens, trimmed

Span = tuple[int, int, str]
"""Where a choice stands in a row, and its value."""

CUT_BEFORE, CUT_BEHIND = (
    re.compile(r"[^\s(\"'*]"),
    re.compile(r"\s?[^\s\w.,;:!?)\"'*]|[.,:]\w|\s?[ap]\.?m\b", re.IGNORECASE),
)
BESIDE = 4
"""Words of the longest thing that may stand beside named choices and be none of them; longer ones tell about these."""
REACH = 3
"""Words up to a choice, from the one that denies it on ("I didn't change the mirrors")."""
STEM, ENDING = 4, 2
"""Letters that two forms of a word share at least, and those of the longer one's ending at most."""
LONG = 5
"""Letters from which a word is long enough to be known again with one slip in it."""
TWICE = 10
"""Letters from which it is with two."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one choice of a message that says nothing else: by its words, by its place, or with one slip in a long word."""
    row, language = tokens(masked(text), context.language), context.language
    table = _named(field, language)
    said = {value for _, _, value in table.spans(row)}
    # a one in words may point at a thing and count nothing ("that one")
    ones = {c.value for c in field.choices if c.label == "1"}
    pointing = any(v in ones and text[row[a].start : row[b - 1].end].isalpha() for a, b, v in table.spans(row))
    small = listed(language, *(("polite",) if pointing else ("small", "polite", "units")))
    around = joined(joined(table, names(field, context)), small)
    if _is_numbered(field) and STRAY.search(text):
        return None
    if said:
        return said.pop() if len(said) == 1 and all_of(row, around) else None
    # where choices hang on other answers, the second one on screen may not be the form's second
    placeless = _is_numbered(field) or any(c.when for c in field.choices)
    place = None if placeless else position(text, len(field.choices), language)
    if place is not None:
        return field.choices[place - 1].value
    rest = [t.key for t in row if not around.at((t,), 0)]
    other, called = _other(field, language)
    if other is not None and rest == called:
        return other.value
    return _with_slip(field, rest[0], language) if len(rest) == 1 else None


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return every choice that the text names and does not deny, those with the field's name beside them first."""
    row = tokens(masked(text), context.language)
    spans = _affirmed(row, [*_named(field, context.language).spans(row)], context.language)
    told = (Candidate(v, row[a].start, row[b - 1].end, is_named(field, row, a, b, context)) for a, b, v in spans)
    found = (r for r in told if not (_is_numbered(field) and _is_cut(text, r)))
    return tuple(sorted(found, key=lambda r: not r.named))


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the choice's value, from its value, label or words. Raises Unreadable: not_a_choice."""
    text = trimmed(str(given)) if isinstance(given, str | int) else ""
    exact = next((c.value for c in field.choices if text in (c.value, c.label)), None)
    found = {r.data for r in find(field, text, context)}
    value = exact if exact is not None else found.pop() if len(found) == 1 else None
    if value is None:
        raise Unreadable("not_a_choice", {"choices": ", ".join(c.label for c in field.choices)})
    return value


def show(field: Field, data: Data, _context: Context) -> str:
    """Return the choice's label."""
    choice = field.choice(data)
    return choice.label if choice else str(data)


def schema(field: Field) -> dict[str, Any]:
    """Return one of the values."""
    return {"type": "string", "enum": [c.value for c in field.choices]}


@lru_cache(maxsize=FIELDS)
def _named(field: Field, language: Language) -> Table[str]:
    return meanings(_words(field, language), language)


@lru_cache(maxsize=FIELDS)
def _words(field: Field, language: Language) -> Mapping[str, str]:
    """Return every way to say a choice; choices that are numbers may be said in words. What two choices share says neither."""
    table: dict[str, str] = {}
    twice: set[str] = set()
    for choice in field.choices:
        in_words = [word for word, n in language.numbers.items() if str(n) == choice.label]
        for word in {choice.value.replace("_", " "), choice.label, *choice.words, *in_words}:
            key = " ".join(keys_of(word, language))
            if table.setdefault(key, choice.value) != choice.value:
                twice.add(key)
    return {k: v for k, v in table.items() if k not in twice}


def _affirmed(row: Sequence[Token], spans: Iterable[Span], language: Language) -> Iterator[Span]:
    """Yield the choices that no word denies: "not a van", "all but a van", "no van or quad", "a van, no"."""
    beside, last, denied = listed(language, "and_words", "or_words", "small"), 0, False
    for first, end, value in spans:
        between = row[last : first + 1]
        goes_on = not any(t.stop for t in between) and all_of(between[:-1], beside)
        denied = _is_excluded(row, first, end, last, language) or (denied and goes_on)
        last = end
        if not denied:
            yield first, end, value


def _is_excluded(row: Sequence[Token], first: int, end: int, last: int, language: Language) -> bool:
    """Return True if a denying word stands shortly before the choice, behind the one before it, or a no right behind it."""
    denying, no = listed(language, "negators", "excepting"), listed(language, "no", "negators")
    numbering = listed(language, "option_words").rows  # "no 12 is a van"
    for i in range(first - 1, max(last, first - REACH) - 1, -1):
        if row[i + 1].stop:
            break
        if (hit := denying.at(row, i)) and i + hit[0] <= first:
            return not (row[i].key in numbering and row[i + 1].key.isdigit())
    ends = end + 1 == len(row) or (end + 1 < len(row) and bool(row[end + 1].stop))
    return ends and not row[end].stop and no.at(row, end) is not None


def _is_numbered(field: Field) -> bool:
    return any(c.label[:1].isdigit() for c in field.choices)


def _is_cut(text: str, r: Candidate) -> bool:
    """Return True if a figure goes on beside it, or a mark or a half of the day: "£2", "2.5", "2 pm"."""
    return bool(CUT_BEFORE.match(text[max(r.start - 1, 0) : r.start]) or CUT_BEHIND.match(text, r.end))


def _with_slip(field: Field, typed: str, language: Language) -> Data | None:
    """Return the choice that one mistyped word can mean, when no other choice is near.

    A word that means something itself is not mistyped, but for its ending ("todo" is no "toldo", "todas" is "todos").
    """
    single = {key: value for key, value in _words(field, language).items() if " " not in key and len(key) >= LONG}
    most, known = 1 + (len(typed) >= TWICE), any(typed in words_of(one) for one in LANGUAGES.values())
    near = {
        v
        for key, v in single.items()
        if key[0] == typed[0]
        and OSA.distance(typed, key, score_cutoff=most) <= most
        and (not known or _ends_otherwise(typed, key))
    }
    return near.pop() if len(near) == 1 else None


def _ends_otherwise(typed: str, key: str) -> bool:
    """Return True if the two differ by the last letter, an s aside: by gender, number or person."""
    one, other = typed.removesuffix("s"), key.removesuffix("s")
    return Prefix.similarity(one, other) >= max(len(one), len(other)) - 1


def differ_in_ending(one: str, other: str) -> bool:
    """Return True if two words are the same, or differ in their last letters alone ("lleva", "llevan")."""
    return one == other or Prefix.similarity(one, other) >= max(STEM, len(one) - ENDING, len(other) - ENDING)


def inflected(field: Field, text: str, context: Context) -> Candidate | None:
    """Return the one choice of which a word has the beginning and another ending ("shares", "azioni"), and that nothing denies.

    Words that put something off or right are none ("espera").
    """
    row, words = tokens(masked(text), context.language), _words(field, context.language)
    apart = listed(context.language, "corrections.cues", "small_talk.holds").spans(row)
    others = {i for first, after, _ in apart for i in range(first, after)}
    pairs = ((i, t.key, word) for i, t in enumerate(row) for word in words if i not in others)
    alike = (p for p in pairs if differ_in_ending(*p[1:]))
    spans = _affirmed(row, [(i, i + 1, words[w]) for i, _, w in alike], context.language)
    meant = {v: Candidate(v, row[a].start, row[b - 1].end) for a, b, v in spans}
    return next(iter(meant.values())) if len(meant) == 1 else None


def _other(field: Field, language: Language) -> tuple[Choice | None, list[str]]:
    """Return the choice that stands for what is not listed, and the words before the first comma of its label."""
    other = next((c for c in field.choices if c.told_in), None)
    return other, [*keys_of(other.label.partition(",")[0], language)] if other else []


def unlisted(field: Field, text: str, context: Context) -> str:
    """Return the parts of a list in words that name no choice, but for what stands for others; the empty string where there are none."""
    row, language = tokens(masked(text), context.language), context.language
    other, called = _other(field, language)
    named = [*_named(field, language).spans(row)]
    hollow = {i for a, b, value in named if other and value == other.value for i in range(a, b)}
    listed_ones = {i for a, b, _ in named for i in range(a, b)} - hollow
    joins = listed(language, "and_words")
    small = listed(
        language, "small", "leading", "polite", "also", "units", "vague", "offers.all_of", "offers.accepting"
    )
    cuts = [i for i, t in enumerate(row) if i and (t.stop or joins.at(row, i))]
    found = []
    for first, end in pairwise((0, *cuts, len(row))):
        little = {first + i for a, b, _ in small.spans(row[first:end]) for i in range(a, b)} | hollow
        left = [i for i in range(first, end) if i not in little and not joins.at(row, i)]
        alone = not listed_ones & set(range(first, end))
        if left and alone and [row[i].key for i in left] != called and (not listed_ones or left[-1] - left[0] < BESIDE):
            found.append(text[row[left[0]].start : row[left[-1]].end])
    return ", ".join(found)


def whole_several(field: Field, text: str, context: Context) -> Data | None:
    """Return the choices of a message that names them and says nothing else."""
    one = whole(field, text, context)
    if isinstance(one, str):
        return (one,)
    found = find(field, text, context)
    row = tokens(masked(text), context.language)
    rest = [t for t in row if not any(r.start <= t.start < r.end for r in found)]
    around = joined(names(field, context), listed(context.language, "small", "polite", "and_words"))
    return as_list(field, *(r.data for r in found)) if found and all_of(rest, around) else None


def find_several(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return all the choices that the text names, as one reading."""
    found = find(field, text, context)
    if not found:
        return ()
    start, end = min(r.start for r in found), max(r.end for r in found)
    return (Candidate(as_list(field, *(r.data for r in found)), start, end, any(r.named for r in found)),)


def parse_several(field: Field, given: object, context: Context) -> Data:
    """Return the choices' values from a list of values, labels or words, or from a text that names them. Raises Unreadable: not_a_choice."""
    if isinstance(given, str):
        named = as_list(field, *(r.data for r in find(field, given, context)))
        return named or (str(parse(field, given, context)),)
    if not isinstance(given, list | tuple) or not given:
        raise Unreadable("not_a_choice")
    return as_list(field, *(parse(field, one, context) for one in given))


def show_several(field: Field, data: Data, context: Context) -> str:
    """Return their labels in a row."""
    values = data if isinstance(data, tuple) else (str(data),)
    return ", ".join(show(field, value, context) for value in values)


def as_list(field: Field, *answers: Data) -> tuple[str, ...]:
    """Return all choices of these answers, one or several each, as one list in the form's order."""
    named = {value for one in answers for value in (one if isinstance(one, tuple) else (one,))}
    return tuple(c.value for c in field.choices if c.value in named)


def fits_several(field: Field, value: object) -> bool:
    """Return True if an author wrote one choice (as conditions name it) or several."""
    values = value if isinstance(value, tuple) else (value,)
    return bool(values) and all(field.choice(v) is not None for v in values)


KIND = Kind(
    name="choice",
    about="One of the form's choices: buttons, above five a menu.",
    whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=lambda field, value: field.choice(value) is not None, wanted="must be one of its choices",
    takes=frozenset({"choices"}), needs="choices", element="buttons", common_words=True,
    lasting=True,
)  # fmt: skip
SEVERAL = Kind(
    name="choices",
    about="Several of them: boxes to tick, then Done.",
    whole=if_plain(whole_several), find=find_several, parse=parse_several, show=show_several,
    schema=lambda field: {"type": "array", "items": {"type": "string", "enum": [c.value for c in field.choices]}},
    fits=fits_several, wanted="must be one or several of its choices",
    takes=frozenset({"choices"}), needs="choices", element="tick", several=True, on_paper=False, offered=False,
)  # fmt: skip
