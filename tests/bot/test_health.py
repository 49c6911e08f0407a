"""Health that is true: each check fails when what it looks at is not well, says why, and costs the bot nothing."""

import hashlib
import hmac
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.root.assembly import build
from bot.root.installation import make_key
from bot.root.lifecycle import Bot
from bot.sandbox.local import pointed_at, sandboxed
from bot.sandbox.server import Sandbox
from bot.settings import Wrong
from tests.bot.test_budget import Hand
from tests.whole.test_delivery import put, row
from tests.world import World, in_memory, settings


@dataclass
class Door:
    """A bot behind its HTTP, and who asks there."""

    sandbox: Sandbox
    bot: Bot
    session: aiohttp.ClientSession
    clock: Hand

    async def ask(self, path: str) -> tuple[int, Any]:
        """Status and JSON."""
        async with self.session.get(f"http://127.0.0.1:{self.bot.web.port}{path}") as response:
            return response.status, await response.json()

    async def ready(self) -> tuple[int, list[str]]:
        """Status and reasons, worked out anew."""
        self.clock.now += 2
        status, told = await self.ask("/readyz")
        return status, told["reasons"]

    async def metrics(self) -> str:
        """What Prometheus gets."""
        self.clock.now += 2
        async with self.session.get(f"http://127.0.0.1:{self.bot.web.port}/metrics") as response:
            return await response.text()

    @property
    def world(self) -> World:
        """The same for the helpers of other tests."""
        return World(self.sandbox, self.bot, None, self.sandbox.person("U0ALEX"))


@asynccontextmanager
async def door(tmp_path: Path, *, kept: bool = False) -> AsyncIterator[Door]:
    """A bot with its HTTP open."""
    made, clock = settings(tmp_path / "var"), Hand()
    make_key(made)
    store = None if kept else in_memory()
    async with sandboxed(made, serves=0, store=store) as (sandbox, bot), aiohttp.ClientSession() as session:
        await sandbox.until(lambda: sandbox.connected)
        bot.health.clock = clock
        yield Door(sandbox, bot, session, clock)


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Door]:
    """A bot with its HTTP open."""
    async with door(tmp_path) as made:
        yield made


async def test_a_bot_that_is_well_says_so(opened: Door) -> None:
    """Alive and ready, with every check by name and no reason."""
    assert (await opened.ask("/healthz"))[0] == 200
    status, told = await opened.ask("/readyz")
    assert (status, told["reasons"], told["warnings"], told["stuck"]) == (200, [], [], {})
    assert set(told["checks"]) == {"database", "slack", "key", "queues"}


async def test_each_trouble_has_its_reason(opened: Door) -> None:
    """A key that is gone, a Slack that refuses the token, a socket that is closed, and a row that waits too long are each told; then 503."""
    key = opened.bot.settings.holdfast_var / "holdfast.key"
    content = key.read_bytes()
    key.unlink()
    assert await opened.ready() == (503, ["key: holdfast.key is gone"])
    key.write_bytes(b"nonsense")
    assert await opened.ready() == (503, ["key: cannot be read (Wrong)"])
    key.write_bytes(content)
    await opened.bot.store.prove_writable()
    opened.sandbox.knobs.outage = {"*": "token_revoked"}
    await put(opened.world, row(opened.world, "q"))
    await opened.sandbox.until(lambda: opened.bot.health.reaches()[0].holding)
    assert await opened.ready() == (503, ["slack: does not take what is sent (token_revoked)"])
    opened.sandbox.knobs.outage = {}
    await opened.sandbox.until(opened.world.screen)
    late = replace(row(opened.world, "late"), due_at=await opened.bot.store.now() - timedelta(minutes=10))
    opened.sandbox.knobs.delay["chat.postMessage"] = 1
    await put(opened.world, late)
    status, reasons = await opened.ready()
    assert status == 503 and reasons[0].startswith("queues: outbox slack: 1 wait, the oldest for 60")
    assert opened.bot.socket is not None
    await opened.world.settled()
    await opened.bot.socket.close_async()  # type: ignore[no-untyped-call]  # Bolt has no types here
    assert await opened.ready() == (503, ["slack: no socket is open"])


