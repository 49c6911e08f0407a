"""What became of an approval: what was reported as done, the notes that bear it out, and breaches. Part of the draft, as decisions are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from state.form.field import Data

Came = Literal["matched", "differs", "unread", "refused"]
"""What came of a note: its figures are the report's, or some are not; nobody but a person can say; a person did not take it."""


@dataclass(frozen=True)
class Report:
    """What the owner says was done. `figures` are canonical, by the names of the form's report; `at` is ISO 8601 in UTC."""

    at: str
    who: str
    figures: Mapping[str, Data]
    words: str = ""
    """The person's own, where it was read from a line of theirs."""
    card: str = ""
    """The card that puts it to them, while it waits for their click."""
    after: str = ""
    """The state that the record was in."""
    until: str = ""
    """Until when the approval counted then; empty where none did."""
    days: int = 0
    """Within how many days a note has to come, and by how many percent its amounts may differ, as that was when it was reported."""
    tolerance: int = 0


@dataclass(frozen=True)
class Figure:
    """One figure of a note beside the report's, as people read them. `same`: within the tolerance."""

    name: str
    noted: str
    reported: str
    same: bool
    words: str = ""
    """The line of the note that it rests on."""


@dataclass(frozen=True)
class Note:
    """A file that was sent to bear the report out. `id` tells it from the record's others; `document` is the stored file's id."""

    id: str
    document: str
    name: str
    at: str
    came: Came
    report: int = 0
    """Which report it was held against, from 1."""
    figures: tuple[Figure, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why its figures may not be what it says, so that a person has to look; empty where some are not there, or nothing is in doubt."""
    card: str = ""
    """The card on which a person judges it."""
    by: str = ""
    """Who judged it; empty: its figures did."""
    role: str = ""
    deputy_of: str = ""
    judged_at: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Breach:
    """Something that was not as it has to be. `kind` and `said` make its sentence; `words` are a rule's or a person's own instead."""

    id: str
    kind: str
    at: str
    said: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    by: str = ""
    """Who opened it; empty: a rule."""
    card: str = ""
    closed_at: str = ""
    closed_by: str = ""
    role: str = ""
    deputy_of: str = ""
    reason: str = ""
    """Why it was closed."""

    @property
    def open(self) -> bool:
        """Whether nobody has closed it."""
        return not self.closed_at
