"""A CSV file as a spreadsheet wrote it, whatever its language: the encoding, what parts the cells, and the heading."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

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
    parted = said or max(_candidates(text), key=lambda mark: fits(_heading(text, mark)))
    rows = _rows(text, parted)
    if not rows:
        raise NoTable("empty")
    if len(rows) > LONGEST:
        raise NoTable("long")
    return Sheet(rows[0][1], tuple(rows[1:]))


def _text(content: bytes) -> str:
    """Return the text: as its mark says, as UTF-8, or as Windows writes it west of the Oder. Raises NoTable."""
    marked = next((name for mark, name in MARKS if content.startswith(mark)), "")
    try:
        text = content.decode(marked or "utf-8")
    except UnicodeDecodeError as error:
        if (
            marked or not content.decode("utf-8", "ignore").isascii()
        ):  # part of it is UTF-8, so that nothing else reads it rightly
            raise NoTable("no_text", content[: error.start].count(b"\n") + 1) from None
        text = _of_windows(content)
    if "\0" in text.partition("\n")[0]:
        raise NoTable("no_text")
    return text


def _of_windows(content: bytes) -> str:
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise NoTable("no_text", content[: error.start].count(b"\n") + 1) from None


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


def _heading(text: str, parted: str) -> tuple[str, ...]:
    rows = _rows(text, parted, most=1)
    return rows[0][1] if rows else ()


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
