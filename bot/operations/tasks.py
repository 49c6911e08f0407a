"""Work beside the turns: tasks that repeat until they are stopped, and rows that no turn writes."""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

import structlog

from blocks.elements import Message
from state.stores.rows import OutboxRow, TurnWrites
from state.stores.store import Store

log = structlog.get_logger("holdfast.tasks")

AGAIN = 1.0
"""Seconds after which a task that still runs is cancelled once more."""
LEASE = 60.0
"""Seconds for which a lane is held while rows are written."""


async def cancelled(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until every one has ended: a library may swallow one cancellation. What they raise is theirs."""
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN)


class Periodic(ABC):
    """Look every `pause` seconds from `start` to `stop`. What goes wrong is logged, and tried again the next time."""

    name: str
    pause = 3600.0
    team = ""
    _task: asyncio.Task[None] | None = None

    async def start(self, team: str = "") -> None:
        """Begin; `team` is the workspace of the bot's own token."""
        self.team = self.team or team
        self._task = asyncio.create_task(self._watch(), name=self.name)

    async def stop(self) -> None:
        """End; what is under way in the database comes to its end."""
        if self._task:
            await cancelled(self._task)

    @abstractmethod
    async def look(self) -> None:
        """Do the work once."""

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:
                log.exception("task_failed", task=self.name)
            await asyncio.sleep(self.pause)


def notice(key: str, team: str, channel: str, message: Message) -> OutboxRow:
    """Return a row that posts a message into a channel. It is nobody's, and so outlives every person's key."""
    body = {
        "team": team,
        "channel": channel,
        "thread": "",
        "card": "",
        "text": message.text,
        "blocks": list(message.blocks),
    }
    return OutboxRow(key, f"slack:{channel}", "post", f"{team}:", body)


async def write_aside(store: Store, name: str, work: TurnWrites) -> None:
    """Write what no turn writes, under a lease of its own; nothing where another process has that."""
    lease = await store.take(name, LEASE)
    if lease is not None:
        await store.write(lease, work)
        await store.release(lease)
