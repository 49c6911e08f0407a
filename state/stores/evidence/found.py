"""The evidence as it is found: in a database, or in an export of one. Nothing in it says what anybody said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from state.stores.evidence.checkpoints import Checkpoint
from state.stores.evidence.links import CustodyLink
from state.stores.rows import Link

Reads = Literal["", "yes", "no", "destroyed", "missing", "unreadable"]
"""How a body reads: it opens, it does not though its key is there, its key is destroyed, its key's row is gone, its row cannot even be
read; "" unknown.
"""


@dataclass(frozen=True)
class FoundEvent:
    """An event. `key` is the id of the row whose key sealed it. `stripped`: its link has no MAC, and its body says that it had one."""

    link: Link
    emptied: bool
    key: int
    stripped: bool = False


@dataclass(frozen=True)
class FoundCall:
    """A tool call beside an event: the digest of its row."""

    n: int
    place: int
    digest: str
    emptied: bool
    key: int


@dataclass(frozen=True)
class FoundRecord:
    """A record. `facts` as `record_facts` has them, the state last. `until`: the day on which its own key is destroyed."""

    number: str
    facts: Sequence[str]
    version: int
    emptied: bool
    key: int
    reads: Reads = ""
    until: str = ""


@dataclass(frozen=True)
class FoundDraft:
    """A draft with everything of it. `row` is the digest of its own row, which `mac` is made of."""

    name: str
    revision: int
    last: int
    head: str
    row: str
    mac: str
    emptied: bool
    key: int
    reads: Reads = ""
    events: Sequence[FoundEvent] = ()
    calls: Sequence[FoundCall] = ()
    records: Sequence[FoundRecord] = ()
    documents: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Name to what `document_facts` says."""
    shown: Sequence[str] = ()
    """Digests of what was put before somebody, as far as it is there."""


@dataclass(frozen=True)
class Evidence:
    """All of it. `drafts` may be read once, page by page; `public` is key id to public key; `destroyed` are ids of keys' rows."""

    at: datetime
    public: Mapping[str, str]
    checkpoints: Sequence[Checkpoint]
    custody: Sequence[CustodyLink]
    drafts: Iterable[FoundDraft]
    tombstones: Mapping[int, str]
    destroyed: frozenset[int]
    strays: Sequence[tuple[str, str]] = ()
    """Rows whose draft is not there: the table, and the draft's name."""
    unreadable: Sequence[str] = ()
    """Tables that cannot be read as they are."""
    versions: Sequence[Mapping[str, Any]] = ()
    """What `version_facts` says of each version of a list."""
    counters: Mapping[str, int] | None = None
    """Each series to where it is counted to; None where that is not known, as in an export."""
    entries: Mapping[str, int] = field(default_factory=dict)
    """The series of entries, each to the highest number that is there."""


RESTORE = (
    "Keep this database as it is for whoever looks into it. What it was before is in the newest backup that verifies."
)


@dataclass(frozen=True)
class Fault:
    """Something that is not as it was written: where, what, and what to do."""

    where: str
    what: str
    todo: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass
class Report:
    """The result of an audit. `unkeyed` links are from before there were MACs; `newest` is the newest checkpoint."""

    drafts: int = 0
    events: int = 0
    unkeyed: int = 0
    unsigned: int = 0
    """Chains that have grown since the newest checkpoint, or are not in any yet."""
    newest: Checkpoint | None = None
    faults: list[Fault] = field(default_factory=list)
