"""Read a CSV file as a spreadsheet wrote it, and each cell into its canonical form or the key of the sentence that says what is wrong."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from state.fields.values.schemes import SCHEMES, identifiers
from state.form.schema import ListColumn
from state.language.tokens import masked

MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
"""How a file begins that says its encoding."""
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How Excel's own files begin."""
PARTED = (",", ";", "\t", "|")
MOST, LONGEST = 2 * 1024 * 1024, 10_000
"""Bytes and lines of a file."""

Trouble = Literal["workbook", "large", "no_text", "empty", "long"]


class NoTable(Exception):
    """The file is no table that can be read; `why` names the sentence that says so, `line` counts from 1 (0: the file as a whole)."""

    def __init__(self, why: Trouble, line: int = 0) -> None:
        super().__init__(why)
        self.why, self.line = why, line


@dataclass(frozen=True)
class Sheet:
    """Cells without the blanks around them: the heading, and each further line with its number in the file (from 1)."""

    heading: tuple[str, ...]
    lines: tuple[tuple[int, tuple[str, ...]], ...]


def read_sheet(content: bytes, fits: Callable[[tuple[str, ...]], int]) -> Sheet:
    """Read a file. `fits` says how many of a heading's cells are known: what parts the cells is what fits best. Raises NoTable."""
    if content.startswith(WORKBOOKS):
        raise NoTable("workbook")
    if len(content) > MOST:
        raise NoTable("large")
    text, said = _without_hint(_text(content))
    parted = said or max(_candidates(text), key=lambda mark: fits(next(iter(_rows(text, mark, most=1)), (0, ()))[1]))
    rows = _rows(text, parted)
    if not rows:
        raise NoTable("empty")
    if len(rows) > LONGEST:
        raise NoTable("long")
    return Sheet(rows[0][1], tuple(rows[1:]))


def _text(content: bytes) -> str:
    """Return the text: as its mark says, as UTF-8, or as Windows writes it west of the Oder. Raises NoTable."""
    marked = next((name for mark, name in MARKS if content.startswith(mark)), "")
    # where part of it is UTF-8, nothing else reads it rightly
    windows = not marked and content.decode("utf-8", "ignore").isascii()
    for encoding in (marked or "utf-8", *(["cp1252"] if windows else [])):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
        else:
            if "\0" in text.partition("\n")[0]:
                raise NoTable("no_text")
            return text
    raise NoTable("no_text", line)


def _without_hint(text: str) -> tuple[str, str]:
    """Excel may say in a line above the heading what parts the cells: "sep=;"."""
    first, newline, rest = text.partition("\n")
    hint = first.strip().strip('"').lower()
    if newline and hint.startswith("sep=") and len(hint) == len("sep=") + 1:
        return newline + rest, hint[-1]
    return text, ""


def _candidates(text: str) -> list[str]:
    """Return what may part the cells: what csv makes of the first lines first."""
    try:
        sniffed = [csv.Sniffer().sniff(text[:4096], "".join(PARTED)).delimiter]
    except csv.Error:
        sniffed = []
    return [*sniffed, *(mark for mark in PARTED if mark not in sniffed)]


def _rows(text: str, parted: str, most: int = LONGEST + 2) -> list[tuple[int, tuple[str, ...]]]:
    """Return lines that are not empty, with their numbers. Above the heading, `#` begins a comment. Raises NoTable."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=parted)
    found: list[tuple[int, tuple[str, ...]]] = []
    begins = 1
    try:
        for cells in reader:
            row, at, begins = tuple(cell.strip() for cell in cells), begins, reader.line_num + 1
            if any(row) and (found or not row[0].startswith("#")):
                found.append((at, row))
            if len(found) == most:
                break
    except csv.Error as error:
        raise NoTable("no_text", begins) from error
    return found


Knows = Callable[[str, str], bool]
"""Returns True if a look-up (by its name) finds what is written."""

ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]00:00(?::00(?:\.0+)?)?)?", re.ASCII)
DAY_FIRST = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?: 00:00(?::00)?)?", re.ASCII)
EITHER = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?: 00:00(?::00)?)?", re.ASCII)
"""A day that says by its order alone which number is the month."""
GROUPED = re.compile(r"[-+]?\d{1,3}(?:([.,' \u00a0\u202f\u2019])\d{3})(?:\1\d{3})*", re.ASCII)
WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
DIGITS = 15
"""The most that a number has: a spreadsheet keeps no more of it."""
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
    if column.lookup:
        try:
            known = knows(column.lookup, value)
        except Exception:
            known = False
        if not known:
            raise Wrong("list_unknown", value=value)
    return value


def hidden(text: str) -> bool:
    """Return True for a text with characters that nobody sees: controls, direction marks, marks of an encoding."""
    return any(unicodedata.category(letter).startswith("C") for letter in text)


def _words(column: ListColumn, text: str) -> str:
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
        one, other = int(found[1]), int(found[2])
        if one != other and one <= DECEMBER and other <= DECEMBER:
            raise Wrong("list_either_date", value=text[:40])
        month, day = (one, other) if one <= DECEMBER < other else (other, one)
        return _day(text, found[3], str(month), str(day))
    raise Wrong("list_bad_date", value=text[:40])


def _day(text: str, year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise Wrong("list_bad_date", value=text[:40]) from None


READERS: Mapping[str, Callable[[ListColumn, str], str]] = {
    "text": _words,
    "identifier": _identifier,
    "choice": _choice,
    "number": _number,
    "date": _date,
}
