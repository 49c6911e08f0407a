"""The table of managers, reference/managers.csv: who decides in the role `manager` on whose requests, and who in their place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from state.form.files import Files
from state.form.source import FormError, Problem

MANAGER = "manager"
"""The role that the table speaks of, in every form."""
MANAGERS, COLUMNS = "managers", ("person", "manager", "deputy")
USER = re.compile(r"([TE][A-Z0-9]+:)?[UW][A-Z0-9]+")


@dataclass(frozen=True)
class Manager:
    """Slack user ids as they are written; `deputy` may be empty."""

    manager: str
    deputy: str = ""


def taken_managers(var: Path) -> Path:
    """Return where the table is kept that counts."""
    return var / "reference" / ".taken" / f"{MANAGERS}.csv"


def read_managers(path: Path) -> Mapping[str, Manager]:
    """Return the table by person. Raises FormError at the first line that cannot be used."""
    found: dict[str, Manager] = {}
    for row in Files((path.parent,)).table(path.name, COLUMNS):
        for column in COLUMNS:
            if not USER.fullmatch(row[column]) and (row[column] or column != "deputy"):
                raise row.wrong(f'"{row[column]}" is no Slack user id, like U0123ABCD. Correct the {column}.')
        if row["person"] in found:
            raise row.wrong(f"{row['person']} has two rows. Keep one.")
        found[row["person"]] = Manager(row["manager"], row["deputy"])
    if not found:
        raise FormError([Problem(path, 1, "The table has no row. Fill it in, or take the file away.")])
    return found
