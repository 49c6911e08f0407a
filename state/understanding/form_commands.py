"""A form's own commands in words: whole utterances by the form's patterns, with slips of the keyboard and the courtesies around them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, product

from rapidfuzz.distance import OSA

from state.draft.draft import Draft
from state.fields.base import Context
from state.fields.values.marks import marks
from state.fields.words.disclosing import disclosures
from state.form import Form
from state.form.patterns import CHOICE, SLOT
from state.language import Language, language_of
from state.language.table import listed
from state.language.tokens import Token, keys_of, masked, tokens
from state.understanding.admissions import names_of
from state.understanding.courtesies import without_leads, without_tails

LONGEST = 120
"""Characters of the longest command."""
MOST_REST = 8
"""Words of the longest thing that a command may be about."""
SLIPPED, MOST_SLIPS = 4, 2
"""Letters of the shortest word that may have a slip, and words with one in a whole command."""
Keys = tuple[str, ...]


@dataclass
class Ways:
    """What may follow after some words of a command: further words, its end, or what it is about and the words behind that."""

    further: dict[str, "Ways"] = field(default_factory=dict)
    ends: str = ""
    """The command that is whole here."""
    slots: dict[Keys, list[tuple[str, str]]] = field(default_factory=dict)
    """Words behind the slot, to commands and the sort of their slot."""


@dataclass(frozen=True)
class Hit:
    """A pattern that fits: its command, the sort of its slot, where that stands among the words, how many words are its own, and slips."""

    name: str
    slot: str
    begin: int
    end: int
    words: int
    slips: int


def read_form_command(form: Form, text: str) -> tuple[str, str] | None:
    """The form's own command that the whole message gives, and what it is about: ("can_i_trade", "Tesco")."""
    if len(text) > LONGEST or not form.commands:
        return None
    language = language_of(form.language)
    polite = listed(language, "polite")
    row = without_tails(without_leads(tokens(masked(text), language), polite), polite)
    hits = sorted(_hits(row, commands_of(form)), key=lambda hit: (hit.slips, -hit.words, hit.slot == "rest"))
    said = (_said(form, hit, row, text) for hit in hits)
    found = next((one for one in said if one is not None), None)
    return None if found is not None and _discloses(form, text) else found


@lru_cache(maxsize=32)
def commands_of(form: Form) -> Ways:
    """Every pattern of a form's commands, word by word."""
    root, language = Ways(), language_of(form.language)
    for name, command in form.commands.items():
        for says in command.says:
            for keys in _spelt_out(says, language):
                _enter(root, name, keys)
    return root


def _spelt_out(says: str, language: Language) -> Iterator[Keys]:
    """A pattern with each of its choices, as the keys of its words; a slot stands for itself."""
    parts = CHOICE.split(says)
    options = [part.split("|") if n % 2 else (part,) for n, part in enumerate(parts)]
    keyed = [[_keys(option, language) for option in some] for some in options]
    return (tuple(chain.from_iterable(chosen)) for chosen in product(*keyed))


def _keys(text: str, language: Language) -> Keys:
    parts = SLOT.split(text)
    return tuple(
        key for n, part in enumerate(parts) for key in ((f"{{{part}}}",) if n % 2 else keys_of(part.strip(), language))
    )


def _enter(root: Ways, name: str, keys: Keys) -> None:
    at = root
    for n, key in enumerate(keys):
        if key.startswith("{"):
            at.slots.setdefault(keys[n + 1 :], []).append((name, key[1:-1]))
            return
        at = at.further.setdefault(key, Ways())
    at.ends = at.ends or name


def _hits(row: Sequence[Token], ways: Ways, begin: int = 0, slips: int = 0) -> Iterator[Hit]:
    """Every pattern that fits the row from this word on."""
    left = len(row) - begin
    if not left and ways.ends and (not slips or slips < begin):
        yield Hit(ways.ends, "", begin, begin, begin, slips)
    for after, commands in ways.slots.items() if left else ():
        end = len(row) - len(after)
        more = _slips(row[end:], after) if begin < end <= begin + MOST_REST else None
        if more is not None and slips + more <= MOST_SLIPS:
            words = begin + len(after)
            yield from (
                Hit(name, slot, begin, end, words, slips + more)
                for name, slot in commands
                if slips + more < words or not words
            )
    if left:
        said = row[begin].key
        for word, following in ways.further.items():
            slip = said != word
            if not slip or (slips < MOST_SLIPS and _slipped(said, word)):
                yield from _hits(row, following, begin + 1, slips + slip)


def _slips(said: Sequence[Token], words: Keys) -> int | None:
    """How many words have a slip; None where one is another word."""
    slips = 0
    for token, word in zip(said, words, strict=True):
        if token.key != word:
            if not _slipped(token.key, word):
                return None
            slips += 1
    return slips


def _slipped(said: str, word: str) -> bool:
    long_enough = min(len(said), len(word)) >= SLIPPED
    return long_enough and OSA.distance(said, word, score_cutoff=1) <= 1


def _said(form: Form, hit: Hit, row: Sequence[Token], text: str) -> tuple[str, str] | None:
    """What the command is about; nothing where that is no record's number, or tells an amount to be filed."""
    rest = text[row[hit.begin].start : row[hit.end - 1].end] if hit.slot else ""
    if hit.slot == "number":
        number = record_number(form, rest)
        return (hit.name, number) if number else None
    if hit.slot and form.commands[hit.name].plain and _tells_amount(form, rest):
        return None
    return hit.name, record_number(form, rest) or rest


def record_number(form: Form, text: str) -> str:
    """The record's number that a text is, as records are numbered; empty where it is none."""
    found = re.fullmatch(rf"{form.prefix}[-\s]?(\d{{4}})[-\s]?(\d{{1,6}})", text.strip(), re.IGNORECASE)
    return f"{form.prefix}-{found[1]}-{int(found[2]):06}" if found else ""


def _discloses(form: Form, text: str) -> bool:
    """Whether a worse answer is told beside it ("can I buy Tesco, my sister works there"): that is heard first, and never a question alone."""
    context, nobody = Context(form.language, ""), Draft("", form.name, "", "", "")
    names = names_of(nobody, context)
    return any(
        True for field in form.fields.values() if field.disclosure for _ in disclosures(field, text, context, names)
    )


def _tells_amount(form: Form, rest: str) -> bool:
    return rest[:1].isdigit() or bool(marks(rest, Context(form.language, "")))
