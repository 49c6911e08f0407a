"""A place in a list, said alone: "1", "#2", "option 3", "the second one", "l'ultima"."""

import re

from state.fields.words.plain import is_short
from state.language.language import Language
from state.language.table import listed, numbered
from state.language.tokens import Token, masked, tokens

DIGITS = re.compile(r"[1-9][0-9]?")
LOOSE = re.compile(r"[+%£€$/@*=<>]|[0-9][.,:][0-9]|-\s?[0-9]")


def position(text: str, count: int, language: Language) -> int | None:
    """Which of `count` things a message names by its place, counted from 1; None where it says anything else."""
    if not is_short(text) or LOOSE.search(text):
        return None
    row = tokens(masked(text), language)
    found = _place(row, count, language)
    return found if found is not None and 1 <= found <= count else None


def _place(row: tuple[Token, ...], count: int, language: Language) -> int | None:
    filler = listed(language, "filler", "articles").rows
    lead = listed(language, "option_words").rows
    said = [t for t in row if t.key not in filler or t.key in language.numbers]
    core = [t for t in said if t.key not in lead] or [t for t in said if t.key in language.numbers]
    return _meaning(core[0], count, language) if len(core) == 1 else None


def _meaning(token: Token, count: int, language: Language) -> int | None:
    if DIGITS.fullmatch(token.key):
        return int(token.key)
    if listed(language, "last").at((token,), 0):
        return count
    both = numbered(language, "numbers", "ordinals").at((token,), 0)
    return both[1] if both else None
