"""Versions of a list: which one is in force, and by which name a result says where it comes from."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

Row = Mapping[str, str]
"""A row by its columns, each in its canonical form; an empty cell is ""."""


@dataclass(frozen=True)
class Version:
    """What is known of a version without its rows. Version 0 is what ships: it was always in force."""

    number: int = 0
    effective: datetime | None = None
    uploaded_at: datetime | None = None


SHIPPED = Version()


def newest_in_force(versions: Iterable[Version], at: datetime) -> Version:
    """The newest version that is effective by then; what ships where none is.

    Newest by upload: an officer's last word holds from its day on, also where an earlier upload had named a later day.
    """
    begun = (one for one in versions if one.effective is not None and one.effective <= at)
    return max(begun, key=lambda one: one.number, default=SHIPPED)


def fingerprint(rows: Sequence[Row]) -> str:
    """SHA-256 over the rows in their order, in one form."""
    plain = [sorted((name, text) for name, text in row.items() if text) for row in rows]
    return hashlib.sha256(json.dumps(plain, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True)
class InForce:
    """A list as it holds at a moment. `title` as the form calls it, `since` the day from which the version holds, as people read it."""

    title: str
    number: int = 0
    since: str = ""
    rows: tuple[Row, ...] = ()
    sha256: str = ""

    @property
    def named(self) -> str:
        """ "restricted list, version 3 of 20 Nov 2026"; what ships has no day of its own."""
        title = self.title[:1].lower() + self.title[1:]
        return f"{title}, version {self.number}" + (f" of {self.since}" if self.since else "")
