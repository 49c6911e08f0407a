"""Who read what others filed: a link of the installation's chain, written before anything is handed out."""

import getpass
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from state.stores.evidence.links import CustodyLink, digest
from state.stores.proof import READ
from state.stores.store import Store

What = Literal["show", "export", "dossier", "search", "calls", "open", "queue"]


@dataclass(frozen=True)
class Reading:
    """`by` is a Slack id ("T…:U…") or "os:name"; `filters` say what was asked for, in ids, numbers, states and days alone: they are in clear for
    ever. `hash` is that of what was handed out: of a manifest, or of the text itself.
    """

    by: str
    what: What
    rows: int
    hash: str
    filters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Noted:
    """A reading as it is in the chain."""

    n: int
    at: datetime
    reading: Reading


async def note(store: Store, reading: Reading) -> CustodyLink:
    """Write the link. Whoever cannot write it hands nothing out: what this raises is not to be caught in between."""
    told = {"by": reading.by, "what": reading.what, "rows": reading.rows, "hash": reading.hash}
    return await store.attest(READ, {**told, "filters": {k: v for k, v in reading.filters.items() if v}})


async def readings(store: Store, after: int = 0, limit: int = 1000) -> list[Noted]:
    """Return what was read, oldest first."""
    links = await store.attested(READ, after, limit)
    return [Noted(link.n, link.at, Reading(**{name: link.told[name] for name in NAMES})) for link in links]


def on_this_machine() -> str:
    """Whoever runs a command: the operating system's user."""
    return f"os:{getpass.getuser()}"


def text_hash(text: str) -> str:
    """SHA-256 of a text as it is handed out."""
    return digest(text.encode())


NAMES = ("by", "what", "rows", "hash", "filters")
