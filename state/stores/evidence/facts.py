"""What the chains beside the events say was done to the evidence: an erasure, an emptied body, a removed draft counts only from here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from state.stores.evidence.keys import Keyring
from state.stores.evidence.links import CUSTODY, INSTALLATION, CustodyLink, beside, custody_hash

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
    for link in sorted((link for link in links if not link_fault(link, keys)), key=_rank):
        with suppress(KeyError, TypeError, ValueError, AttributeError):  # offline, where a MAC says nothing
            if take := TAKES.get(link.kind):  # else of a kind that is not known here
                take(facts, link, link.told)
    return facts


def _rank(link: CustodyLink) -> int:
    return 0 if link.kind in ("begun", "adopted") else 1 if link.chain != INSTALLATION else 2


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
