"""Drafts in Redis: a cache and nothing else. Losing it, or any of it, at any moment costs a read of the database."""

import asyncio
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

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
"""How every client of this installation is opened."""

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
