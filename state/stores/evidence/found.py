"""The evidence as it is found, in a database or in an export of one, and the facts that its chains tell. Nothing in it says what anybody said.

An erasure, an emptied body, a removed draft count only where a link beside the events says so.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from state.stores.evidence.checkpoints import Checkpoint
from state.stores.evidence.keys import Keyring
from state.stores.evidence.links import CUSTODY, INSTALLATION, CustodyLink, beside, custody_hash
from state.stores.rows import Link

Reads = Literal["", "yes", "no", "destroyed", "missing", "unreadable"]
"""The result of reading a body: it opens, it does not though its key is there, its key is destroyed, its key's row is gone, its row cannot even be
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
    """`version_facts` of each version of a list."""
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


Told = Mapping[str, Any]
UNTIL = 2


@dataclass
class Facts:
    """Drafts by name, records by number, keys and tombstones by the id of their row."""

    adopted: dict[str, Told] = field(default_factory=dict)
    """Drafts from before links had MACs, as they were found then."""
    erased: dict[str, datetime] = field(default_factory=dict)
    destroyed: set[int] = field(default_factory=set)
    kept: dict[str, Sequence[Any]] = field(default_factory=dict)
    """Records that outlived an erasure: digest, key, day."""
    emptied: dict[str, int] = field(default_factory=dict)
    """Drafts to the number of events whose bodies were emptied."""
    emptied_at: dict[str, str] = field(default_factory=dict)
    """Drafts to the moment before which they must have been left for that."""
    emptied_records: dict[str, str] = field(default_factory=dict)
    """Records to the moment before which they must have been filed for that; "" where their own day had come."""
    early: set[str] = field(default_factory=set)
    """Records whose own key was destroyed before its day."""
    on_hold: set[str] = field(default_factory=set)
    """Records on which a legal hold is open."""
    against: set[str] = field(default_factory=set)
    """Records that were emptied while one stood."""
    removed: dict[str, str] = field(default_factory=dict)
    """Drafts to the moment before which they must have been left for that."""
    gone: set[str] = field(default_factory=set)
    """Numbers of records that went with their drafts."""
    before: set[str] = field(default_factory=set)
    """Numbers of records from before links had MACs."""
    counted: Mapping[str, int] | None = None
    """Where each series was counted to then, as far as that was written down; what had gone until then left no link."""
    filed: dict[str, dict[str, Sequence[str]]] = field(default_factory=dict)
    """Draft to records that no event filed."""
    states: dict[str, dict[int, str]] = field(default_factory=dict)
    """Record to its states by version, those that no event of its draft gave it."""
    stones: dict[int, str] = field(default_factory=dict)
    documents: dict[str, dict[str, Sequence[Any]]] = field(default_factory=dict)
    """Draft to the documents that must be there."""
    versions: dict[str, Told] = field(default_factory=dict)
    """Versions of lists, by their names."""


def facts_of(links: Iterable[CustodyLink], keys: Keyring | None) -> Facts:
    """Return everything that these links say: first what there was, then about documents, then the rest, each chain in its order.

    A link that is not as it was written says nothing.
    """
    facts = Facts()
    sound = (link for link in links if not link_fault(link, keys))
    for link in sorted(sound, key=lambda one: one.kind not in ("begun", "adopted") and 1 + (one.chain == INSTALLATION)):
        with suppress(KeyError, TypeError, ValueError, AttributeError):  # offline, where a MAC says nothing
            if take := TAKES.get(link.kind):  # else of a kind that is not known here
                take(facts, link, link.told)
    return facts


def _begun(facts: Facts, _: CustodyLink, told: Told) -> None:
    facts.stones |= {int(number): made for number, made in told["tombstones"].items()}
    facts.destroyed |= set(told["keys"])
    facts.counted = told.get("series")


def _adopted(facts: Facts, _: CustodyLink, told: Told) -> None:
    for name, draft in told["drafts"].items():
        facts.adopted[name] = draft
        facts.before |= set(draft["records"])
        if draft["emptied"]:
            facts.emptied[name] = draft["last"]
        facts.emptied_records |= dict.fromkeys(draft["emptied_records"], "")
        facts.documents[name] = dict(draft["documents"])


