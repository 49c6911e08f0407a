"""Commands in words: whole utterances only, so that "cancel my gym" cancels nothing."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache

from state.language import Language, language_of, understood
from state.language.table import Table, meanings, phrases
from state.language.tokens import Token, masked, tokens
from state.understanding.courtesies import without_leads, without_tails

LONGEST = 120
"""Characters of the longest command."""


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
    """Return the command that the whole message gives, courtesies aside; None for anything else."""
    if len(text) > LONGEST:
        return None
    language = language_of(locale)
    row = tokens(masked(text), language)
    return next((said for spoken in understood(language) if (said := _order(row, spoken, language))), None)


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
    return meanings(orders, language), phrases(words.leads, language), phrases(spoken.polite, language)


def _parts(row: Sequence[Token], leads: Table[str], tails: Table[str]) -> Iterator[Sequence[Token]]:
    """Yield the row as it is, then without the courtesies before it, then without those after it too."""
    yield row
    led = without_leads(row, leads)
    yield led
    yield without_tails(led, tails)
