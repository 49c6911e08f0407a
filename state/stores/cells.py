"""Cells of a table that a spreadsheet opens: text, never a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Beginnings of cells that a spreadsheet would run (OWASP, CSV injection)."""


def harmless(cell: Any) -> str:
    """Return a cell that no spreadsheet takes for a formula: one that starts like one is quoted with an apostrophe."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) or text.startswith(FORMULA) else text


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table as CSV (RFC 4180), every cell harmless."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([harmless(cell) for cell in row] for row in (columns, *rows))
    return out.getvalue()
