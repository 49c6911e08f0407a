"""Write the evidence: a link for whoever reads what others filed, and signed checkpoints of all chains, in the database and in the file of heads."""

import asyncio
import getpass
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

import structlog

from blocks.messages import build_plain
from bot.operations.tasks import Periodic, notice, write_aside
from state.stores.errors import StoreError
from state.stores.evidence.checkpoints import Restored
from state.stores.evidence.heads import HeadsFile
from state.stores.evidence.links import CustodyLink, digest
from state.stores.proof import READ
from state.stores.rows import TurnWrites
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


log = structlog.get_logger("holdfast.evidence")

PERIOD = 10.0
"""Seconds between two checkpoints, where anything changed: what is younger can be rolled back unseen."""
HEADS = "heads.jsonl"
"""The file of heads under HOLDFAST_VAR."""


async def sign(store: Store, heads: HeadsFile) -> bool:
    """Sign all that changed, and bring the file of heads up to date. False where the database is older than the file, which stays."""
    while await store.checkpoint():
        pass
    last = await asyncio.to_thread(heads.last)
    newer = await store.checkpoints(last.n if last else 0)
    there = await store.checkpoints(last.n - 1, 1) if last else []
    if last and (not there or there not in ([last], newer[:1])):
        return False
    return await asyncio.to_thread(heads.append, newer)


async def sign_all(store: Store, var: Path) -> bool:
    """Sign all that changed, in the file of heads under HOLDFAST_VAR."""
    return await sign(store, HeadsFile(var / HEADS, store.place))


async def declare_restored(store: Store, heads: HeadsFile) -> Restored | None:
    """Say, with the key, that a backup was put back: heads go on behind the file's newest. What was lost; None where nothing was."""
    lost = await asyncio.to_thread(heads.last)
    there = await store.checkpoints(lost.n - 1, 1) if lost else []
    if lost is None or lost in there:
        return None
    newest = await store.newest_checkpoint()
    restored = Restored(newest.n if newest else 0, lost.n, lost.hash)
    declared = await store.checkpoint(restored)
    if declared:
        await asyncio.to_thread(heads.append, [declared])
    return restored if declared else None


class Checkpointer(Periodic):
    """`channel` is where a line a day is posted ("C034", or "T012:C034" of one workspace of many), "" for nowhere."""

    name = "checkpoints"

    def __init__(self, store: Store, var: Path, channel: str = "", period: float = PERIOD) -> None:
        self.heads = HeadsFile(var / HEADS, store.place)
        self._store, self.pause = store, period
        self.team, _, self._channel = channel.rpartition(":")

    async def stop(self) -> None:
        """Sign what there is, and end."""
        if self._task:
            await super().stop()
            await self.sign()

    async def sign(self) -> None:
        """Sign all that changed; a failure is logged, and tried again the next time."""
        try:
            if not await sign(self._store, self.heads):
                log.error("evidence_rolled_back", file=self.heads.path.name)
        except (StoreError, OSError, ValueError):
            log.exception("checkpoint_failed")

    async def look(self) -> None:
        """Sign; once a day the newest checkpoint is posted, by whichever replica comes first."""
        await self.sign()
        last = await asyncio.to_thread(self.heads.last) if self._channel and self.team else None
        if last and await self._store.claim_day("anchor", last.at.toordinal()):
            row = notice(f"anchor:{last.n}", self.team, self._channel, build_plain(last.brief))
            await write_aside(self._store, f"anchor:{uuid.uuid4().hex}", TurnWrites(outgoing=[row]))
