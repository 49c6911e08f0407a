"""What comes signed and has not the shape of a request: 200 or 400, never our fault, and nothing is kept that nobody can handle."""

import copy
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.socket_mode.request import SocketModeRequest

from blocks import ids
from bot.root.assembly import build
from bot.root.installation import make_key
from bot.root.lifecycle import Bot
from bot.sandbox.server import Sandbox
from bot.slack.requests import SocketHandler, shaped
from state.exact_json import loads
from tests.bot.test_health import signed
from tests.patience import PACE
from tests.thoroughness import ANY
from tests.world import in_memory, settings

Json = dict[str, Any]
NOW = f"{int(time.time())}.000100"
USER, TEAM = {"id": "U0ALEX", "team_id": "T0HOLDFAST"}, {"id": "T0HOLDFAST", "domain": "holdfast"}
MESSAGE: Json = {
    "type": "message", "channel": "D0ALEX", "channel_type": "im", "user": "U0ALEX", "text": "hello", "ts": NOW,
    "files": [{"id": "F1", "name": "note.pdf", "mimetype": "application/pdf", "size": 9}],
}  # fmt: skip
CLICK: Json = {
    "action_id": "hf-home.own", "block_id": "b", "type": "button", "value": "3", "action_ts": NOW, "text": {"type": "plain_text", "text": "Next"},
}  # fmt: skip
VIEW: Json = {
    "id": "V1", "hash": "1.a", "type": "modal", "callback_id": ids.ENTRY, "private_metadata": "{}",
    "state": {"values": {ids.ENTRY_BLOCK: {ids.ENTRY_BLOCK: {"type": "plain_text_input", "value": "1"}}}},
}  # fmt: skip


def event(inner: Json) -> Json:
    """An envelope of the Events API."""
    about = {"team_id": "T0HOLDFAST", "api_app_id": "A0HOLDFAST", "event_id": "Ev1", "event_time": 1}
    return {
        "type": "event_callback",
        "token": "t",
        **about,
        "event": inner,
        "authorizations": [{"team_id": "T0HOLDFAST", "user_id": "UBOT"}],
    }


def interaction(kind: str, **more: Any) -> Json:
    """An envelope of an interaction."""
    return {"type": kind, "user": USER, "team": TEAM, "trigger_id": "1.2.a", "api_app_id": "A0HOLDFAST", **more}


