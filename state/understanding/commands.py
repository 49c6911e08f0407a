"""Commands in words: whole utterances only, so that "cancel my gym" cancels nothing."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from state.form import Form
from state.language import Language, language_of, understood
from state.language.table import Table, listed, meanings, phrases
from state.language.tokens import Token, keys_of, masked, tokens

LONGEST = 120
"""Characters of the longest command."""
MOST_REST = 8
"""Words of the longest thing that a form's own command may be about."""
SLOT = re.compile(r"\{[a-z_]+\}")


class SpokenCommand(StrEnum):
    """What a person may order in words, whatever the form."""

    CANCEL = "cancel"
    START_OVER = "restart"
    HELP = "help"
    MISSING = "missing"
    PERSON = "person"
    UNDO = "undo"
    SUBMIT = "submit"
    EXTEND = "extend"
    MY_REQUESTS = "my_requests"
    MY_DATA = "my_data"
    ERASE = "erase"


def read_command(text: str, locale: str) -> SpokenCommand | None:
    """The command that the whole message gives, courtesies aside; None for anything else."""
    if len(text) > LONGEST:
        return None
    language = language_of(locale)
    row = tokens(masked(text), language)
    return next((said for spoken in understood(language) if (said := _order(row, spoken, language))), None)


def read_form_command(form: Form, text: str) -> tuple[str, str] | None:
    """The form's own command that the whole message gives, and the words after it: ("can_i_trade", "Tesco")."""
    if len(text) > LONGEST:
        return None
    language = language_of(form.language)
    polite = listed(language, "polite")
    row = _without_tails(_without_leads(tokens(masked(text), language), polite), polite)
    patterns = [(name, says) for name, command in form.commands.items() for says in command.says]
    for name, says in sorted(patterns, key=lambda p: -len(SLOT.sub("", p[1]))):
        rest = _rest(row, says, text, language)
        if rest is not None:
            return name, rest
    return None


def _order(row: Sequence[Token], spoken: Language, language: Language) -> SpokenCommand | None:
    orders, leads, tails = _tables(spoken, language)
    return next(
        (hit[1] for part in _parts(row, leads, tails) if (hit := orders.at(part, 0)) and hit[0] == len(part)), None
    )


@cache
def _tables(spoken: Language, language: Language) -> tuple[Table[SpokenCommand], Table[str], Table[str]]:
    """Orders of one language, and the courtesies before and after them, split as in another."""
    words = spoken.commands
    orders = {phrase: SpokenCommand(name) for name, some in words.orders.items() for phrase in some}
    return meanings(orders, language), phrases(words.leads, language), phrases(words.tails, language)


def _parts(row: Sequence[Token], leads: Table[str], tails: Table[str]) -> Iterator[Sequence[Token]]:
    """The row as it is, then without the courtesies before it, then without those after it too."""
    yield row
    led = _without_leads(row, leads)
    yield led
    yield _without_tails(led, tails)


def _without_leads(row: Sequence[Token], leads: Table[str]) -> Sequence[Token]:
    while row and (lead := leads.at(row, 0)):
        row = row[lead[0] :]
    return row


def _without_tails(row: Sequence[Token], tails: Table[str]) -> Sequence[Token]:
    while row and (tail := tails.ending(row, len(row))):
        row = row[: len(row) - tail[0]]
    return row


def _rest(row: Sequence[Token], says: str, text: str, language: Language) -> str | None:
    """What stands in the pattern's slot; the empty string where it has none; None where the message does not fit."""
    before, *after = _around(says, language)
    keys = tuple(t.key for t in row)
    if not after:
        return "" if keys == before else None
    tail = after[0]
    inner = row[len(before) : len(row) - len(tail)]
    fits = keys[: len(before)] == before and keys[len(row) - len(tail) :] == tail
    if not fits or len(before) + len(tail) >= len(row) or len(inner) > MOST_REST:
        return None
    return text[inner[0].start : inner[-1].end]


@lru_cache(maxsize=256)
def _around(says: str, language: Language) -> tuple[tuple[str, ...], ...]:
    """The words of a pattern before its slot, and those after it, if it has one."""
    return tuple(keys_of(part, language) for part in SLOT.split(says, maxsplit=1))
