"""Links: what each covers, in one canonical form, so that a hash means the same on every database and in an export."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from state.stores.evidence.keys import EvidenceKey
from state.stores.rows import Link

EVENT, CUSTODY, DRAFT = "event", "custody", "draft"
"""The purposes of MACs: none passes for one of another purpose."""
INSTALLATION = "installation"
"""The chain of what concerns no single draft: erasures, retention, what was there before links were keyed."""


CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def documents_of(draft: str) -> str:
    """Return the name of the chain of a draft's documents."""
    return f"documents/{draft}"


def counter(chain: str) -> str:
    """Return the name of the counter of a chain's links."""
    return f"custody:{chain}"


def digest(body: bytes) -> str:
    """Return SHA-256 of a body as it is stored (sealed, where the store seals)."""
    return hashlib.sha256(body).hexdigest()


def canonical(thing: Any) -> str:
    """Return JSON in one form: sorted, without blanks, ASCII."""
    return CANONICAL.encode(thing)


def digest_of(thing: Any) -> str:
    """Return SHA-256 of a JSON document in its canonical form."""
    return digest(canonical(thing).encode())


def moment(at: datetime | None) -> str:
    """Return a time as links write it: ISO 8601, UTC, microseconds; empty for none."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else ""


def link_hash(link: Link) -> str:
    """Return SHA-256 over everything in an event's link but its hash and MAC. Links from before the keys have an older form."""
    return _hash(link) if link.mac else hashlib.sha256(json.dumps(_covered(link)).encode()).hexdigest()


def keyed(link: Link, key: EvidenceKey) -> Link:
    """Return the link with its hash and its MAC."""
    made = _hash(link)
    return replace(link, hash=made, mac=key.mac(EVENT, made))


def _covered(link: Link) -> list[Any]:
    versions = [link.form_version, link.rules_version]
    return [link.previous, link.draft, link.n, link.kind, link.revision, versions, moment(link.at), link.digest]


def _hash(link: Link) -> str:
    return digest_of(["v2", *_covered(link), link.beside])


@dataclass(frozen=True)
class Beside:
    """The rows that a turn wrote beside its event: tool calls, records filed, records moved to another state."""

    calls: tuple[str, ...] = ()
    """Digests of the calls' rows, in their order."""
    filed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Number to what `record_facts` says."""
    states: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Number to the record's version and the state that it has from then on."""
    shown: tuple[str, ...] = ()
    """Digests of what the turn put before somebody, sealed as it is stored."""

    def text(self) -> str:
        """Return this as the link covers it; empty where there was nothing."""
        parts = {"calls": list(self.calls), "filed": self.filed, "states": self.states, "shown": list(self.shown)}
        told = {name: part for name, part in parts.items() if part}
        return canonical(told) if told else ""


def beside(text: str) -> Beside:
    """Return what a link says was written beside its event; nothing where it was changed to what cannot be read, which its hash tells."""
    try:
        told = json.loads(text) if text else {}
        states = {number: (int(version), str(state)) for number, (version, state) in told.get("states", {}).items()}
        shown = tuple(told.get("shown", ()))
        return Beside(tuple(told.get("calls", ())), dict(told.get("filed", {})), states, shown)
    except (ValueError, TypeError, AttributeError):
        return Beside()


def record_facts(row: Any, sealed: str) -> list[str]:
    """Return what a link says of a filed record: draft, form, tenant, hash, time, digest of the sealed body, its key's row, state."""
    plain = [row[name] for name in ("draft", "form", "tenant", "hash")]
    return [*plain, moment(row["filed_at"]), sealed, str(row["sealed_by"]), row["state"]]


CALL = ("draft", "n", "place", "tenant", "form", "turn", "step", "reader", "tool", "status", "reason")


def call_digest(row: Any, sealed: str) -> str:
    """Return the digest of a tool call's row: every column, and the digest of its sealed body."""
    flags = [bool(row["idempotent"]), bool(row["finalizes"])]
    return digest_of([*(row[name] for name in CALL), moment(row["at"]), *flags, sealed])


def draft_facts(row: Any, conversation: str) -> str:
    """Return the digest of a draft's row, with the plain name of its conversation."""
    plain = [row[name] for name in ("name", "form", "status", "revision", "last", "head", "sealed_by")]
    return digest_of([*plain, moment(row["updated_at"]), digest(row["sealed"]), conversation])


def document_facts(row: Any, content: bytes) -> list[Any]:
    """Return what a link says of a document that is kept, with its sealed content."""
    times = [moment(row["received_at"]), moment(row["keep_until"])]
    sealed = [digest(row["sealed"]), digest(content), str(row["sealed_by"])]
    return [row["draft"], row["tenant"], row["type"], row["size"], *times, *sealed]


def version_facts(row: Any) -> dict[str, Any]:
    """Return what a link says of a version of a list: whose it is, its number, its days, and the digest of what is sealed."""
    plain = {name: row[name] for name in ("tenant", "form", "list", "number")}
    times = {name: moment(row[name]) for name in ("effective", "uploaded_at")}
    return {**plain, **times, "key": row["key"], "sealed": digest(row["content"])}


def tombstone_facts(at: datetime, told: Any) -> str:
    """Return the digest of a tombstone."""
    return digest_of([moment(at), told])


@dataclass(frozen=True)
class CustodyLink:
    """A link that is no event: what was done to the evidence. `body` is canonical JSON and names nobody."""

    chain: str
    n: int
    kind: str
    body: str
    at: datetime
    previous: str
    hash: str = ""
    mac: str = ""

    @property
    def told(self) -> dict[str, Any]:
        """The body."""
        told: dict[str, Any] = json.loads(self.body)
        return told


def custody_hash(link: CustodyLink) -> str:
    """Return SHA-256 over everything in the link but its hash and MAC."""
    return digest_of([link.chain, link.n, link.kind, link.body, moment(link.at), link.previous])


def custody_link(
    key: EvidenceKey, chain: str, n: int, kind: str, body: Any, at: datetime, previous: str
) -> CustodyLink:
    """Return a new link with its hash and its MAC."""
    link = CustodyLink(chain, n, kind, canonical(body), at, previous)
    made = custody_hash(link)
    return replace(link, hash=made, mac=key.mac(CUSTODY, made))
