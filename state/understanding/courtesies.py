"""Words before and after an order that are there for politeness alone."""

from collections.abc import Sequence

from state.language import Language
from state.language.table import Table, listed
from state.language.tokens import Token


def without_leads(row: Sequence[Token], leads: Table[str]) -> Sequence[Token]:
    """Without what stands before it."""
    while row and (lead := leads.at(row, 0)):
        row = row[lead[0] :]
    return row


def without_tails(row: Sequence[Token], tails: Table[str]) -> Sequence[Token]:
    """Without what stands after it."""
    while row and (tail := tails.ending(row, len(row))):
        row = row[: len(row) - tail[0]]
    return row


def bare(row: Sequence[Token], language: Language) -> Sequence[Token]:
    """Return the words without fillers at either end."""
    fillers = listed(language, "orders.fillers", "small", "polite")
    return without_tails(without_leads(row, fillers), fillers)
