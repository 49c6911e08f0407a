"""The record: what was filed, with its verdicts, reports, notes and breaches. Immutable; only `record_changes` make the next one.

Every attribute has a default, so that a record stored before an attribute existed still loads.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from state.form.field import Data

WITHDRAW: Literal["withdraw"] = "withdraw"
"""The owner's own verdict: they take the record back."""
ASK: Literal["ask"] = "ask"
"""Some answers are wanted again before anybody decides."""
EXTEND: Literal["extend"] = "extend"
"""An approval counts longer; also what a decision card is about that asks whether it shall."""
KEEP: Literal["keep"] = "keep"
"""An approval ends as it would."""
ASKED = "asked"
"""The state of a record while its owner answers."""


@dataclass(frozen=True)
class Decision:
    """One verdict. `who` is a Slack user id, `at` ISO 8601 in UTC; `state` is the one it was given in, `to` the one that followed."""

    who: str
    role: str
    state: str
    verdict: str
    to: str
    at: str
    reason: str = ""
    """For reviewers alone."""
    note: str = ""
    """To the person, in the officer's own words."""
    conditions: str = ""
    deputy_of: str = ""
    """The holder of the role in whose place it was given."""
    card: str = ""
    shown: str = ""
    """The hash of what the card showed."""
    void: bool = False
    """True if the request was reopened since: it is history, and counts no more."""
    fields: tuple[str, ...] = ()
    """Fields to be answered again, where that is the verdict."""
    answer: str = ""
    """The person's words in answer to the note, where that was a question."""


@dataclass(frozen=True)
class Decider:
    """Somebody who may decide, by their Slack user id; `deputy_of` is the holder of the role in whose place, empty in their own."""

    who: str
    deputy_of: str = ""


@dataclass(frozen=True)
class Deciders:
    """Everybody but the requester who may decide in one state, as it was looked up; `named`: the table of managers names them for this requester."""

    who: tuple[Decider, ...] = ()
    named: bool = False


@dataclass(frozen=True)
class PendingDecision:
    """The verdict that reviewers are asked for now: its card, and everything on it beside the answers."""

    card: str = ""
    channel: str = ""
    """The name of the channel, where it is not the form's own."""
    reasons: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    """Risk, earlier requests, holdings."""
    about: str = ""
    """The card's subject, where that is not the state's own verdict: `EXTEND`."""
    overdue: str = ""
    """Since when (ISO 8601, UTC) a verdict is late; empty while it is not."""
    kept: Mapping[str, Any] = field(default_factory=dict)
    """Figures of the filing by which the record is judged to its end."""
    due: str = ""
    """Until when (ISO 8601, UTC) there is to decide, where the form says so."""
    named: tuple[str, ...] = ()
    """Who alone decides, where that is this requester's own manager or a deputy: the first one has the card."""
    lacking: tuple[str, ...] = ()
    """States on the way to an approval in which nobody can decide."""


NO_DECISION = PendingDecision()
"""Nobody is asked to decide."""


Came = Literal["matched", "differs", "unread", "refused"]
"""The outcome of a note: its figures are the report's, some are not, only a person can say, or a person refused it."""


@dataclass(frozen=True)
class Report:
    """The owner's account of what was done. `figures` are canonical, by the names of the form's report; `at` is ISO 8601 in UTC."""

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
    """A file that was sent to confirm the report. `id` tells it from the record's others; `document` is the stored file's id."""

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
        """Return True if nobody has closed it."""
        return not self.closed_at


@dataclass(frozen=True)
class Record:
    """A draft as it was filed, under its number. Empty while the draft was never filed."""

    number: str = ""
    state: str = ""
    """Empty in records that were filed before this was kept."""
    valid_until: str = ""
    """The last day (ISO 8601) on which that state counts, where there is one."""
    held_until: str = ""
    """The last day on which a state counted last; it stays when that has ended."""
    receipt: str = ""
    """The card that shows the record's state to its owner."""
    filed_at: str = ""
    """When it was filed (ISO 8601, UTC)."""
    told: tuple[str, ...] = ()
    """Why it began in its state, in the sentences that its owner read."""
    pending: PendingDecision = NO_DECISION
    decisions: tuple[Decision, ...] = ()
    """Every verdict, the first one first."""
    reports: tuple[Report, ...] = ()
    """The owner's reports; the last one counts, it corrects those before."""
    reporting: Report | None = None
    """A report that was read in their words and waits for their click."""
    notes: tuple[Note, ...] = ()
    breaches: tuple[Breach, ...] = ()

    @property
    def report(self) -> Report | None:
        """Return what was done, as it was reported last."""
        return self.reports[-1] if self.reports else None

    @property
    def settled(self) -> bool:
        """Return True if a note confirms the report: the file is closed."""
        return any(note.came == "matched" for note in self.notes)


NO_RECORD = Record()
"""Of a draft that was never filed."""
