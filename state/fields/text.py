"""Open words. Canonical: as written, without what cannot be seen. A message alone tells whether it is the answer only where short ones are."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.naming import BRACES, FIELDS, names
from state.form import Field
from state.form.data import Data
from state.language import LANGUAGES, Language
from state.language.clauses import sentences
from state.language.small_talk import NoAnswer, idle, idle_clauses, introduced, requests_something, stated
from state.language.table import listed, phrases
from state.language.tokens import Token, asks, keys_of, masked, tokens, trimmed

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows: they could show a reader something else than what is stored."""
KEPT = "\n\t"


FEW = 8
"""Words of the longest short answer: a street with its number and floor."""
CODE = 3
"""Letters of a part that may be written small behind a comma ("sacramento, ca")."""
PLAIN = 5
"""Words of the longest that is written small ("two tickets for the opera")."""
MARKS, ENDS = re.compile(r"[,;:–—]+\s+|\s+[–—-]+\s+"), re.compile(r"[?!\n]|[^\W\d_]{4,}\.\s")
"""Between the parts of such words; where a sentence ends, the point of an abbreviation apart."""
COURTESY = (NoAnswer.GREETING, NoAnswer.THANKS)
"""What may stand beside an answer and changes nothing about it."""
NAMES = 4
"""Words of the longest name of a person."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """A few words for a field that is answered by such; None where they ask, doubt, deny, agree, make a sentence or say nothing."""
    if not field.short or len(text) > field.max_length or asks(text) or requests_something(text, context.language):
        return None
    row = tokens(masked(text), context.language)
    known = list(phrases(field.known, context.language).spans(row))
    if len(known) == 1 and not is_proper([text[t.start : t.end] for t in (*row[: known[0][0]], *row[known[0][1] :])]):
        first, after, value = known[0]
        whole_of_it = after - first == len(row)
        return _clean(text) if whole_of_it else value if is_few_words(text, context) else None
    name = introduced(text, context.language) if asks_name(field, context.language) else None
    if name and len(text[slice(*name)].split()) <= NAMES and _ends(text, name[1], context):
        return _clean(text[slice(*name)])
    span = _told(field, text, context)
    return _clean(text[span[0] : span[1]]) if span and is_few_words(text[span[0] : span[1]], context) else None


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The few words that are left of a message to a field answered by such, where the rest doubts or introduces weakly; else all of it."""
    if (
        not field.short
        or not text.strip()
        or len(text) > field.max_length
        or asks(text)
        or idle(text, context.language)
    ):
        return None
    language = context.language
    if introduced(text, language) and not asks_name(field, language):
        return None
    row = tokens(masked(text), language)
    known = [value for _, _, value in phrases(field.known, language).spans(row)]
    if len(known) == 1:
        return known[0]
    doubts = phrases((*language.doubts, *language.small_talk.doubts), language)
    hollow = {i for first, after, _ in doubts.spans(row) for i in range(first, after)}
    kept = [i for i in range(len(row)) if i not in hollow]
    left = [row[i] for i in kept]
    span = introduced(text, language, weakly=True) if asks_name(field, language) else None
    if span is None and hollow and left and kept[-1] - kept[0] == len(kept) - 1:
        span = left[0].start, left[-1].end
    few = span and is_few_words(text[span[0] : span[1]], context)
    if span and few:
        return _clean(text[span[0] : span[1]])
    turned = listed(language, "question_words").at(row, 0)
    return None if turned or (field.short and whole(field, text, context) is not None) else _clean(text)


def _told(field: Field, text: str, context: Context) -> tuple[int, int] | None:
    """Where the answer stands in a message to a field of few words: without courtesies beside it and words that only lead to it."""
    language = context.language
    if idle(text, language):
        return None
    name = introduced(text, language)
    if name:
        return None
    called = next(iter((*_called(field, text, context), *_led(field, text, context))), None)
    if called and called.end >= len(text.rstrip(" .!")):
        return called.start, called.end
    start, end = bared(text, context)
    if any(idle(beside, language) not in (None, *COURTESY) for beside in (text[:start], text[end:])):
        return None
    weak = introduced(text, language, weakly=True) if asks_name(field, language) else None
    if weak and _ends(text, weak[1], context) and text[weak[0]].isupper() and len(text[slice(*weak)].split()) <= NAMES:
        return weak
    led = stated(text[start:end], language)
    return (start + led[0], start + led[1]) if led else (start, end)


def _ends(text: str, end: int, context: Context) -> bool:
    """Whether nothing but courtesy follows a place of the message."""
    spans = tuple(idle_clauses(text, context.language))
    after = (t for t in tokens(masked(text), context.language) if t.start >= end)
    return all(any(a <= t.start < b for a, b in spans) for t in after)


def bared(text: str, context: Context) -> tuple[int, int]:
    """The message without the clauses at its ends that answer nothing ("hi, Leeds, thanks")."""
    spans = list(idle_clauses(text, context.language))
    row = tokens(masked(text), context.language)
    left = [t for t in row if not any(a <= t.start < b for a, b in spans)]
    polite = listed(context.language, "polite")
    while left and (hit := polite.ending(left, len(left))) and hit[0] < len(left):
        left = left[: -hit[0]]
    if not left:
        return 0, len(text)
    first = 0 if left[0] is row[0] else left[0].start
    return first, len(text) if left[-1] is row[-1] else left[-1].end