def _records(facts: Facts, _: CustodyLink, told: Told) -> None:
    said = beside(told["beside"])
    for number, record in said.filed.items():
        facts.filed.setdefault(record[0], {})[number] = record
    for number, (version, state) in said.states.items():
        facts.states.setdefault(number, {})[version] = state


def _erased(facts: Facts, link: CustodyLink, told: Told) -> None:
    facts.erased |= dict.fromkeys(told["drafts"], link.at)
    facts.destroyed.add(told["key"])
    facts.kept |= told["kept"]
    number, made = told["tombstone"]
    facts.stones[number] = made
    for name in told["drafts"]:
        facts.documents.pop(name, None)


def _emptied(facts: Facts, _: CustodyLink, told: Told) -> None:
    drafts = told.get("drafts", {})
    facts.emptied |= drafts
    facts.emptied_at |= dict.fromkeys(drafts, told["before"])
    facts.emptied_records |= dict.fromkeys(told.get("numbers", ()), told["before"])
    facts.against |= facts.on_hold.intersection(told.get("numbers", ()))


def _removed(facts: Facts, _: CustodyLink, told: Told) -> None:
    for name in told["drafts"]:
        facts.removed[name] = told["before"]
        for known in (facts.adopted, facts.erased, facts.emptied, facts.filed, facts.documents):
            known.pop(name, None)
    facts.gone |= set(told["numbers"])
    for number in told["numbers"]:
        facts.kept.pop(number, None)


def _expired(facts: Facts, _: CustodyLink, told: Told) -> None:
    facts.destroyed |= set(told["keys"])
    facts.emptied_records |= dict.fromkeys(told["numbers"], "")
    facts.against |= facts.on_hold.intersection(told["numbers"])
    facts.early |= {
        number for number in told["numbers"] if number in facts.kept and facts.kept[number][UNTIL] > told["at"]
    }
    for number in told["tombstones"]:
        facts.stones.pop(number, None)


def _held(facts: Facts, _: CustodyLink, told: Told) -> None:
    if told["scope"] == "record":
        facts.on_hold.add(told["name"])


def _lifted(facts: Facts, _: CustodyLink, told: Told) -> None:
    facts.on_hold.discard(told["name"])


def _kept(facts: Facts, _: CustodyLink, told: Told) -> None:
    facts.documents.setdefault(told["facts"][0], {})[told["name"]] = told["facts"]


def _discarded(facts: Facts, link: CustodyLink, told: Told) -> None:
    facts.documents.get(link.chain.partition("/")[2], {}).pop(told["name"], None)


def version_name(told: Told) -> str:
    """Return a version of a list, as a fault names it."""
    return f"{told['form']}.{told['list']} {told['number']} of {told['tenant']}"


def _version(facts: Facts, _: CustodyLink, told: Told) -> None:
    facts.versions[version_name(told)] = told


TAKES: Mapping[str, Callable[[Facts, CustodyLink, Told], None]] = {
    "begun": _begun,
    "adopted": _adopted,
    "records": _records,
    "erased": _erased,
    "emptied": _emptied,
    "removed": _removed,
    "expired": _expired,
    "held": _held,
    "lifted": _lifted,
    "kept": _kept,
    "discarded": _discarded,
    "version": _version,
}


def custody_fault(links: Sequence[CustodyLink], keys: Keyring | None) -> str:
    """Return the first thing that is wrong with a chain, in words; empty where all is well. Without keys MACs are not looked at."""
    last, head = 0, ""
    for link in links:
        if link.n != last + 1:
            return f"Link {last + 1} is missing."
        if link.previous != head:
            return f"Link {link.n} does not follow link {last}: that one was another when this was written."
        if wrong := link_fault(link, keys):
            return wrong
        last, head = link.n, link.hash
    return ""


def link_fault(link: CustodyLink, keys: Keyring | None) -> str:
    """Return what is wrong with a link taken alone, in words."""
    if link.hash != custody_hash(link):
        return f"Link {link.n} ({link.kind}) was changed after it was written."
    if keys and not keys.made(link.mac, CUSTODY, link.hash):
        return f"Link {link.n} ({link.kind}) has a MAC that was not made with the installation's key."
    return ""
