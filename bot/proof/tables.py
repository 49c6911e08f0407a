"""Dossiers as tables: a row a record, a row an answer, a row a verdict. No cell is one that a spreadsheet would run."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from bot.proof.dossier import Json
from state.stores.cells import harmless

RECORD = ("number", "form", "about", "state", "valid_until", "filed_at", "owner", "tenant", "hash", "erased")
ANSWER = (
    "number", "field", "label", "shown", "value", "label_then", "sure", "grade", "locked", "who", "at", "how", "message", "words", "reader",
)  # fmt: skip
VERDICT = (
    "number", "at", "verdict", "who", "role", "deputy_of", "state", "to", "reason", "conditions", "note", "void",
)  # fmt: skip
TABLES: Mapping[str, Sequence[str]] = {"records.csv": RECORD, "answers.csv": ANSWER, "decisions.csv": VERDICT}
"""File to its columns."""


def rows(name: str, dossier: Json) -> Iterator[Sequence[str]]:
    """What a record adds to a table."""
    parts = {
        "records.csv": [dossier["record"]],
        "answers.csv": dossier["answers"],
        "decisions.csv": dossier["decisions"],
    }
    for part in parts[name]:
        told = {"number": dossier["record"]["number"], **part}
        yield [harmless(told.get(column, "")) for column in TABLES[name]]


def csv_lines(lines: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """Rows as CSV (RFC 4180), as they are."""
    out = StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return out.getvalue()
