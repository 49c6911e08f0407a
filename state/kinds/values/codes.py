"""ISO 4217: the codes of money that is tender today, by the locale data's territories."""

import re
from functools import cache

from babel.core import get_global

GLUED = re.compile(r"(?:^|[^A-Za-z])([A-Za-z]{3})$")
COMMON = frozenset(
    "EUR GBP USD CHF JPY CAD AUD NZD SEK NOK DKK PLN CZK HUF HKD SGD CNY INR ZAR BRL MXN ILS KRW THB AED".split()
)
"""Codes that are told from ordinary words even where no number stands beside them, or in small letters beside one."""


@cache
def current_codes() -> frozenset[str]:
    """Codes of money that some territory uses without an end date (CLDR's territory data)."""
    territories = get_global("territory_currencies").values()
    return frozenset(code for rows in territories for code, _, end, tender in rows if end is None and tender)


def is_code(word: str) -> bool:
    """Whether letters beside a number are a currency's code: any in capitals, a common one in small letters."""
    return word in current_codes() or word.upper() in COMMON


def glued_code_before(text: str, at: int) -> bool:
    """Whether the letters just before a place are a code by themselves ("GBP720")."""
    match = GLUED.search(text[max(at - 4, 0) : at])
    return match is not None and is_code(match.group(1))
