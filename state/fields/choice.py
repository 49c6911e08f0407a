"""One of the form's own choices. Canonical: the choice's value."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.positions import position
from state.fields.values.quantities import counted, one_answer
from state.fields.words.naming import FIELDS, is_named, own_words
from state.fields.words.plain import if_plain, is_short
from state.fields.words.slips import LONG, is_form, is_like, is_slip
from state.form import Field
from state.form.data import Data
from state.language import Language
from state.language.table import Table, listed, meanings
from state.language.tokens import Token, key_of, keys_of, masked, tokens, trimmed

SHORT = 3
"""Letters from which a word with a slip is put back, for a click."""
APART = 2
"""Words that may stand between those of a choice ("the speaker in the kitchen")."""
BACK = 4
"""Words over which a negation reaches a choice ("I don't want to sell")."""
SMALL = (
    "filler", "units", "polite", "articles", "stand_ins", "subjects", "choosing", "asides", "option_words",
)  # fmt: skip
"""Entries of a language whose words add nothing to a choice."""
SPACES = re.compile(r" {2,}")


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one choice of a message that says nothing else: by its words, by its place, or with a slip that leaves no doubt."""
    if _softeners(context.language).holds(_uncovered(field, text, context)):
        return None
    found = _every(field, text, context)
    if found:
        return _agreed(field, text, found, context)
    if not _numbered(field):
        place = position(text, len(field.choices), context.language)
        if place is not None:
            return field.choices[place - 1].value
    return _with_slip(field, text, context, LONG)


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one choice that a longer or softer message names ("probably the ISA one"), or that a lone word with a slip may mean."""
    if not is_short(text):
        return None
    clear = without_softeners(field, text, context)
    plain = whole(field, clear, context)
    if plain is not None:
        return plain
    language = context.language
    row = _uncovered(field, clear, context)
    if listed(language, "doubts", "hedges", "conditions", "no_idioms", "question_words").holds(row):
        return None
    found = _every(field, clear, context)
    if found:
        return found[0].data if len({r.data for r in found}) == 1 else None
    return (
        _with_slip(field, clear, context, SHORT)
        or _of_one_stem(field, row, context)
        or _by_one_word(field, row, context)
    )


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Choices that the text names and does not put aside; those with the field's name beside them first."""
    found = _every(field, text, context)
    return tuple(r for r in found if r.named or not (_numbered(field) and _may_be_article(text, r)))


