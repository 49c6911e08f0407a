"""Canaries: personal values and secrets go through real failing calls of every library, and none of them comes out in the log."""

import asyncio
import json
import logging
import re
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import anthropic
import pytest
import structlog
from aiohttp import web
from redis.asyncio import Redis
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from bot.operations import logs
from tests.bot.test_slack_unwell import answering
from tests.bot.written import as_the_bot_logs

CANARIES = {
    "words": "canaryseven bought shares",
    "name": "Canarina Canarelli",
    "bot token": "xoxb-1234-canary-5678",
    "app token": "xapp-1-A0CANARY-99-canary",
    "model key": "sk-ant-canary-0123456789",
    "e-mail": "canary@canary.example",
    "phone": "+44 20 7946 0958",
    "account": "GB82 WEST 1234 5698 7654 32",
    "person": "U0CANARY1",
    "password": "canarypass",
}
WHOLE = " / ".join(CANARIES.values())
"""Everything at once, as a message may hold it."""
MARKS = ("canar", "Canar", "7946", "U0CANARY", "A0CANARY", "5698")
"""What must stand in no line, in whatever spelling it arrives."""


def marks_in(said: str) -> list[str]:
    """Return the marks that the lines hold; figures within a longer one are a port or a part of a second."""
    return [mark for mark in MARKS if re.search(rf"(?<![0-9]){mark}(?![0-9])", said)]


Failing = Callable[[str], Awaitable[Any]]


async def slack_call(url: str) -> None:
    """A post whose text and channel are canaries, to a server that fails."""
    client = AsyncWebClient(CANARIES["bot token"], base_url=url, timeout=1)
    await client.chat_postMessage(channel=CANARIES["person"], text=WHOLE, blocks=[{"type": "section", "text": WHOLE}])


async def webhook(url: str) -> None:
    """An answer to a click, at an address that is a secret."""
    await AsyncWebhookClient(f"{url}{CANARIES['password']}/x", timeout=1).send(text=WHOLE)


async def socket(url: str) -> None:
    """A socket whose token is refused."""
    client = SocketModeClient(CANARIES["app token"], web_client=AsyncWebClient(base_url=url, timeout=1))
    try:
        await client.issue_new_wss_url()
    finally:
        await client.close()


async def model_call(url: str) -> None:
    """A prompt to a model that fails."""
    client = anthropic.AsyncAnthropic(api_key=CANARIES["model key"], base_url=url, max_retries=1, timeout=1)
    async with client:
        await client.messages.create(model="m", max_tokens=5, messages=[{"role": "user", "content": WHOLE}])


async def session(url: str) -> None:
    """A plain request with a secret in address and header."""
    headers = {"Authorization": f"Bearer {CANARIES['bot token']}"}
    async with aiohttp.ClientSession(headers=headers) as client:
        await client.get(f"http://{CANARIES['password']}:{CANARIES['password']}@127.0.0.1:9/{CANARIES['e-mail']}")


async def database(_: str) -> None:
    """A statement with parameters that the database refuses."""
    engine = create_engine("sqlite://", echo="debug")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE t (a UNIQUE)"))
        for _ in range(2):
            connection.execute(text("INSERT INTO t VALUES (:a)"), {"a": WHOLE})


async def plain_sqlite(_: str) -> None:
    """The driver's own error, which quotes."""
    sqlite3.connect(":memory:").execute(f'SELECT "{CANARIES["name"]}" FROM "{WHOLE}"')  # noqa: S608  it is meant to fail


async def redis(_: str) -> None:
    """A Redis with a password that does not answer."""
    await Redis.from_url(f"redis://:{CANARIES['password']}@127.0.0.1:9", socket_timeout=0.2).set(WHOLE, WHOLE)


async def validation(_: str) -> None:
    """A handler's own exception, with causes that quote."""
    try:
        raise KeyError(WHOLE)
    except KeyError as cause:
        raise ValueError(f"cannot take {WHOLE}") from cause


