"""One of the form's own choices. Canonical: the choice's value."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import OSA

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.positions import position
from state.fields.values.quantities import counted, one_answer
from state.fields.values.reach import is_rejected
from state.fields.words.naming import FIELDS, is_named
from state.fields.words.plain import if_plain, is_plain
from state.form import Field
from state.form.data import Data
from state.language import Language
from state.language.table import Table, listed, meanings
from state.language.tokens import Token, key_of, keys_of, masked, tokens, trimmed

LONG = 5
"""Letters from which a word is long enough to be recognised with a slip in it ("sel" could be anything)."""
BACK = 4
"""Words over which a negation reaches a choice ("I don't want to sell")."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one choice of a message that says nothing else: by its words, by its place, or with a slip that leaves no doubt."""
    found = _every(field, text, context)
    if found:
        return _agreed(field, text, found, context)
    if not _numbered(field):
        place = position(text, len(field.choices), context.language)
        if place is not None:
            return field.choices[place - 1].value
    return _with_slip(field, text, context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Choices that the text names and does not put aside; those with the field's name beside them first."""
    found = _every(field, text, context)
    return tuple(r for r in found if r.named or not (_numbered(field) and _may_be_article(text, r)))


def _every(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    row = tokens(masked(text), context.language)
    spans = list(_named(field, context.language).spans(row))
    kept = [(a, b, v) for a, b, v in spans if not _put_aside(row, a, context)]
    told = [Candidate(v, row[a].start, row[b - 1].end, is_named(field, row, a, b, context)) for a, b, v in kept]
    if _numbered(field):
        return counted(field, text, told, context)
    return tuple(sorted(told, key=lambda r: not r.named))


def _may_be_article(text: str, reading: Candidate) -> bool:
    """ "one" stands in many sentences that count nothing ("that one")."""
    return text[reading.start : reading.end].isalpha() and reading.data == "1"


def parse(field: Field, given: object, context: Context) -> Data:
    """The choice's value, from its value, label or words. Raises Unreadable: not_a_choice."""
    text = trimmed(str(given)) if isinstance(given, str | int) else ""
    listed = (*((c.value, c.value) for c in field.choices), *((c.label, c.value) for c in field.choices))
    exact = next((value for said, value in listed if said == text), None)
    found = () if exact is not None else find(field, text, context)
    value = _agreed(field, text, found, context) if found else exact
    if value is None:
        raise Unreadable("not_a_choice", {"choices": ", ".join(c.label for c in field.choices)})
    return value


def show(field: Field, data: Data, _context: Context) -> str:
    """The choice's label."""
    choice = field.choice(data)
    return choice.label if choice else str(data)


def schema(field: Field) -> dict[str, Any]:
    """One of the values."""
    return {"type": "string", "enum": [c.value for c in field.choices]}


@lru_cache(maxsize=FIELDS)
def _named(field: Field, language: Language) -> Table[str]:
    return meanings(_words(field, language), language)


@lru_cache(maxsize=FIELDS)
def _words(field: Field, language: Language) -> Mapping[str, str]:
    """Every way to say a choice; choices that are numbers may be said in words. What two choices share says neither."""
    table: dict[str, str] = {}
    twice: set[str] = set()
    for choice in field.choices:
        for word in {choice.value.replace("_", " "), choice.label, *choice.words, *_in_words(choice.label, language)}:
            key = " ".join(keys_of(word, language))
            if table.setdefault(key, choice.value) != choice.value:
                twice.add(key)
    return {k: v for k, v in table.items() if k not in twice}


def _in_words(label: str, language: Language) -> list[str]:
    return [word for word, n in language.numbers.items() if str(n) == label]


def _numbered(field: Field) -> bool:
    return any(c.label[:1].isdigit() for c in field.choices)


def _agreed(field: Field, text: str, found: tuple[Candidate, ...], context: Context) -> Data | None:
    start, end = min(r.start for r in found), max(r.end for r in found)
    if len({r.data for r in found}) > 1 or (len(found) > 1 and text[start:end].count(" ") > 1):
        return None
    return one_answer(field, text, (Candidate(found[0].data, start, end),), context)


def _put_aside(row: tuple[Token, ...], first: int, context: Context) -> bool:
    """Whether a negation in the same clause reaches the choice."""
    language = context.language
    denying = listed(language, "negators")
    ends = listed(language, "conjunctions", "or_words")
    if is_rejected(row, row[first].start, context):
        return True
    for i in range(first - 1, max(first - BACK - 1, -1), -1):
        if row[i + 1].stop or ends.at(row, i):
            return False
        if denying.at(row, i):
            return True
    return False


def _with_slip(field: Field, text: str, context: Context) -> Data | None:
    """The choice that one mistyped word can mean, when no other choice is near."""
    row = tokens(masked(text), context.language)
    filler = listed(context.language, "filler").rows
    said = [t for t in row if t.key not in filler]
    if len(said) != 1 or len(said[0].key) < LONG or not is_plain(field, text, said[0].start, said[0].end, context):
        return None
    words = _words(field, context.language).items()
    single = {key_of(w, context.language): v for w, v in words if len(w) >= LONG and " " not in w}
    near = {value for word, value in single.items() if _is_slip(said[0].key, word)}
    return near.pop() if len(near) == 1 else None


def _is_slip(typed: str, word: str) -> bool:
    """One letter wrong, missing, doubled or swapped, the first one right."""
    return typed[0] == word[0] and OSA.distance(typed, word, score_cutoff=1) <= 1


KIND = Kind(
    name="choice", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=lambda field, value: field.choice(value) is not None, wanted="must be one of its choices",
    takes=frozenset({"choices"}), needs="choices", element="buttons", claims=True, leads_to_name=True, common_words=True,
)  # fmt: skip