def _every(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    row = tokens(masked(text), context.language)
    spans = list(_named(field, context.language).spans(row)) or list(_scattered(field, row, context.language))
    kept = [(a, b, v) for a, b, v in spans if _denial(row, a, context) is None and not _denied_behind(row, b, context)]
    told = [Candidate(v, row[a].start, row[b - 1].end, is_named(field, row, a, b, context)) for a, b, v in kept]
    if _numbered(field):
        return counted(field, text, told, context)
    return tuple(sorted(told, key=lambda r: not r.named))


def _scattered(field: Field, row: Sequence[Token], language: Language) -> Iterator[tuple[int, int, str]]:
    """Choices whose words stand near each other in one clause ("the speaker in the kitchen"), or beside the field's noun."""
    for choice in field.choices:
        wanted = keys_of(choice.label, language)
        for first in range(len(row)) if len(wanted) > 1 else ():
            after = _all_of(wanted, row, first)
            if after:
                yield first, after, choice.value
                break
    own, single = _words_of_one(field, language), keys_of(field.label, language)[-1:]
    for i, token in enumerate(row[:-1]):
        if token.key in own and row[i + 1].key in single and not row[i + 1].stop:
            yield i, i + 2, own[token.key]


def _all_of(wanted: Sequence[str], row: Sequence[Token], first: int) -> int:
    """The token after the last of all these words, where they begin here, in any order, with few others between; else 0."""
    left, i = set(wanted), first
    while i < len(row) and left and i - first < len(wanted) + APART and (i == first or not row[i].stop):
        if row[i].key not in left and i == first:
            return 0
        left.discard(row[i].key)
        i += 1
    return 0 if left else i


@lru_cache(maxsize=FIELDS)
def _words_of_one(field: Field, language: Language) -> Mapping[str, str]:
    """Words of labels that only one choice has, long enough to be nothing else."""
    found: dict[str, set[str]] = {}
    for choice in field.choices:
        for key in keys_of(choice.label, language):
            found.setdefault(key, set()).add(choice.value)
    small = listed(language, *SMALL, "articles", "breaks", "numbers").rows
    long = {k: v for k, v in found.items() if len(k) >= LONG and k not in small}
    return {k: min(v) for k, v in long.items() if len(v) == 1}


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
    if len({r.data for r in found}) > 1:
        return None
    if _numbered(field):
        start, end = min(r.start for r in found), max(r.end for r in found)
        repeated = len(found) > 1 and text[start:end].count(" ") > 1
        return None if repeated else one_answer(field, text, (Candidate(found[0].data, start, end),), context)
    return found[0].data if adds_nothing(field, _uncovered(field, text, context), context) else None


def adds_nothing(field: Field, row: Sequence[Token], context: Context) -> bool:
    """Whether the words around choices are the field's own or say nothing."""
    language = context.language
    small = listed(language, *SMALL)
    turning = listed(language, "rejected", "negators", "or_words")
    own = own_words(field, context) - listed(language, "hedges", "but_words").rows.keys()
    i = 0
    while i < len(row):
        hit, turned = small.at(row, i), turning.at(row, i)
        if (turned and (not hit or hit[0] <= turned[0])) or not (hit or row[i].key in own):
            return False
        i += hit[0] if hit else 1
    return True


def _uncovered(field: Field, text: str, context: Context) -> tuple[Token, ...]:
    """The words that name no choice and put none aside."""
    row = tokens(masked(text), context.language)
    covered: set[int] = set()
    for first, after, _ in _named(field, context.language).spans(row):
        denial = _denial(row, first, context)
        behind = _denied_behind(row, after, context)
        covered |= set(range(first if denial is None else denial, after + behind))
    return tuple(t for i, t in enumerate(row) if i not in covered)


def _denial(row: Sequence[Token], first: int, context: Context) -> int | None:
    """Where the negation begins that reaches the choice from its own clause; None where none does."""
    language = context.language
    ends = listed(language, "conjunctions", "or_words")
    lead = first - 1 if listed(language, "articles").ending(row, first) else first
    excepting = listed(language, "excepting").ending(row, lead)
    if excepting:
        return lead - excepting[0]
    rejecting = None if row[first].stop else listed(language, "rejected").ending(row, first)
    if rejecting:
        return first - rejecting[0]
    for i in range(first - 1, max(first - BACK - 1, -1), -1):
        if row[i + 1].stop or ends.at(row, i):
            return None
        if listed(language, "negators").at(row, i):
            return i
    return None


def _denied_behind(row: Sequence[Token], after: int, context: Context) -> int:
    """How many words right behind a choice deny it, at the end of its clause ("meat no, fish yes"); 0 where none do."""
    hit = None if after >= len(row) or row[after].stop else listed(context.language, "no").at(row, after)
    ends = hit is not None and (after + hit[0] == len(row) or row[after + hit[0]].stop > 0)
    return hit[0] if hit and ends else 0


def _softeners(language: Language) -> Table[str]:
    return listed(language, "softeners", "maybes", "leaning_yes")


def without_softeners(field: Field, text: str, context: Context) -> str:
    """The text without the words that only soften what they stand beside."""
    row = tokens(masked(text), context.language)
    around = {t.start for t in _uncovered(field, text, context)}
    for first, after, _ in _softeners(context.language).spans(row):
        if row[first].start in around:
            start, end = row[first].start, row[after - 1].end
            text = text[:start] + " " * (end - start) + text[end:]
    return SPACES.sub(" ", text).strip(" ,")


def _with_slip(field: Field, text: str, context: Context, shortest: int) -> Data | None:
    """The choice that one mistyped word of so many letters can mean, when no other choice is near."""
    language = context.language
    small = listed(language, *SMALL).rows.keys() | own_words(field, context)
    row = tokens(masked(text), language)
    said = [t for t in row if t.key not in small]
    if len(said) != 1 or len(said[0].key) < shortest:
        return None
    if not adds_nothing(field, [t for t in row if t is not said[0]], context):
        return None
    typed = said[0].key
    single = {key_of(w, language): v for w, v in _words(field, language).items() if len(w) >= shortest and " " not in w}
    near = {v for word, v in single.items() if is_slip(typed, word) and (len(word) >= LONG or is_like(typed, word))}
    return near.pop() if len(near) == 1 else None


def _of_one_stem(field: Field, row: Sequence[Token], context: Context) -> Data | None:
    """The choice of which a word of the message is another form ("vendería" for "vender")."""
    words = [(key_of(w, context.language), v) for w, v in _words(field, context.language).items() if " " not in w]
    small = listed(context.language, *SMALL).rows.keys() | own_words(field, context)
    typed = [t.key for t in row if t.key not in small]
    near = {value for key in typed for word, value in words if is_form(key, word)}
    return near.pop() if len(typed) == 1 and len(near) == 1 else None


def _by_one_word(field: Field, row: Sequence[Token], context: Context) -> Data | None:
    """The choice of whose label the message holds a word that no other has ("in my bedroom")."""
    own = _words_of_one(field, context.language)
    near = {own[t.key] for i, t in enumerate(row) if t.key in own and _denial(row, i, context) is None}
    return near.pop() if len(near) == 1 else None


KIND = Kind(
    name="choice", whole=if_plain(whole), leans=leans, find=find, parse=parse, show=show, schema=schema,
    fits=lambda field, value: field.choice(value) is not None, wanted="must be one of its choices",
    takes=frozenset({"choices"}), needs="choices", element="buttons", claims=True, leads_to_name=True, common_words=True,
    called=frozenset({
        "dropdown", "enum", "list", "menu", "option", "picklist", "radio", "select", "single", "singlechoice", "singleselect",
    }),
    lasting=True,
)  # fmt: skip
