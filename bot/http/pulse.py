"""The pulse: how late the event loop turns, whether Slack still answers where nothing else asks it, and what the database is told of that."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import structlog

from bot.http.health import BEAT, Health
from bot.operations.tasks import cancelled
from bot.slack.client import Reach
from state.stores.delivery import Reached
from state.stores.errors import StoreError
from state.stores.store import Store

log = structlog.get_logger("holdfast.health")

ASK, NOTE = timedelta(minutes=1), timedelta(seconds=30)
"""After how long a silence Slack is asked; and how often it is noted that it answers."""


Alarm = Callable[[str, str], Awaitable[None]]
"""Given the workspace, tells the operators why nothing can be written; "" once it can be again."""


class Pulse:
    """Beats once a second."""

    def __init__(self, health: Health, store: Store, alarm: Alarm | None = None) -> None:
        self._health, self._store, self._alarm = health, store, alarm
        self._team, self._refused = "", ""
        self._noted: dict[str, Reached] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, team: str) -> None:
        """Begin. `team` is the workspace of the bot's own token; empty where workspaces install the app by themselves."""
        self._team = team
        for reach in self._health.parts.reaches() if team else ():
            reach.team = team
        self._tasks = [asyncio.create_task(self._beat(), name="beat"), asyncio.create_task(self._look(), name="look")]

    async def stop(self) -> None:
        """End, and leave in the database what was known last."""
        await cancelled(*self._tasks)
        if self._tasks:
            await self._note(timedelta())

    async def _beat(self) -> None:
        while True:
            expected = time.monotonic() + BEAT
            await asyncio.sleep(BEAT)
            self._health.lag = max(0.0, time.monotonic() - expected)

    async def _look(self) -> None:
        while True:
            try:
                reaches = self._health.parts.reaches()
                for reach in reaches:
                    await self._ask(reach, datetime.now(UTC), alone=len(reaches) == 1)
                await self._note(NOTE)
                await self._written()
            except Exception:
                log.exception("pulse_failed")
            await asyncio.sleep(BEAT)

    async def _ask(self, reach: Reach, now: datetime, *, alone: bool) -> None:
        """Where nothing was sent for a while, whether the token still works; an outage is asked after by whoever waits, and here."""
        if reach.holding:
            await reach.probe()
        elif alone and (reach.ok_at is None or now - reach.ok_at > ASK):
            await reach.check()

    async def _note(self, every: timedelta) -> None:
        """What has turned is noted at once, that all is well now and then."""
        for reach in self._health.parts.reaches():
            now, noted = Reached(reach.team, reach.ok_at, reach.since, reach.reason), self._noted.get(reach.team)
            known = noted or Reached(reach.team)
            turned = (now.since, now.reason) != (known.since, known.reason)
            newer = now.ok_at is not None and (known.ok_at is None or now.ok_at - known.ok_at > every)
            if reach.team and (turned or newer):
                await self._tell(now, turned=turned)

    async def _written(self) -> None:
        """While the disk takes nothing it is asked again and again; the operators read both turns, past the database."""
        if self._store.refused:
            with suppress(StoreError):
                await self._store.prove_writable()
        refused = self._store.refused
        if refused != self._refused:
            self._refused = refused
            log.error("database_refused", reason=refused) if refused else log.info("database_back")
            if self._alarm is not None:
                await self._alarm(self._team, refused)

    async def _tell(self, now: Reached, *, turned: bool) -> None:
        try:
            await self._store.reached(now)
        except StoreError:
            return
        self._noted[now.team] = now
        if turned and now.since:
            log.warning("slack_away", reason=now.reason)
        elif turned:
            log.info("slack_back")
