"""One cell of an uploaded list: its canonical form, or the sentence that says what is wrong with it."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date

from state.fields.values.schemes import SCHEMES, identifiers
from state.form.schema import ListColumn
from state.language.tokens import masked

Knows = Callable[[str, str], bool]
"""Returns True if a look-up (by its name) finds what is written."""

ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]00:00(?::00(?:\.0+)?)?)?", re.ASCII)
DAY_FIRST = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?: 00:00(?::00)?)?", re.ASCII)
EITHER = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?: 00:00(?::00)?)?", re.ASCII)
"""A day that says by its order alone which number is the month."""
GROUPED = re.compile(r"[-+]?\d{1,3}(?:([.,' \u00a0\u202f\u2019])\d{3})(?:\1\d{3})*", re.ASCII)
WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
DIGITS = 15
"""What a number has at most: a spreadsheet keeps no more of it."""
ZEROS = re.compile(r"[.,]0{1,2}$")
"""Behind a whole number: "30,00" as a spreadsheet shows money."""
COMPUTED = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet would work out instead of showing it."""
DECEMBER = 12


class Wrong(Exception):
    """The cell cannot be taken; `key` names the sentence that says why, `args` what that speaks of."""

    def __init__(self, key: str, **args: str) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


def read_cell(column: ListColumn, written: str, knows: Knows) -> str:
    """Return the cell in its canonical form; an empty one is "". Raises Wrong."""
    text = " ".join(written.split())
    if hidden(text):
        raise Wrong("list_hidden")
    if not text:
        if column.required:
            raise Wrong("list_empty_cell")
        return ""
    if text.casefold() in (word.casefold() for word in column.besides):
        return text.casefold()
    value = READERS[column.kind](column, text)
    if column.lookup and not _known(knows, column.lookup, value):
        raise Wrong("list_unknown", value=value)
    return value


def _known(knows: Knows, lookup: str, value: str) -> bool:
    try:
        return knows(lookup, value)
    except Exception:
        return False


def hidden(text: str) -> bool:
    """Return True for a text with characters that nobody sees: controls, direction marks, marks of an encoding."""
    return any(unicodedata.category(letter).startswith("C") for letter in text)


def _text(column: ListColumn, text: str) -> str:
    if unicodedata.normalize("NFKC", text).startswith(COMPUTED):
        raise Wrong("list_computed", value=text[:40])
    if len(text) > column.max_length:
        raise Wrong("list_too_long", most=str(column.max_length))
    return text


def _identifier(column: ListColumn, text: str) -> str:
    schemes = (column.scheme,) if column.scheme else tuple(SCHEMES)
    compact = re.sub(r"\s", "", text)
    found = next((f for f in identifiers(masked(compact), schemes) if (f.start, f.end) == (0, len(compact))), None)
    if found is None:
        raise Wrong("list_bad_identifier", value=text[:40], scheme=column.scheme.upper())
    return found.code


def _choice(column: ListColumn, text: str) -> str:
    same = {_plain(choice): choice for choice in column.choices}
    if _plain(text) not in same:
        raise Wrong("list_bad_choice", value=text[:40], choices=", ".join(column.choices))
    return same[_plain(text)]


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.casefold())


def _number(column: ListColumn, text: str) -> str:
    """Return a whole number, with the thousands of any of the languages."""
    short = ZEROS.sub("", text)
    if GROUPED.fullmatch(short):
        short = re.sub(r"[^\d+-]", "", short)
    if not WHOLE.fullmatch(short):
        raise Wrong("list_bad_number", value=text[:40])
    if len(short) > DIGITS:
        raise Wrong("list_long_number", value=text[:40])
    number = int(short)
    low, high = column.minimum, column.maximum
    if (low is not None and number < low) or (high is not None and number > high):
        raise Wrong(
            "list_out_of_range", value=str(number), least=str(low or 0), most="–" if high is None else str(high)
        )
    return str(number)


def _date(_column: ListColumn, text: str) -> str:
    if found := ISO.fullmatch(text):
        return _day(text, found[1], found[2], found[3])
    if found := DAY_FIRST.fullmatch(text):
        return _day(text, found[3], found[2], found[1])
    if found := EITHER.fullmatch(text):
        return _either(text, int(found[1]), int(found[2]), found[3])
    raise Wrong("list_bad_date", value=text[:40])


def _either(text: str, one: int, other: int, year: str) -> str:
    """Return the one day that both orders come to, or that one of them does."""
    if one != other and one <= DECEMBER and other <= DECEMBER:
        raise Wrong("list_either_date", value=text[:40])
    month, day = (one, other) if one <= DECEMBER < other else (other, one)
    return _day(text, year, str(month), str(day))


def _day(text: str, year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise Wrong("list_bad_date", value=text[:40]) from None


READERS: Mapping[str, Callable[[ListColumn, str], str]] = {
    "text": _text,
    "identifier": _identifier,
    "choice": _choice,
    "number": _number,
    "date": _date,
}
