"""Getting events and interactions to the app: retries, waiting while nobody is connected, duplicates on demand."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.sandbox.changes import Changes
from bot.sandbox.errors import Undelivered
from bot.sandbox.knobs import Knobs
from bot.sandbox.workspace import Json

WAITING_KEPT = 1_000
FAILED_KEPT = 1_000
TIMEOUT = "timeout"
NOT_CONNECTED = "The app is not connected, so nothing happened."
NO_ANSWER = "The app did not answer in time."


@dataclass(frozen=True)
class Envelope:
    """What goes to the app; `type` is "events_api", "interactive" or "slash_commands".

    `attempt` counts from 0; `missed` says why the attempt before failed.
    """

    type: str
    payload: Json
    attempt: int = 0
    missed: str = ""
    accepts_response: bool = False


@dataclass(frozen=True)
class Ack:
    """The app took it, and may have answered something with it."""

    payload: Json | None = None


@dataclass(frozen=True)
class Missed:
    """No ack came, for a reason that retries name: "timeout" on sockets, "http_timeout", "http_error" …"""

    reason: str


class Target(Protocol):
    """A way to the app."""

    @property
    def ready(self) -> bool:
        """True when somebody is there to take a delivery."""

    async def send(self, envelope: Envelope) -> Ack | Missed:
        """Deliver once."""


@dataclass
class Delivery:
    """The queue in front of one target. Delays are seconds before retries 1, 2 and 3; Slack's own are 0, 60 and 300."""

    target: Target
    knobs: Knobs
    changes: Changes
    retry_delays: tuple[float, ...]
    waiting: deque[Envelope] = field(default_factory=lambda: deque(maxlen=WAITING_KEPT))
    failed: deque[Envelope] = field(default_factory=lambda: deque(maxlen=FAILED_KEPT))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def event(self, payload: Json) -> None:
        """Deliver an event in the background until it is acked or its retries are used up."""
        self._spawn(self._persist(Envelope("events_api", payload)))
        for extra in range(self.knobs.redeliver):
            self._spawn(self._once(Envelope("events_api", payload, extra + 1, TIMEOUT)))

    async def interact(self, kind: str, payload: Json, *, accepts_response: bool) -> Json | None:
        """Deliver an interaction once and give the payload of its ack.

        Raises Undelivered when nobody is connected or no ack came: interactions are never retried.
        """
        if not self.target.ready:
            raise Undelivered(NOT_CONNECTED)
        ack = await self._send(Envelope(kind, payload, accepts_response=accepts_response))
        if isinstance(ack, Missed):
            raise Undelivered(NO_ANSWER)
        return ack.payload

    def resume(self) -> None:
        """Somebody connected: what waited goes out."""
        while self.waiting:
            self._spawn(self._persist(self.waiting.popleft()))

    @property
    def under_way(self) -> int:
        """How many deliveries are neither acked nor given up."""
        return len(self._tasks)

    async def stop(self) -> None:
        """Break off whatever is under way; events go back to those that wait."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _persist(self, envelope: Envelope) -> None:
        try:
            await self._attempt(envelope)
        except asyncio.CancelledError:
            self._park(envelope)
            raise

    def _park(self, envelope: Envelope) -> None:
        """Keep an event for the next connection, where it comes as a retry."""
        later = replace(envelope, attempt=max(1, envelope.attempt), missed=envelope.missed or TIMEOUT)
        self.waiting.append(later)

    async def _attempt(self, envelope: Envelope) -> None:
        for attempt in range(envelope.attempt, len(self.retry_delays) + 1):
            if not self.target.ready:
                self._park(replace(envelope, attempt=attempt))
                return
            outcome = await self._send(replace(envelope, attempt=attempt))
            if isinstance(outcome, Ack):
                return
            envelope = replace(envelope, missed=outcome.reason)
            if attempt < len(self.retry_delays):
                await asyncio.sleep(self.retry_delays[attempt])
        self.failed.append(envelope)

    async def _once(self, envelope: Envelope) -> None:
        if self.target.ready:
            await self._send(envelope)

    async def _send(self, envelope: Envelope) -> Ack | Missed:
        await asyncio.sleep(self.knobs.delay_events.get(envelope.type, 0))
        outcome = await self.target.send(envelope)
        return Missed(TIMEOUT) if isinstance(outcome, Ack) and self.knobs.ack_dropped() else outcome

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.changes.tick()
