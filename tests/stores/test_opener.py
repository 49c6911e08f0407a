"""Which addresses open what, and what is said about the others."""

import pytest

from state.stores.cache import OPTIONS
from state.stores.opener import database_address, open_redis, open_store
from tests.stores.helpers import KEY


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("sqlite:///var/holdfast.db", "sqlite+aiosqlite:///var/holdfast.db"),
        ("sqlite:////srv/holdfast.db", "sqlite+aiosqlite:////srv/holdfast.db"),
        (" sqlite+aiosqlite:///x.db\n", "sqlite+aiosqlite:///x.db"),
        ("postgres://bot:secret@db:5432/holdfast", "postgresql+asyncpg://bot:secret@db:5432/holdfast"),
        ("postgresql://bot@db/holdfast", "postgresql+asyncpg://bot@db/holdfast"),
        ("postgresql+asyncpg://bot@db/holdfast", "postgresql+asyncpg://bot@db/holdfast"),
        ("postgres://bot@db/holdfast?sslmode=require", "postgresql+asyncpg://bot@db/holdfast?ssl=require"),
        ("postgresql://bot@/holdfast?host=/run/pg", "postgresql+asyncpg://bot@/holdfast?host=%2Frun%2Fpg"),
    ],
)
def test_an_address_gets_its_driver(text: str, address: str) -> None:
    """Every usual spelling of SQLite's and PostgreSQL's addresses is understood."""
    assert database_address(text).render_as_string(hide_password=False) == address


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no address"),
        ("holdfast.db", "no address"),
        ("postgresql://bot:secret@db:port/x", "no address"),
        ("mysql://bot:secret@db/holdfast", "names mysql"),
        ("postgresql+psycopg2://bot:secret@db/holdfast", "names postgresql"),
        ("sqlite://", "no file"),
        ("sqlite:///:memory:", "no file"),
        ("sqlite:///file:x?mode=memory", "no file"),
        ("sqlite://var/holdfast.db", "two slashes"),
        ("postgresql://bot:secret@db", "no database"),
        ("postgresql://bot:secret@db/x?channel_binding=require", "channel_binding"),
    ],
)
def test_a_wrong_address_is_told_in_a_sentence(text: str, words: str) -> None:
    """What is wrong with an address is said in words that never hold its password."""
    with pytest.raises(ValueError, match=words) as refused:
        open_store(text, KEY)
    assert "secret" not in str(refused.value) and str(refused.value).endswith(".")


async def test_a_redis_is_opened_with_short_patience() -> None:
    """A client of a real Redis gives up as soon as the cache does."""
    client = open_redis("redis://:secret@localhost:6399/2")
    known = client.connection_pool.connection_kwargs
    assert (known["socket_timeout"], known["socket_connect_timeout"]) == (OPTIONS["socket_timeout"],) * 2
    await client.aclose()


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://:secret@localhost", "redis://localhost:secret"])
def test_a_wrong_redis_address_is_told_in_a_sentence(url: str) -> None:
    """What is wrong with REDIS_URL is said in words that never hold its password."""
    with pytest.raises(ValueError, match="REDIS_URL") as refused:
        open_redis(url)
    assert "secret" not in str(refused.value)
