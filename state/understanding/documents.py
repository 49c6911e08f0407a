"""Values as documents print them: numbers, sums and days that can be read in one way, and the value on a line that names a field."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from babel.dates import get_month_names

from state.fields import kind_of
from state.fields.base import Context
from state.fields.money import CURRENCIES
from state.form.field import Data, Field
from state.language import LANGUAGES
from state.understanding.evidence import holds_quote

Mark = Literal[",", "."]
NUMBER = r"[0-9]{1,3}(?:[.,'’ ][0-9]{3})+(?:[.,][0-9]{1,6})?|[0-9]{1,12}(?:[.,][0-9]{1,6})?"
MONEY = re.compile(
    rf"(?:(?P<before>[A-Z]{{3}}|[£€$¥])\s?)?(?P<number>{NUMBER})(?:\s?(?P<behind>[A-Z]{{3}}|p|pence|[£€$¥]))?"
)
SIGNS = {"£": "GBP", "€": "EUR", "p": "GBX", "pence": "GBX"}
UNCLEAR = "?"
"""The currency of a sign that several countries use."""
PENCE = 100
CLOCK = r"(?:(?:,\s*|[ T])[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?(?: ?[A-Z]{1,4})?)?"
ISO = re.compile(rf"([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}}){CLOCK}")
FIGURES = re.compile(rf"([0-9]{{1,2}})([/.-])([0-9]{{1,2}})\2([0-9]{{4}}){CLOCK}")
DAY_FIRST = re.compile(
    rf"([0-9]{{1,2}})(?:st|nd|rd|th|\.|º|°)?[ -](?:de )?([^\W\d_]{{3,12}})\.?,?[ -](?:de )?([0-9]{{4}}){CLOCK}"
)
MONTH_FIRST = re.compile(rf"([^\W\d_]{{3,12}})\.? ([0-9]{{1,2}}),? ([0-9]{{4}}){CLOCK}")
MONTHS = 12


@dataclass(frozen=True)
class Sum:
    """An amount with its currency: empty where none is beside it, UNCLEAR where the sign names several."""

    amount: Decimal
    currency: str = ""


def decimal_marks(texts: Iterable[str]) -> frozenset[Mark]:
    """Return the signs before the decimals, as those numbers of a file show that can be read in one way."""
    found = (_shown(number[0]) for text in texts for number in re.finditer(NUMBER, text))
    return frozenset(mark for mark in found if mark is not None)


def _shown(number: str) -> Mark | None:
    signs = re.findall(r"[.,]", number)
    if not signs:
        return None
    last, behind = signs[-1], len(re.split(r"[.,]", number)[-1])
    decimals: Mark = "." if last == "." else ","
    thousands: Mark = "," if last == "." else "."
    if len(signs) > 1 and len(set(signs)) == 1:
        return thousands
    return decimals if len(signs) > 1 or behind != len("000") or "'" in number or "’" in number else None


def as_number(text: str, mark: Mark | None) -> Decimal | None:
    """Return a number alone. "1.000" counts only where the file shows elsewhere which sign comes before decimals."""
    if not re.fullmatch(NUMBER, text):
        return None
    own = _shown(text)
    if (re.search(r"[.,]", text) and (own or mark) is None) or (own and mark and own != mark):
        return None
    if own is None and mark is not None and mark in text:
        return None  # three decimals, or thousands after all
    whole, _, part = re.sub("['’ ]", "", text).partition(own or mark or ".")
    grouped = re.sub("[.,]", "", whole)
    return Decimal(f"{grouped}.{part or 0}")


def as_sum(text: str, mark: Mark | None) -> Sum | None:
    """Return an amount alone, with at most one currency; pence are pounds."""
    found = MONEY.fullmatch(text)
    amount = as_number(found["number"], mark) if found else None
    if found is None or amount is None:
        return None
    named = {_currency(one) for one in (found["before"], found["behind"]) if one}
    if not named or (len(named) == 1 and named <= CURRENCIES | {UNCLEAR}):
        return Sum(amount, next(iter(named), ""))
    return Sum(amount / PENCE, "GBP") if named == {"GBX"} else None


def _currency(written: str) -> str:
    return written if written.isalpha() and written.isupper() else SIGNS.get(written, UNCLEAR)


def has_money(text: str) -> bool:
    """Return True if an amount with a currency is somewhere in a text."""
    found = (
        {_currency(m["before"] or ""), _currency(m["behind"] or "")}
        for m in MONEY.finditer(text)
        if m["before"] or m["behind"]
    )
    return any(named & {*CURRENCIES, *SIGNS.values()} for named in found)


def as_day(text: str) -> str | None:
    """Return a day alone (ISO 8601), with or without the hour; "03/04/2026" may be two days, and is none."""
    if found := ISO.fullmatch(text):
        return _iso(*map(int, found.groups()))
    if found := FIGURES.fullmatch(text):
        one, sign, two, year = found.groups()
        if sign != "." and int(one) != int(two) and max(int(one), int(two)) <= MONTHS:
            return None
        turned = sign != "." and int(two) > MONTHS
        return _iso(int(year), int(one if turned else two), int(two if turned else one))
    if found := DAY_FIRST.fullmatch(text):
        return _iso(int(found[3]), _months().get(found[2].casefold(), 0), int(found[1]))
    if found := MONTH_FIRST.fullmatch(text):
        return _iso(int(found[3]), _months().get(found[1].casefold(), 0), int(found[2]))
    return None


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


@lru_cache(maxsize=1)
def _months() -> Mapping[str, int]:
    """Return the months' names in every language that forms are written in, short and long."""
    return {
        name.casefold().rstrip("."): number
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, language).items()
    }


