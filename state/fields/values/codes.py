"""Signs of money and ISO 4217's codes of money that is tender today (CLDR's territory data)."""

import re
from collections.abc import Mapping
from functools import cache

from babel.core import get_global

SIGNS: Mapping[str, str] = {
    "£": "GBP", "€": "EUR", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "₴": "UAH", "₪": "ILS", "฿": "THB", "zł": "PLN",
    "us$": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "nz$": "NZD", "hk$": "HKD", "s$": "SGD", "r$": "BRL",
    "$": "", "¥": "", "kr": "",
}  # fmt: skip
"""A sign that several countries use stands for no code."""
SIGN = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
COMMON = frozenset((
    "AED", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "INR", "JPY", "KRW", "MXN",
    "NOK", "NZD", "PLN", "SEK", "SGD", "THB", "USD", "ZAR",
))  # fmt: skip
"""Codes that are told from ordinary words even where no number stands beside them, or in small letters beside one."""
EVERYDAY = frozenset(("ALL", "BOB", "COP", "CUP", "GEL", "MAD", "MOP", "PEN", "RON", "SOS", "TOP", "TRY"))
"""Codes that people write in capitals for other reasons; in a sentence they count only where they touch a number."""


@cache
def current_codes() -> frozenset[str]:
    """Return the codes that some territory uses without an end date."""
    territories = get_global("territory_currencies").values()
    return frozenset(code for rows in territories for code, _, end, tender in rows if end is None and tender)


def code_of(word: str) -> str:
    """Return the code that a word alone is, in any case; a word of every day must be in capitals. Empty where it is none."""
    code = word.upper()
    return code if code in current_codes() and (code not in EVERYDAY or word == code) else ""


def is_mark(word: str) -> bool:
    """Return True for a sign of money, a code in capitals, a common one in small letters, or "%"."""
    return word == "%" or word.lower() in SIGNS or word in current_codes() or word.upper() in COMMON
