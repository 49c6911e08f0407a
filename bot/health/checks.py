"""The checks of readiness, each with its reason in a few words. None of them names a person."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.reach import Reach
from bot.sinks.rows import KIND as SINK
from state.stores.delivery import Depth
from state.stores.errors import Unavailable
from state.stores.store import Store

PATIENCE = 5.0
"""Seconds for the database."""
OLDEST = timedelta(minutes=5)
"""How long what is due may wait before the bot counts as not keeping up."""
SILENT = timedelta(minutes=3)
"""How long ago Slack may last have done what it was asked: it is asked every minute."""


@dataclass(frozen=True)
class Found:
    """What a check found; `reason` says what is wrong, or what to know."""

    name: str
    ok: bool
    reason: str = ""


class Writing:
    """Something is really written; while that hangs nothing else is begun, and nobody waits for its end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._task: asyncio.Task[None] | None = None

    async def found(self) -> Found:
        """Whether the database can be written."""
        self._task = self._task or asyncio.create_task(self._store.prove_writable())
        await asyncio.wait({self._task}, timeout=PATIENCE)
        if not self._task.done():
            return Found("database", False, "does not answer")
        problem, self._task = self._task.exception(), None
        return Found("database", not problem, _why(problem) if problem else "")


def _why(problem: BaseException) -> str:
    """What to do, where the disk says what is wrong."""
    known = isinstance(problem, Unavailable) and problem.why
    return str(problem) if known else f"cannot be written ({type(problem).__name__})"


async def slack(
    reaches: Sequence[Reach], socket: AsyncSocketModeHandler | None, now: datetime, *, in_sockets: bool
) -> Found:
    """A token works, and events can come: a socket is open, or Slack answered lately where they come by HTTP.

    Of many workspaces one that refuses its token takes nothing from the others.
    """
    if reaches and all(reach.holding for reach in reaches):
        return Found("slack", False, f"does not take what is sent ({reaches[0].reason})")
    if in_sockets:
        client = socket.client if socket is not None else None
        well = client is not None and await client.is_connected()
        return Found("slack", well, "" if well else "no socket is open")
    heard = [reach.ok_at for reach in reaches if reach.ok_at]
    silent = len(reaches) == 1 and not (heard and now - heard[0] <= SILENT)
    return Found("slack", not silent, "has not answered lately" if silent else "")


def queues(depths: Sequence[Depth], now: datetime) -> Found:
    """Nothing that is due has waited too long; what stands behind something blocked is told apart, and so is what others do not take."""
    late = [d for d in depths if d.pool != SINK and d.oldest is not None and now - d.oldest > OLDEST]
    told = (f"{d.queue} {d.pool}: {d.count} wait, the oldest for {_seconds(now, d.oldest)} s" for d in late)
    return Found("queues", not late, "; ".join(told))


def _seconds(now: datetime, since: datetime | None) -> int:
    return int((now - since).total_seconds()) if since else 0


async def key(problem_of: Callable[[], str]) -> Found:
    """The installation's key can still be read: without it the next start finds nothing."""
    problem = await asyncio.to_thread(problem_of)
    return Found("key", not problem, problem)
