"""Marks of money in a text: symbols, ISO codes and names. A mark that several countries use stands for no currency."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from babel.numbers import get_currency_name, get_currency_symbol

from state.fields.base import RECENT, Context
from state.fields.values.codes import COMMON, EVERYDAY, current_codes
from state.fields.values.issuers import currency_beside
from state.language.table import Table, meanings
from state.language.tokens import tokens

SYMBOLS = {
    "£": "GBP", "€": "EUR", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "₴": "UAH", "₪": "ILS", "฿": "THB", "zł": "PLN",
    "us$": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "nz$": "NZD", "hk$": "HKD", "s$": "SGD", "r$": "BRL",
    "$": "", "¥": "", "kr": "",
}  # fmt: skip
MARK = re.compile(r"(?<![^\W\d_])(?:US|AU|CA|NZ|HK|[ACSR])?\$|[£€₹₩₺₽₴₪฿¥]|(?<![^\W\d_])(?:zł|kr)(?!\w)", re.IGNORECASE)
CODE = re.compile(r"(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class Mark:
    """`code` is empty where the mark leaves the country open ("$"). `weak`: without a number beside it, it is no mark."""

    code: str
    start: int
    end: int
    weak: bool = False
    told: int = 0
    """Where the words end that say whose money it is ("dollars, US"); 0 where there are none."""


@lru_cache(maxsize=RECENT)
def marks(text: str, context: Context) -> tuple[Mark, ...]:
    """Every mark of money, in order."""
    found = (*_symbols(text), *_codes(text), *_names(text, context))
    issued = (_issued(m, text, context) for m in found)
    return tuple(sorted(issued, key=lambda m: (m.start, -m.end)))


TRADED = ("USD", "JPY", "CNY", "AUD", "CAD", "HKD", "SGD", "SEK", "NOK", "NZD", "INR", "MXN", "DKK")
"""Currencies whose marks others use too, the most traded first (BIS, Triennial Central Bank Survey 2022)."""


def likeliest(mark: str, usual: str, context: Context) -> str:
    """The currency that a mark which leaves the country open ("$", "dollars", "kr") stands for: the usual one where it may be that."""
    known = (code for code in (usual, *TRADED, *sorted(COMMON)) if _may_be(mark, code, context))
    return next(known, TRADED[0])


def _may_be(mark: str, code: str, context: Context) -> bool:
    """Whether the currency's symbol or name holds the mark."""
    names = (get_currency_name(code, n, locale=context.babel) for n in (1, 2))
    told = (str(get_currency_symbol(code, locale=context.babel)), *map(str, names))
    return any(mark.casefold() in one.casefold() for one in told)


def _issued(mark: Mark, text: str, context: Context) -> Mark:
    """A mark with the country that stands beside it: one of several countries' is that one's then."""
    beside = None if mark.weak else currency_beside(text, mark.end, context)
    return replace(mark, code=beside[0], told=beside[1]) if beside and mark.code in ("", beside[0]) else mark


def _symbols(text: str) -> Iterator[Mark]:
    for m in MARK.finditer(text):
        yield Mark(SYMBOLS.get(m.group().lower(), ""), m.start(), m.end())


def _codes(text: str) -> Iterator[Mark]:
    for m in CODE.finditer(text):
        word = m.group()
        if word in EVERYDAY and not _touches_digit(text, m.start(), m.end()):
            continue
        if word in current_codes():
            yield Mark(word, m.start(), m.end(), weak=word not in COMMON)
        elif word.upper() in COMMON:
            yield Mark(word.upper(), m.start(), m.end(), weak=True)


def _touches_digit(text: str, start: int, end: int) -> bool:
    return text[max(start - 1, 0) : start].isdigit() or text[end : end + 1].isdigit()


@lru_cache(maxsize=32)
def _named(locale: str) -> Table[str]:
    """Names of currencies: the locale data's, in one and in many, and what people say."""
    context = Context(locale, "")
    known = {str(get_currency_name(code, n, locale=context.babel)): code for code in sorted(COMMON) for n in (1, 2)}
    return meanings({**known, **context.language.currencies}, context.language)


def _names(text: str, context: Context) -> Iterator[Mark]:
    row = tokens(text, context.language)
    for first, after, code in _named(context.locale).spans(row):
        yield Mark(code, row[first].start, row[after - 1].end)