WHOLE: dict[str, Json] = {
    "a message": event(MESSAGE),
    "a mention": event({**MESSAGE, "type": "app_mention", "channel": "C0X", "thread_ts": NOW}),
    "Home": event({"type": "app_home_opened", "user": "U0ALEX", "tab": "home", "channel": "D0ALEX"}),
    "a channel": event({"type": "member_joined_channel", "user": "U0ALEX", "channel": "C0X"}),
    "what nobody listens to": event({"type": "reaction_added", "user": "U0ALEX", "item": {"channel": "C0X"}}),
    "a click": interaction(
        "block_actions", actions=[CLICK], view=VIEW, container={"type": "view", "view_id": "V1"}, response_url="https://hooks.example/1"
    ),
    "a click on a card": interaction(
        "block_actions", actions=[{**CLICK, "action_id": "hf.begin.x"}], channel={"id": "D0ALEX"}, message={"ts": NOW, "blocks": []},
        container={"type": "message", "message_ts": NOW, "channel_id": "D0ALEX"}, state={"values": {}},
    ),
    "a modal": interaction("view_submission", view=VIEW),
    "a modal that is closed": interaction("view_closed", view=VIEW, is_cleared=False),
    "a menu": interaction("block_suggestion", action_id="hf.find", block_id="{}", value="te"),
    "a command": {
        "command": "/pa", "text": "", "user_id": "U0ALEX", "team_id": "T0HOLDFAST", "trigger_id": "1.2.b", "channel_id": "D0ALEX",
    },
}  # fmt: skip
INSTEAD: tuple[tuple[Any, ...], ...] = (
    (None,), ([], [[]], [None]), ({}, {"": {}}, {"id": 7}), ("", "x" * 3000, "\0", "9" * 5000), (0, -1.5, True),
)  # fmt: skip
"""What JSON knows beside a number that fits: a place gets one of each sort, the next place the next one."""
RAW = {
    "a key twice": b'{"type": "event_callback", "type": "event_callback", "event": {"type": "message"}}',
    "no number": b'{"type": "event_callback", "event": {"type": "x", "n": NaN}}',
    "an endless number": b'{"type": "event_callback", "event": {"type": "x", "n": ' + b"9" * 5000 + b"}}",
    "too large a number": b'{"type": "event_callback", "event": {"type": "x", "n": 1e999}}',
    "deep": b'{"type": "event_callback", "event": {"type": "x", "n": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "deeper": b'{"a":' * 90_000,
    "no UTF-8": b'{"type": "event_callback", "event": {"type": "\xff"}}',
    "half a letter": b'{"type": "event_callback", "event": {"type": "message", "channel": "D0", "user": "U1", "ts": "1.1", "text": "\\ud800"}}',
    "a mark of an encoding": "\ufeff{}".encode(),
    "nothing": b"",
    "no object": b"[]",
    "a word": b'"event_callback"',
    "null": b"null",
    "a form without a payload": b"a=1&b=2",
    "a form whose payload is none": b"payload=" + quote("[1]").encode(),
    "a form with two payloads": b"payload=%7B%7D&payload=%7B%7D",
}


def places(whole: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a body, from the outside in."""
    inner = whole.items() if isinstance(whole, dict) else enumerate(whole) if isinstance(whole, list) else ()
    for key, value in inner:
        yield (*at, key)
        yield from places(value, (*at, key))


def spoilt(whole: Json) -> Iterator[Json]:
    """The body with each thing in it missing, and in turn one of each sort in its place."""
    for n, at in enumerate(places(whole)):
        for instead in ("missing", *(sort[n % len(sort)] for sort in INSTEAD)):
            one = copy.deepcopy(whole)
            inside: Any = one
            for key in at[:-1]:
                inside = inside[key]
            if instead == "missing" and isinstance(inside, dict):
                del inside[at[-1]]
            else:
                inside[at[-1]] = instead
            yield one


@dataclass
class Door:
    """A bot behind HTTP, and who posts to it."""

    bot: Bot
    session: aiohttp.ClientSession
    secret: str

    async def post(self, body: bytes, kind: str = "application/json") -> int:
        """The status of a signed request."""
        headers = {"Content-Type": kind, **signed(self.secret, body)}
        async with self.session.post(
            f"http://127.0.0.1:{self.bot.web.port}/slack/events", data=body, headers=headers
        ) as answer:
            return answer.status


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    """A bot in HTTP mode on a store in memory."""
    sandbox = Sandbox()
    sandbox.knobs.tiers = PACE
    await sandbox.start()
    made = settings(
        tmp_path, slack_bot_token=sandbox.bot_token, slack_signing_secret="s3cret", slack_api_url=sandbox.api_url
    )
    make_key(made)
    bot = await build(made, None, 0, store=in_memory())
    await bot.start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Door(bot, session, "s3cret")
    finally:
        await bot.stop()
        await sandbox.stop()


def as_sent(whole: Json) -> tuple[bytes, str]:
    """A body as Slack sends its sort over HTTP."""
    if "command" in whole:
        return urlencode(whole).encode(), "application/x-www-form-urlencoded"
    if "event" in whole or whole.get("type") == "event_callback":
        return json.dumps(whole).encode(), "application/json"
    return urlencode({"payload": json.dumps(whole)}).encode(), "application/x-www-form-urlencoded"


@pytest.mark.parametrize("kind", WHOLE)
async def test_whatever_is_missing_or_of_another_kind(door: Door, kind: str) -> None:
    """Each key of each sort of request, missing or with something else in it, ends in 200 or 400, and nothing stored ends as a dead letter."""
    assert await door.post(*as_sent(WHOLE[kind])) == 200
    found = {}
    for one in spoilt(WHOLE[kind]):
        body, sort = as_sent(one)
        status = await door.post(body, sort)
        if status not in (200, 400):
            found[body[:300]] = status
    await door.bot.engine.idle()
    assert found == {}
    assert [row for row in await door.bot.store.dead() if row[0] == "inbox"] == []


@pytest.mark.parametrize("kind", RAW)
async def test_what_is_no_body_at_all(door: Door, kind: str) -> None:
    """Two readings, endless numbers, endless nesting, no text: refused before anybody breaks over it, as JSON and as a form."""
    for sort in ("application/json", "application/x-www-form-urlencoded", "text/plain"):
        assert await door.post(RAW[kind], sort) in (200, 400)
    for inner in ("null", "[]", "7", '"x"', "{}", '{"type": null}'):
        body = f'{{"type": "event_callback", "team_id": "T1", "event": {inner}}}'
        assert await door.post(body.encode()) == 400


KEYS = ["event", "type", "user", "id", "actions", "view", "state", "values", "ts"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(ANY, max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(ANY, max_size=4), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(anything)
def test_any_json_is_a_request_or_is_none(told: Any) -> None:
    """Whatever JSON there is, the guard answers yes or no."""
    assert shaped(told) in (True, False)


@given(st.text(ANY, max_size=40) | anything.map(json.dumps))
def test_any_text_is_read_or_refused(text: str) -> None:
    """What is read is read as everybody reads it; the rest raises ValueError and nothing else."""
    try:
        told = loads(text)
    except ValueError:
        return
    assert json.loads(text) == told


@dataclass
class Socket:
    """The socket's other end: what was acknowledged."""

    acked: list[str] = field(default_factory=list)

    async def send_socket_mode_response(self, response: Any) -> None:
        """Keep which envelope it is."""
        self.acked.append(str(response.envelope_id))


async def test_the_same_in_a_socket(door: Door) -> None:
    """An envelope that nobody can handle is acknowledged once, told in the log, and breaks nothing; a whole one goes the way of any other."""
    handler, ours = SocketHandler(door.bot.app, "xapp-1"), Socket()
    handler.client.send_socket_mode_response = ours.send_socket_mode_response  # type: ignore[method-assign,assignment]  # the socket's other end
    try:
        bare = {"type": "event_callback", "event": None}
        payloads = [None, [], 7, "text", {}, {"type": None}, bare, *list(spoilt(WHOLE["a message"]))[::5]]
        for n, payload in enumerate(payloads):
            whole: Json = {"type": "events_api", "envelope_id": f"e{n}", "payload": payload}
            for envelope in (
                whole,
                {**whole, "type": ["events_api"], "envelope_id": f"f{n}"},
                {**whole, "envelope_id": {}},
                {"envelope_id": f"g{n}", "payload": payload},
                {"type": "events_api", "envelope_id": f"h{n}"},
                {**whole, "envelope_id": f"i{n}", "retry_attempt": {}, "retry_reason": []},
            ):
                await handler.client.run_message_listeners(envelope, json.dumps(envelope))
            assert {f"f{n}", f"g{n}", f"h{n}"} <= set(ours.acked)
            assert f"e{n}" in ours.acked or shaped(payload), payload
        once = [name for name in ours.acked if name != "{}"]
        assert len(once) == len(set(once))
        await handler.client.run_message_listeners({"type": "hello"}, "")
        assert SocketModeRequest.from_dict({"type": "hello"}) is None
    finally:
        await handler.client.aiohttp_client_session.close()
    await door.bot.engine.idle()
    assert [row for row in await door.bot.store.dead() if row[0] == "inbox"] == []