FAILING: dict[str, Failing] = {
    act.__name__: act
    for act in (slack_call, webhook, socket, model_call, session, database, plain_sqlite, redis, validation)
}
ANSWERS: dict[str, dict[str, Any]] = {
    "an error that quotes": {"status": 500, "text": WHOLE, "content_type": "text/plain"},
    "broken JSON that quotes": {"text": f'{{"ok": "{WHOLE}', "content_type": "application/json"},
    "a refusal that quotes": {
        "status": 401,
        "text": json.dumps({"ok": False, "error": WHOLE, "needed": WHOLE, "type": "error", "message": WHOLE}),
        "content_type": "application/json",
    },
}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_no_canary_comes_through_a_failing_call(answer: str) -> None:
    """Whatever fails, and whatever a library says of it at any level, no value, secret or person stands in the log."""
    with as_the_bot_logs("debug") as written:
        async with answering(lambda: web.Response(**ANSWERS[answer])) as url:
            for name, fail in FAILING.items():
                try:
                    await fail(url)
                except Exception as problem:
                    structlog.get_logger().exception("failed", of=name)
                    logging.getLogger("some.library").exception(f"failed because of {problem}")
                    logging.getLogger("another.library").error("failed for %s: %r", WHOLE, problem, exc_info=True)
    said = written.getvalue()
    assert marks_in(said) == []
    assert said.count('"of": ') >= len(FAILING) - 1 and "IntegrityError" in said and "failed because of …" in said


async def authorized(team_id: str) -> AuthorizeResult:
    """Whoever asks."""
    return AuthorizeResult(enterprise_id=None, team_id=team_id, bot_token="xoxb-1", bot_user_id="B1")


async def test_no_canary_comes_through_an_exception_of_a_listener() -> None:
    """Bolt logs a listener's exception with its text, and a request that nobody listens to whole: neither comes through."""
    with as_the_bot_logs("debug") as written:
        app = AsyncApp(authorize=authorized, signing_secret="s", process_before_response=True)

        @app.event("app_mention")
        async def on_mention(event: dict[str, Any]) -> None:
            raise RuntimeError(f"cannot take {event}")

        for kind in ("app_mention", "reaction_added"):
            event = {"type": kind, "user": CANARIES["person"], "text": WHOLE, "channel": "C1"}
            body = {"type": "event_callback", "team_id": "T1", "event": event, "authorizations": []}
            await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
    said = written.getvalue()
    assert marks_in(said) == []
    assert (
        "Failed to run listener function (error: …" in said
        and "RuntimeError" in said
        and "tests.bot.test_logs_leaks:" in said
    )


async def test_no_canary_comes_from_a_task_that_nobody_waits_for() -> None:
    """asyncio tells of a lost exception with the task's arguments; the line has class and place alone."""

    async def lost(words: str) -> None:
        raise RuntimeError(words)

    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    with as_the_bot_logs("debug") as written:
        logs.watch(loop)
        task = asyncio.create_task(lost(WHOLE))
        await asyncio.wait({task})
        loop.call_exception_handler({"message": WHOLE, "exception": task.exception(), "task": task})
        loop.set_exception_handler(before)
    said = written.getvalue()
    assert marks_in(said) == [] and "RuntimeError" in said and "task_failed" in said


@pytest.mark.parametrize("kind", sorted(CANARIES.keys() - {"words", "name", "password"}))
def test_a_secret_in_a_line_of_our_own_is_struck(kind: str) -> None:
    """Tokens, keys, addresses, numbers and ids of people are struck from our own lines as well, wherever they stand."""
    with as_the_bot_logs() as written:
        told = f"before {CANARIES[kind]} after"
        structlog.get_logger().info("happened", reason=told, nested={"a": [told]}, number=200)
    said = written.getvalue()
    assert marks_in(said) == [] and "before [struck]" in said and '"number": 200' in said


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+asyncpg://bot:canarypass@db.example:5432/holdfast",
        "https://hooks.slack.com/actions/T1/123/canary",
        "redis://:canarypass@cache:6379",
    ],
)
def test_an_address_with_a_secret_in_it_is_struck(address: str) -> None:
    """Ways back to clicks, webhooks and databases are keys: nothing of them is told."""
    with as_the_bot_logs() as written:
        structlog.get_logger().warning("happened", reason=f"at {address}")
    assert "canary" not in written.getvalue()


def test_what_an_operator_needs_is_not_struck() -> None:
    """Days, times, Slack's codes, figures and the bot's own sentences come through whole."""
    told = {
        "code": "not_in_channel", "status": 503, "day": "2026-11-22", "at": "2026-11-22T13:45:00+00:00", "ts": "1700000000.000100",
        "form": "pa_dealing", "draft": "123456789012", "where": ["bot.turns.worker:288"], "reason": "REJECTED_NOT_GROUNDED",
    }  # fmt: skip
    with as_the_bot_logs() as written:
        structlog.get_logger().info("happened", **told)
    line = json.loads(written.getvalue())
    assert {name: line[name] for name in told} == told


async def test_a_statement_that_fails_is_told_by_its_code(tmp_path: Path) -> None:
    """Of a database's error, its own name for it is told."""
    with as_the_bot_logs() as written:
        try:
            await database("")
        except SQLAlchemyError:
            structlog.get_logger().exception("failed")
    assert "SQLITE_CONSTRAINT_UNIQUE" in written.getvalue()
