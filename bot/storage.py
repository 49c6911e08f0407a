"""Opens what an installation keeps its data in: the store, and a Redis where there is one."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from redis.asyncio import Redis

from bot.installation import make_key, named
from bot.progress import Say, silent
from bot.settings import Settings
from bot.starting import tell_of_redis, writable
from state.stores.cache import DraftCache
from state.stores.embedded import start_embedded
from state.stores.opener import open_redis, open_store
from state.stores.store import Store

Close = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Cache:
    """A Redis, if there is one, and how to let go of it: only an embedded server is ever stopped."""

    client: Redis | None = None
    stop: Close | None = None


async def make_cache(settings: Settings, say: Say = silent) -> Cache:
    """The Redis of REDIS_URL, or the embedded one; none where neither can be had: the bot runs without."""
    if settings.redis_url:
        with named("REDIS_URL"):
            client = open_redis(settings.redis_url)
        await tell_of_redis(client, say)
        return Cache(client, client.aclose)
    with writable(settings.holdfast_var):
        settings.holdfast_var.mkdir(parents=True, exist_ok=True)
    embedded = await start_embedded(settings.holdfast_var)
    return Cache(embedded.client, embedded.stop) if embedded else Cache()


def make_store(settings: Settings, redis: Redis | None = None, say: Say = silent) -> Store:
    """The store of DATABASE_URL, or SQLite under `var/`; `say` is told where its tables have to be changed first."""
    with writable(settings.holdfast_var):
        settings.holdfast_var.mkdir(parents=True, exist_ok=True)
        key = make_key(settings)
    with named("DATABASE_URL"):
        return open_store(settings.database, key, DraftCache(redis) if redis else None, say)
