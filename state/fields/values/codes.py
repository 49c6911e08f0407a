"""ISO 4217: the codes of money that is tender today, by the locale data's territories."""

import re
from functools import cache

from babel.core import get_global

GLUED = re.compile(r"(?:^|[^A-Za-z])([A-Za-z]{3})$")
COMMON = frozenset((
    "AED", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "INR", "JPY", "KRW", "MXN",
    "NOK", "NZD", "PLN", "SEK", "SGD", "THB", "USD", "ZAR",
))  # fmt: skip
"""Codes that are told from ordinary words even where no number stands beside them, or in small letters beside one."""
EVERYDAY = frozenset(("ALL", "BOB", "COP", "CUP", "GEL", "MAD", "MOP", "PEN", "RON", "SOS", "TOP", "TRY"))
"""Codes that people write in capitals for other reasons; in a sentence they count only where they touch a number."""


@cache
def current_codes() -> frozenset[str]:
    """Codes of money that some territory uses without an end date (CLDR's territory data)."""
    territories = get_global("territory_currencies").values()
    return frozenset(code for rows in territories for code, _, end, tender in rows if end is None and tender)


def code_of(word: str) -> str:
    """The code that a word alone is, in any case; a word of every day must be in capitals. Empty where it is none."""
    code = word.upper()
    return code if code in current_codes() and (code not in EVERYDAY or word == code) else ""


def is_code(word: str) -> bool:
    """Whether letters beside a number are a currency's code: any in capitals, a common one in small letters."""
    return word in current_codes() or word.upper() in COMMON


def glued_code_before(text: str, at: int) -> bool:
    """Whether the letters just before a place are a code by themselves ("GBP720")."""
    match = GLUED.search(text[max(at - 4, 0) : at])
    return match is not None and is_code(match.group(1))