def words_told(text: str, words: Iterable[str]) -> int:
    """Return how many of a form's words for a kind of document stand in its text; accents and curled marks aside, which OCR loses."""
    level = _without_accents(text)
    return sum(holds_quote(level, _without_accents(word)) for word in words)


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(c for c in parts if not unicodedata.combining(c))


LONGEST = 200
"""Characters of a quoted line."""
MARKS = re.compile(r"^[\s:.\-–—=|_]+|[\s|]+$")
Found = tuple[Data, str]
"""A value and the words that it rests on."""


def read_paper(field: Field, text: str, context: Context) -> Found | None:
    """Return the one value that the text gives for a field; None where it gives none, or several."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    found = list(_labelled(field, lines, context)) or list(_certain(field, lines, context))
    return found[0] if len({data for data, _ in found}) == 1 else None


def _labelled(field: Field, lines: list[str], context: Context) -> Iterator[Found]:
    for n, line in enumerate(lines):
        name = next((w for w in (field.label, *field.words) if holds_quote(line, w)), None)
        if name is None:
            continue
        rest = MARKS.sub("", line[line.casefold().find(name.casefold()) + len(name) :])
        quote = line if rest else " ".join(lines[n : n + 2])
        data = _value(field, rest or "".join(lines[n + 1 : n + 2]), context)
        if data is not None:
            yield data, quote[:LONGEST]


def _value(field: Field, rest: str, context: Context) -> Data | None:
    """Return what stands behind the name: text as it is, anything else where it can be read in one way."""
    kind = kind_of(field)
    if kind.verbatim:
        return rest[: field.max_length] or None
    whole = kind.whole(field, rest, context)
    found = {whole} if whole is not None else {reading.data for reading in kind.find(field, rest, context)}
    return found.pop() if len(found) == 1 else None


def _certain(field: Field, lines: list[str], context: Context) -> Iterator[Found]:
    """Yield codes with a check digit, which need no name beside them."""
    kind = kind_of(field)
    if kind.check_digit:
        for line in lines:
            for reading in kind.find(field, line, context):
                yield reading.data, line[:LONGEST]