async def test_a_database_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A write is really made; where it fails the bot is not ready, and the metrics still come."""
    async with door(tmp_path, kept=True) as opened:
        with closing(sqlite3.connect(tmp_path / "var" / "holdfast.db")) as other:
            other.execute("DROP TABLE series")
        assert await opened.ready() == (503, ["database: cannot be written (Unavailable)"])
        assert 'holdfast_ready{check="database"} 0.0' in await opened.metrics()


async def test_asking_often_costs_nothing(opened: Door) -> None:
    """However often it is asked within a second, an answer is worked out once."""
    first = await opened.ask("/readyz")
    opened.bot.health.operators = ("C0COMPLIANCE",)
    opened.sandbox.archive("C0COMPLIANCE")
    await put(opened.world, row(opened.world, "a", channel="C0COMPLIANCE"))
    await opened.sandbox.until(opened.bot.store.count_stuck)
    assert [await opened.ask("/readyz") for _ in range(20)] == [first] * 20
    opened.clock.now += 2
    assert await opened.ask("/readyz") != first


async def test_what_is_stuck_is_told_and_takes_nobody_out_of_service(opened: Door) -> None:
    """Blocked rows are told by reason, in `/readyz` and in the gauges; the operators' own channel that takes nothing is a warning."""
    world = opened.world
    opened.bot.health.operators = ("C0COMPLIANCE",)
    opened.sandbox.archive("C0COMPLIANCE")
    await put(world, row(world, "a", channel="C0COMPLIANCE"))
    await opened.sandbox.until(opened.bot.store.count_stuck)
    opened.clock.now += 2
    status, told = await opened.ask("/readyz")
    assert (status, told["stuck"]) == (200, {"outbox blocked: is_archived": 1})
    assert told["warnings"] == ["the operators' channel takes no messages (is_archived)"]
    text = await opened.metrics()
    assert 'holdfast_stuck{queue="outbox",reason="is_archived",status="blocked"} 1.0' in text
    assert 'holdfast_queue_held{lane="slack",queue="outbox"} 1.0' in text and "holdfast_slack_connected 1.0" in text
    assert "U0ALEX" not in text and world.alex.dm not in text


async def test_before_the_start_nothing_is_ready(tmp_path: Path) -> None:
    """A bot that has not started is no bot that works, and one whose queues nobody works off is not alive."""
    bot = await build(pointed_at(settings(tmp_path), Sandbox()), store=in_memory())
    assert not (await bot.health.ready()).ok and (await bot.health.alive()).ok
    bot.health.started = True
    assert (await bot.health.alive()).body["reasons"] == ["the queues are not worked off any more"]
    for close in bot.closing:
        await close()


GARBAGE = (
    b"", b"{", b"[]", b"5", b"null", b'"x"', b"\xff\xfe", b"payload=", b"payload=%7B", b"payload=[]", b"[" * 5000,
    b'{"event": 5}', b'{"type": "event_callback", "event": []}', b'{"team": 5}', b'{"event": {"type": "message", "channel": 7}}',
    b'{"authorizations": [1]}', b'{"type": "block_actions", "actions": [5]}', b'{"type": "block_actions", "actions": {}}',
)  # fmt: skip


def signed(secret: str, body: bytes) -> dict[str, str]:
    """Slack's headers over a body."""
    now = str(int(time.time()))
    digest = hmac.new(secret.encode(), f"v0:{now}:".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": now, "X-Slack-Signature": f"v0={digest}"}


async def test_garbage_is_refused_and_breaks_nothing(tmp_path: Path) -> None:
    """What is signed and is no request of Slack's gets 400; what is not signed gets 401, whatever it is; neither is ever our fault."""
    sandbox = Sandbox()
    await sandbox.start()
    given = {"slack_bot_token": sandbox.bot_token, "slack_signing_secret": "s3cret", "slack_api_url": sandbox.api_url}
    made = settings(tmp_path, **given)
    make_key(made)
    bot = await build(made, None, 0, store=in_memory())
    await bot.start()
    try:
        async with aiohttp.ClientSession() as session:
            address = f"http://127.0.0.1:{bot.web.port}/slack/events"
            for body in GARBAGE:
                for kind in ("application/json", "application/x-www-form-urlencoded", "text/plain; charset=none"):
                    headers = {"Content-Type": kind, **signed("s3cret", body)}
                    async with session.post(address, data=body, headers=headers) as response:
                        assert response.status == 400, (body, kind)
                    async with session.post(address, data=body, headers=headers | signed("wrong", body)) as response:
                        assert response.status == 401, (body, kind)
            async with session.get(f"http://127.0.0.1:{bot.web.port}/readyz") as response:
                assert response.status == 200, await response.text()
    finally:
        await bot.stop()
        await sandbox.stop()


@pytest.mark.parametrize(
    ("given", "host", "port"),
    [("3978", "127.0.0.1", 3978), (0, "127.0.0.1", 0), ("0.0.0.0:80", "0.0.0.0", 80), ("[::]:8080", "::", 8080)],  # noqa: S104
)
def test_a_port_is_this_machines_own_unless_an_address_is_named(
    tmp_path: Path, given: Any, host: str, port: int
) -> None:
    """HOLDFAST_PORT takes a port, or an address and a port."""
    told = settings(tmp_path, holdfast_port=given)
    assert (told.holdfast_port.host, told.holdfast_port) == (host, port)


@pytest.mark.parametrize("given", ["", "x", "-1", "65536", "0.0.0.0:", ":80", "1.2.3.4:http", "٣"])
def test_a_port_that_is_none_is_a_sentence(tmp_path: Path, given: str) -> None:
    """Anything else is told with what to write."""
    with pytest.raises(Wrong) as wrong:
        settings(tmp_path, holdfast_port=given)
    assert "HOLDFAST_PORT must be a port" in wrong.value.problems[0]
