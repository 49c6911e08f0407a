"""The pulse: how late the event loop turns, whether Slack still answers where nothing else asks it, and what the database is told of that."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import structlog

from bot.health.health import BEAT, Health
from bot.reach import Reach
from bot.tasks import cancelled
from state.stores.errors import StoreError
from state.stores.protocol import Reached, Store

log = structlog.get_logger("holdfast.health")

ASK, NOTE = timedelta(minutes=1), timedelta(seconds=30)
"""After how long a silence Slack is asked; and how often it is noted that it answers."""


class Pulse:
    """Beats once a second."""

    def __init__(self, health: Health, store: Store, reach: Reach) -> None:
        self._health, self._store, self._reach = health, store, reach
        self._noted = Reached("")
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin."""
        self._tasks = [asyncio.create_task(self._beat(), name="beat"), asyncio.create_task(self._look(), name="look")]

    async def stop(self) -> None:
        """End, and leave in the database what was known last."""
        await cancelled(*self._tasks)
        await self._note(last=True)

    async def _beat(self) -> None:
        while True:
            expected = time.monotonic() + BEAT
            await asyncio.sleep(BEAT)
            self._health.lag = max(0.0, time.monotonic() - expected)

    async def _look(self) -> None:
        while True:
            try:
                await self._ask(datetime.now(UTC))
                await self._note()
            except Exception:
                log.exception("pulse_failed")
            await asyncio.sleep(BEAT)

    async def _ask(self, now: datetime) -> None:
        """Where nothing was sent for a while, whether the token still works; an outage is asked after by whoever waits, and here."""
        reach = self._reach
        if reach.holding:
            await reach.probe()
        elif reach.ask is not None and (reach.ok_at is None or now - reach.ok_at > ASK):
            await reach.check()

    async def _note(self, *, last: bool = False) -> None:
        reach, noted = self._reach, self._noted
        now = Reached(reach.team, reach.ok_at, reach.since, reach.reason)
        turned = (now.since, now.reason) != (noted.since, noted.reason)
        newer = now.ok_at is not None and (
            noted.ok_at is None or now.ok_at - noted.ok_at > (timedelta() if last else NOTE)
        )
        if not reach.team or not (turned or newer):
            return
        try:
            await self._store.reached(now)
        except StoreError:
            return
        self._noted = now
        if turned:
            log.warning("slack_away", reason=now.reason) if now.since else log.info("slack_back")