def is_few_words(text: str, context: Context) -> bool:
    """Return True if words look like a name, a thing or a line of an address, and say something."""
    language = context.language
    row = tokens(masked(text), language)
    if not 0 < len(row) <= FEW or not _is_shaped_so(text):
        return False
    sentence = listed(language, "be", "have", "doubts", "question_verbs")
    proper = len(row) <= NAMES and not text.isupper() and all(text[t.start].isupper() for t in row)
    stated_ = sentence.holds(row) and not (proper and not listed(language, "subjects").holds(row))
    turned = listed(language, "negators", "question_words")
    empty = listed(language, "yes", "no", "polite", "acknowledging", "filler")
    hollow = {i for first, after, _ in empty.spans(row) for i in range(first, after)}
    says = len(hollow) < len(row) or (proper and idle(text, language) is None)
    return not stated_ and not turned.at(row, 0) and says


def _is_shaped_so(text: str) -> bool:
    """Return True if no mark within ends a sentence, no words go on small behind a comma, and words without a capital or a figure are few."""
    parts = MARKS.split(text.strip(" .!"))
    told = [part.split() for part in parts if part]
    plain = all(len(words) <= PLAIN or is_proper(words[n == 0 :]) for n, words in enumerate(told))
    on = any(len(part) > CODE and (part[:1].islower() or part[1:2] == " ") for part in parts[1:])
    return plain and not on and not ENDS.search(text.strip(" .!"))


def is_proper(words: Sequence[str]) -> bool:
    """Return True if one of the words has a capital or a figure."""
    return any(w[:1].isdigit() or (w[:1].isupper() and len(w) > 1) for w in words)


def asks_name(field: Field, language: Language) -> bool:
    """Whether the field of few words is for a person's own name, and no thing's or family's."""
    return field.short and _asks_name(field, language)


@lru_cache(maxsize=FIELDS)
def _asks_name(field: Field, language: Language) -> bool:
    words = {key for other in LANGUAGES.values() for w in other.small_talk.name_words for key in keys_of(w, language)}
    said = keys_of(BRACES.sub(" ", field.label), language)
    core = {key for other in LANGUAGES.values() for key in keys_of(other.small_talk.name_words[0], language)}
    called = frozenset(said) | {key for w in field.words for key in keys_of(w, language)}
    return bool(core & called) and set(said) <= words


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Values that the form knows, and what stands after the words that lead to an answer ("because", "the city is", "my name is")."""
    row = tokens(masked(text), context.language)
    known = phrases(field.known, context.language).spans(row)
    told = tuple(Candidate(v, row[a].start, row[b - 1].end, named=True) for a, b, v in known)
    found = (r for r in _led(field, text, context) if not idle(str(r.data), context.language))
    led = tuple(found) or tuple(_called(field, text, context))
    return (*told, *led)


def _called(field: Field, text: str, context: Context) -> Iterator[Candidate]:
    """What follows the field's own name and "is" or a colon, or introduces the person to a field for their name."""
    language = context.language
    clean = masked(text)
    name = introduced(text, language) if asks_name(field, language) else None
    if name and len(text[slice(*name)].split()) <= NAMES:
        yield Candidate(text[slice(*name)], *name, named=True)
        return
    for sentence in sentences(clean, language):
        row: tuple[Token, ...] = tuple(t for clause in sentence.clauses for t in clause)
        hit = None if sentence.asks else next(names(field, context).spans(row), None)
        after = _after_name(row, hit[1], clean, context) if hit else None
        if after is not None and after < len(row) and field.short:
            end = next((i for i in range(after + 1, len(row)) if row[i].stop), len(row))
            start, stop = row[after].start, row[end - 1].end
            if not idle(text[start:stop], language):
                yield Candidate(text[start:stop], start, stop, named=True)


def _after_name(row: tuple[Token, ...], i: int, text: str, context: Context) -> int | None:
    """The token after the "is" or the colon that follows a name; None where neither does."""
    be = phrases((*context.language.be, *context.language.naming[:1]), context.language).at(row, i)
    if be:
        return i + be[0]
    marked = 0 < i < len(row) and text[row[i - 1].end : row[i].start].strip() in (":", "=")
    return i if marked else None


def parse(field: Field, given: object, _context: Context) -> Data:
    """The text. Raises Unreadable: not_text, empty, too_long."""
    if not isinstance(given, str):
        raise Unreadable("not_text")
    text = _clean(given)
    if not text:
        raise Unreadable("empty")
    if len(text) > field.max_length:
        raise Unreadable("too_long", {"maximum": str(field.max_length)})
    return text


def show(_field: Field, data: Data, _context: Context) -> str:
    """As it is stored."""
    return str(data)


def schema(_field: Field) -> dict[str, Any]:
    """A string."""
    return {"type": "string"}


def _clean(text: str) -> str:
    seen = (c for c in text.replace("\r\n", "\n").replace("\r", "\n") if c in KEPT or not _is_hidden(c))
    return trimmed("".join(seen))


def _is_hidden(character: str) -> bool:
    return character in TURNING or unicodedata.category(character) in ("Cc", "Cs")


def _led(field: Field, text: str, context: Context) -> Iterator[Candidate]:
    """What follows a leading phrase, up to the end of its sentence."""
    leading = phrases(field.before, context.language)
    for sentence in sentences(masked(text), context.language):
        row: tuple[Token, ...] = tuple(t for clause in sentence.clauses for t in clause)
        hit = next(leading.spans(row), None)
        if hit and hit[1] < len(row):
            start, end = row[hit[1]].start, row[-1].end
            yield Candidate(text[start:end], start, end, named=True)


KIND = Kind(
    name="text", whole=whole, find=find, parse=parse, show=show, schema=schema,
    leans=leans, takes=frozenset({"grade", "before", "known", "short"}), closed=False, verbatim=True, grounding="words", listing="name",
    called=frozenset({
        "free", "freetext", "longtext", "paragraph", "shorttext", "str", "string", "textarea", "varchar",
    }),
    lasting=True,
)  # fmt: skip
