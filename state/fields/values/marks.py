"""Marks of money in a text: signs, ISO 4217 codes and CLDR's names. A mark that several countries use means no currency."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from babel.core import get_global
from babel.numbers import get_currency_name, get_currency_symbol
from babel.units import format_unit

from state.fields.base import RECENT, Context
from state.language import LANGUAGES
from state.language.table import Table, meanings, phrases
from state.language.tokens import tokens

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


MARK = re.compile(rf"(?:(?<![^\W\d_])|(?<=[0-9]k))(?:{SIGN})(?![^\W\d_])", re.IGNORECASE)
FIGURE, NEAR = re.compile(r"[0-9][0-9.,]*"), 24
CODE = re.compile(r"(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z])")
TRADED = ("USD", "JPY", "CNY", "AUD", "CAD", "HKD", "SGD", "SEK", "NOK", "NZD", "INR", "MXN", "DKK")
"""Currencies whose marks others use too, the most traded first (BIS, Triennial Central Bank Survey 2022)."""


@dataclass(frozen=True, slots=True)
class Mark:
    """`code` is empty where the mark leaves the country open ("$"), and "%" of a percentage. `weak`: without a number beside it, it is no mark."""

    code: str
    start: int
    end: int
    weak: bool = False
    said: str = ""


@lru_cache(maxsize=RECENT)
def marks(text: str, context: Context) -> tuple[Mark, ...]:
    """Return every mark of money, in order; a name holds the marks within it ("US dollars")."""
    names = tuple(_names(text, context))
    others = (m for m in (*_signs(text), *_codes(text)) if not any(n.start <= m.start < n.end for n in names))
    return tuple(sorted((*names, *others), key=lambda m: m.start))


def is_priced(text: str, start: int, context: Context) -> bool:
    """Return True if the figure that begins here has a sign of money before it, or a mark of money behind it that is no other figure's."""
    figure = FIGURE.match(text, start)
    rest = text[figure.end() :][:NEAR] if figure else ""
    behind = next((m for m in marks(rest, context) if not rest[: m.start].strip()), None)
    priced = behind is not None and not rest[behind.end :].lstrip()[:1].isdigit()
    return figure is not None and (priced or text[max(start - 4, 0) : start].rstrip().endswith(tuple(SIGNS)))


def likeliest(mark: str, usual: str, context: Context) -> str:
    """Return the currency that a mark which leaves the country open ("$", "kr") stands for: the usual one where it may be that."""
    known = (code for code in (usual, *TRADED, *sorted(COMMON)) if may_be(mark, code, context))
    nickname = next(
        (one.nicknames[mark.casefold()] for one in LANGUAGES.values() if mark.casefold() in one.nicknames), ""
    )
    return next(known, nickname or usual or TRADED[0])


def may_be(mark: str, code: str, context: Context) -> bool:
    """Return True if the currency's sign or name holds the mark."""
    names = (get_currency_name(code, n, locale=context.babel) for n in (1, 2))
    told = (str(get_currency_symbol(code, locale=context.babel)), *map(str, names))
    return any(mark.casefold() in one.casefold() for one in told)


def _signs(text: str) -> Iterator[Mark]:
    for m in MARK.finditer(text):
        yield Mark(SIGNS.get(m.group().lower(), ""), m.start(), m.end(), said=m.group())


def _codes(text: str) -> Iterator[Mark]:
    for m in CODE.finditer(text):
        word = m.group()
        if word in EVERYDAY and not touches_digit(text, m.start(), m.end()):
            continue
        if word in current_codes():
            yield Mark(word, m.start(), m.end(), weak=word not in COMMON)
        elif word.upper() in COMMON:
            yield Mark(word.upper(), m.start(), m.end(), weak=True)


def touches_digit(text: str, start: int, end: int) -> bool:
    """Return True if a digit stands right before or right behind this place of the text."""
    return text[max(start - 1, 0) : start].isdigit() or text[end : end + 1].isdigit()


@lru_cache(maxsize=32)
def _named(locale: str) -> Table[str]:
    """CLDR's names of currencies, in one and in many, and what else people say: in any language, since no other word is one of these."""
    context = Context(locale, "")
    known = {str(get_currency_name(code, n, locale=context.babel)): code for code in sorted(COMMON) for n in (1, 2)}
    said = {word: code for one in (*LANGUAGES.values(), context.language) for word, code in one.currencies.items()}
    return meanings({**known, **said}, context.language)


def _names(text: str, context: Context) -> Iterator[Mark]:
    row = tokens(text, context.language)
    for first, after, code in _named(context.locale).spans(row):
        said = text[row[first].start : row[after - 1].end]
        note = any(said.casefold() in one.scales for one in LANGUAGES.values())
        yield Mark(code, row[first].start, row[after - 1].end, weak=note, said=said)


def percents(text: str, context: Context) -> tuple[Mark, ...]:
    """Return every "%" and word for it, in order."""
    row = tokens(text, context.language)
    words = (Mark("%", row[a].start, row[b - 1].end) for a, b, _ in _percent(context.locale).spans(row))
    return tuple(
        sorted((*words, *(Mark("%", i, i + 1) for i, c in enumerate(text) if c == "%")), key=lambda m: m.start)
    )


@lru_cache(maxsize=32)
def _percent(locale: str) -> Table[str]:
    """CLDR's word for percent, as one word or two, and what else people say."""
    context = Context(locale, "")
    said = format_unit(1, "concentr-percent", locale=context.babel).lstrip("1 \u00a0")
    return phrases((said, said.replace(" ", ""), *context.language.percent), context.language)
