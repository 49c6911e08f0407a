"""Whole utterances by which people say that what was approved is done, or that it is not. Anything more is for a button."""

from typing import Literal

from state.language import Language
from state.language.table import listed
from state.language.tokens import asks, masked, tokens
from state.understanding.courtesies import bare

Told = Literal["done", "unused"]
UTTERANCES: tuple[tuple[Told, str], ...] = (("unused", "orders.undone"), ("done", "orders.done"))


def told_of(text: str, language: Language) -> Told | None:
    """Return what the whole message says of it, fillers aside; None for anything else."""
    row = bare(tokens(masked(text), language), language)
    hits = ((told, listed(language, entry).at(row, 0)) for told, entry in UTTERANCES)
    return next((told for told, hit in hits if hit and hit[0] == len(row) and not asks(text)), None)
