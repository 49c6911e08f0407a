"""A place in a list, said alone: "1", "option 3", "the second one", "l'ultima"."""

import re

from state.fields.base import is_short
from state.fields.values.numerals import spoken
from state.language.language import Language
from state.language.table import listed, numbered
from state.language.tokens import masked, tokens

DIGITS = re.compile(r"([1-9][0-9]?)(?:st|nd|rd|th)?")
LOOSE = re.compile(r"[+%£€$/@*=<>]|[0-9][.,:][0-9]|-\s?[0-9]")


def position(text: str, count: int, language: Language) -> int | None:
    """Return which of `count` things a message names by its place, counted from 1; None where it says anything else."""
    if not is_short(text) or LOOSE.search(text):
        return None
    found = _place(text, count, language)
    return found if found is not None and 1 <= found <= count else None


def _place(text: str, count: int, language: Language) -> int | None:
    row = tokens(masked(text), language)
    named = {i: n[1] for i, t in enumerate(row) if (n := numbered(language, "numbers").at((t,), 0))}
    named |= {s.first: int(s.value) for s in spoken(text, language) if s.after - s.first == 1}
    for i, token in enumerate(row):
        digits = DIGITS.fullmatch(token.key)
        named |= {i: int(digits[1])} if digits else {i: count} if token.key in listed(language, "last").rows else {}
    small, lead = listed(language, "small", "polite", "yes").rows, listed(language, "option_words").rows
    said = [i for i, t in enumerate(row) if t.key not in small or i in named]
    core = [i for i in said if row[i].key not in lead] or [i for i in said if i in named]
    return named.get(core[0]) if len(core) == 1 else None
