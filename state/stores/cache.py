"""Redis: drafts are cached in it, and replicas wake each other through it. Losing it at any moment costs a read, or the wait for a sweep."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal, cast, get_args

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from state.stores.errors import Tampered
from state.stores.vault import Vault

TIMEOUT: Final = 0.2
"""Seconds that a turn waits for Redis at most."""

PAUSE: Final = 1.0
"""Seconds for which Redis is left alone after it failed, so that an outage does not slow every turn."""

LIFE: Final = 3600
"""Seconds that a draft nobody reads stays in Redis."""

FAILURES: Final = (RedisError, OSError, TimeoutError)
"""All that a client may raise when Redis is away."""

OPTIONS: Final[dict[str, Any]] = {
    "socket_timeout": TIMEOUT,
    "socket_connect_timeout": TIMEOUT,
    "retry": Retry(NoBackoff(), 1),  # a connection that a restart broke is made anew, once
}
"""The options of every client of this installation."""

log = structlog.get_logger("stores")


class Outage:
    """Knows if Redis is away, and says so in the log once when that begins, and once when it ends."""

    def __init__(self, what: str) -> None:
        self._what, self._away, self._until = what, False, 0.0

    @property
    def resting(self) -> bool:
        """True while it is to be left alone."""
        return self._away and asyncio.get_running_loop().time() < self._until

    def failed(self, error: Exception) -> None:
        """Note that it did not answer."""
        if not self._away:
            log.warning("redis is away", of=self._what, error=type(error).__name__)
        self._away, self._until = True, asyncio.get_running_loop().time() + PAUSE

    def answered(self) -> None:
        """Note that it did."""
        if self._away:
            log.info("redis is back", of=self._what)
        self._away = False


class DraftCache:
    """One entry a draft: its newest sealed content and that content's revision. No method raises for what Redis does."""

    def __init__(self, redis: Redis, space: str = "holdfast") -> None:
        self._redis: Any = redis
        self._space = space
        self._outage = Outage("drafts")

    async def get(self, draft: str, revision: int) -> bytes | None:
        """Return the sealed content, if it is of exactly this revision."""
        found: bytes | None = await self._ask("GET", self._key(draft))
        of, _, content = (found or b"").partition(b":")
        return content if of == b"%d" % revision else None

    async def put(self, draft: str, revision: int, content: bytes) -> None:
        """Remember sealed content in the place of an earlier revision's."""
        await self._ask("SET", self._key(draft), b"%d:%b" % (revision, content), "EX", LIFE)

    async def drop(self, draft: str) -> None:
        """Forget a draft."""
        await self._ask("DEL", self._key(draft))

    def _key(self, draft: str) -> str:
        return f"{self._space}:draft:{draft}"

    async def _ask(self, *command: str | bytes | int) -> Any:
        if self._outage.resting:
            return None
        try:
            async with asyncio.timeout(TIMEOUT):
                answer = await self._redis.execute_command(*command)
        except FAILURES as error:
            return self._outage.failed(error)
        self._outage.answered()
        return answer


async def forget_all(redis: Redis, space: str = "holdfast") -> None:
    """Drop every draft. Raises what a client may raise."""
    async for key in redis.scan_iter(match=f"{space}:draft:*", count=1000):
        await redis.delete(key)


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
                kind, _, name = bytes(word["data"]).decode(errors="replace").partition(":")
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
