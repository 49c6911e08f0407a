"""Tells other replicas through Redis that there is work, so that they need not wait for their next sweep. A lost word costs that wait."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, cast, get_args

from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from state.stores.cache import FAILURES, PAUSE, TIMEOUT, Outage
from state.stores.errors import Tampered
from state.stores.vault import Vault

Kind = Literal["conversation", "lane", "person"]
"""New work in a conversation's inbox, or in a lane of the outbox."""

Heard = Callable[[Kind, str], None]

POLL: Final = 5.0
"""Seconds after which the wait for a word is begun anew."""


class Signal:
    """Publishes and hears. Names travel encrypted. A replica hears its own words too; neither method raises for what Redis does."""

    def __init__(self, redis: Redis, names: Vault, heard: Heard, channel: str = "holdfast:wake") -> None:
        self._redis, self._names, self._heard, self._channel = redis, names, heard, channel
        self._outage, self._task = Outage("signals"), cast(asyncio.Task[None] | None, None)
        self.listening = asyncio.Event()
        """Set while words are heard."""

    async def start(self) -> None:
        """Begin to hear, now or as soon as Redis is there; again after each outage."""
        self._task = asyncio.create_task(self._listen(), name="signals")

    async def stop(self) -> None:
        """Hear no more. The client may swallow a cancellation while it connects, so it is asked until it has heard it."""
        while self._task and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=PAUSE)

    async def wake(self, kind: Kind, name: str) -> None:
        """Say that there is work under this name."""
        if self._outage.resting:
            return
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._redis.publish(self._channel, f"{kind}:{self._names.name(name)}")
        except FAILURES as error:
            self._outage.failed(error)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as words:
                    await self._hear(words)
            except FAILURES as error:
                self._outage.failed(error)
            finally:
                self.listening.clear()
            await asyncio.sleep(PAUSE)

    async def _hear(self, words: PubSub) -> None:
        async with asyncio.timeout(TIMEOUT):
            await words.subscribe(self._channel)
        self._outage.answered()
        self.listening.set()
        while True:
            if word := await words.get_message(timeout=POLL):
                self._tell(bytes(word["data"]).decode(errors="replace"))

    def _tell(self, word: str) -> None:
        kind, _, name = word.partition(":")
        with suppress(Tampered):  # another installation's, or nobody's
            if kind in get_args(Kind):
                self._heard(cast(Kind, kind), self._names.plain(name))


class NoSignal:
    """In the place of `Signal` where there is no Redis: the sweep finds all work."""

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def wake(self, kind: Kind, name: str) -> None:
        """Do nothing."""
