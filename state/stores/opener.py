"""Opens the store and Redis that the settings name. A wrong address is a ValueError in words; no password is ever repeated in them."""

from collections.abc import Callable

from redis.asyncio import Redis
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from state.extras import lacking
from state.stores.cache import OPTIONS, DraftCache
from state.stores.sql.engine import Database, wall_clock
from state.stores.sql.sqlite import Clock
from state.stores.store import Store
from state.stores.vault import Vault

DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
KNOWN = frozenset({"host", "port", "ssl"})


def open_store(
    database_url: str, key: bytes, cache: DraftCache | None = None, say: Callable[[str], object] = lambda _: None
) -> Store:
    """Return the store at this address, sealed under the installation's key (32 bytes). Start it before use. Raises ValueError.

    `say` is told where the start has to change tables first, which may take a while.
    """
    return Store(Database(database_address(database_url), say=say), Vault(key), cache)


def memory_store(clock: Clock = wall_clock) -> Store:
    """Return a store on SQLite in memory under a key of its own, for scenarios and tests. `clock` is its time."""
    return Store(Database(make_url("sqlite://"), clock), Vault(Vault.make_key()))


def database_address(text: str) -> URL:
    """Return a DATABASE_URL with the right driver: sqlite:///path, postgres://… and postgresql://… in all their spellings."""
    try:
        url = make_url(text.strip())
    except (ArgumentError, ValueError):
        raise ValueError(
            "DATABASE_URL is no address of a database; write sqlite:///path/to/file.db or postgresql://user@host/name."
        ) from None
    driver = DRIVERS.get(url.drivername)
    if driver is None:
        raise ValueError(
            f"DATABASE_URL names {url.drivername}; SQLite (sqlite:///…) and PostgreSQL (postgresql://…) work."
        )
    url = url.set(drivername=driver)
    if driver == DRIVERS["sqlite"]:
        if url.host:
            raise ValueError("DATABASE_URL has two slashes where SQLite wants three: sqlite:///path/to/file.db.")
        if url.database in (None, "", ":memory:") or "mode" in url.query:
            raise ValueError("DATABASE_URL names no file; write sqlite:///path/to/file.db.")
        return url
    if missing := lacking("postgres", "DATABASE_URL names PostgreSQL, which"):
        raise ValueError(missing)
    if not url.database:
        raise ValueError("DATABASE_URL names no database; write postgresql://user@host/name.")
    query = dict(url.query)
    if mode := query.pop("sslmode", None):
        query.setdefault("ssl", mode)
    if strange := sorted(query.keys() - KNOWN):
        raise ValueError(f"DATABASE_URL has a parameter that is not known here: {strange[0]}. Leave it out.")
    return url.set(query=query)


def open_redis(url: str) -> Redis:
    """Return a client of the Redis at this REDIS_URL; nothing connects yet. Raises ValueError."""
    try:
        client: Redis = Redis.from_url(url.strip(), **OPTIONS)
    except ValueError:
        raise ValueError(
            "REDIS_URL is no address of a Redis; write redis://host:6379, rediss://… or unix://…."
        ) from None
    return client
