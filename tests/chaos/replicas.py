"""Replicas of the bot in one process, each behind gates: whatever it does that others can see passes one, and may be held or lost there.

Between two gates a process changes nothing that outlives it. So a replica that stops at a gate is a process that was killed
anywhere between this gate and the one before.
"""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import formatdate
from functools import cache, lru_cache
from typing import Any

import aiohttp
from multidict import CIMultiDict
from slack_bolt.async_app import AsyncBoltRequest
from sqlalchemy import Connection, Engine, NullPool, create_engine, make_url

from bot.effects.model_calls import ModelCaller
from bot.listeners import register
from bot.model.protocol import Model
from bot.officers.digest import Digests
from bot.root.assembly import make_engine, make_intake, make_parts
from bot.root.slack import TRIES, for_every, make_app, make_client
from bot.sandbox import chat
from bot.sandbox.delivery import Ack, Envelope
from bot.sandbox.local import ROLES
from bot.sandbox.routes import METHODS
from bot.sandbox.server import Sandbox
from bot.sandbox.slack import Params
from bot.sandbox.workspace import SlackError
from bot.settings import Settings
from bot.slack.client import Budget, SlackAvailability
from bot.slack.people import ThreadStatus
from bot.slack.requests import shaped
from bot.turns.inspector import Inspector
from bot.turns.worker import Worker
from state.stores.errors import Unavailable
from state.stores.sql.engine import Database
from state.stores.sql.sqlite import AWAY, Result, Statements
from state.stores.sql.types import SQLITE_CLOCK, written
from state.stores.store import Store
from state.stores.vault import Vault
from state.workflow.load import Workflow

OPENED: list[sqlite3.Connection] = []
"""The connection that the next SQLAlchemy connection is about."""


STATEMENTS = 1024
"""How many a connection keeps prepared: more than there are."""
_written = lru_cache(maxsize=1)(written)


@cache
def _engine() -> Engine:
    """Return one engine a process, so that a statement is compiled once."""
    options = {"poolclass": NullPool, "pool_reset_on_return": None, "hide_parameters": True}
    return create_engine("sqlite://", creator=OPENED.pop, **options)


class Disk:
    """The one database of all replicas, in memory. What is asked of it is done at once and whole."""

    def __init__(self, template: bytes, clock: Callable[[], datetime]) -> None:
        self.raw = sqlite3.connect(":memory:", isolation_level=None, cached_statements=STATEMENTS)
        if template:
            self.raw.deserialize(template)
        self.raw.create_function(SQLITE_CLOCK, 0, lambda: _written(clock()))
        self.raw.execute("PRAGMA foreign_keys=ON")
        OPENED.append(self.raw)
        self.connection: Connection = _engine().connect()
        self.clock = clock

    def do(self, work: Statements[Result], begin: str = "") -> Result:
        """Run statements, in one transaction where `begin` says how that begins."""
        if not begin:
            return work(self.connection)
        self.raw.execute(begin)
        try:
            done = work(self.connection)
        except BaseException:
            self.raw.execute("ROLLBACK")
            raise
        self.raw.execute("COMMIT")
        return done

    def close(self) -> None:
        """Forget everything."""
        self.connection.close()
        self.raw.close()

    def given_up(self, kind: str) -> int:
        """Return how many rows of a kind were sent twice, and nobody knows what came of it."""
        return int(
            self.raw.execute("SELECT count(*) FROM outbox WHERE kind = ? AND reason = 'unclear'", (kind,)).fetchone()[0]
        )

    def open(self) -> int:
        """Return how many rows are open and due, or will be within a minute: what somebody may wait for."""
        soon = "due_at <= strftime('%Y-%m-%d %H:%M:%f000', holdfast_clock(), '60 seconds')"
        asked = "SELECT (SELECT count(*) FROM inbox WHERE status = 'new') + (SELECT count(*) FROM outbox WHERE ended_at IS NULL AND {})"
        return int(self.raw.execute(asked.format(soon)).fetchone()[0])


class Ways(Database):
    """A replica's way to the disk. Also the driver of itself: there is no thread between."""

    def __init__(self, disk: Disk, gate: "Gate") -> None:
        super().__init__(make_url("sqlite://"), disk.clock)
        self._disk, self._gate = disk, gate
        self._driver, self.shared = self, True

    async def read(self, work: Statements[Result]) -> Result:
        """As the database's."""
        await self._gate("read")
        return self._disk.do(work)

    async def write(self, work: Statements[Result]) -> Result:
        """As the database's: what is committed stays, also where nobody is there any more to hear of it."""
        if await self._gate("write"):
            raise Unavailable(AWAY)
        done = self._disk.do(work, "BEGIN IMMEDIATE")
        if await self._gate("written"):
            raise Unavailable(AWAY)
        return done

    async def snapshot(self, work: Statements[Result]) -> Result:
        """As the database's."""
        await self._gate("read")
        return self._disk.do(work, "BEGIN")

    async def stop(self) -> None:
        """Leave the disk to the others."""


UPLOAD = "/upload/v1/"
"""Where the content of a file goes."""
Gate = Callable[[str], Awaitable[str]]
"""Passed before something is done and once it is done; gives the fault that it suffers there, empty for none."""


@dataclass
class Answer:
    """An HTTP answer of Slack's, as much of it as the SDK looks at."""

    status: int
    given: Any
    headers: CIMultiDict[str]

    @property
    def content_type(self) -> str:
        """Text, or JSON."""
        return "text/plain" if isinstance(self.given, str) else "application/json"

    async def json(self) -> Any:
        """Return the body."""
        return self.given

    async def text(self) -> str:
        """Return the body as it is sent."""
        return self.given if isinstance(self.given, str) else json.dumps(self.given)


class Call:
    """One request on its way to Slack."""

    def __init__(self, session: "Session", url: str, args: Mapping[str, Any]) -> None:
        self._session, self._url, self._args = session, url, args

    async def __aenter__(self) -> Answer:
        return await self._session.answer(self._url, self._args)

    async def __aexit__(self, *_: object) -> None:
        return None


class Session:
    """In the place of aiohttp's: the local Slack's own methods, called directly."""

    closed = False

    def __init__(self, sandbox: Sandbox, gate: Gate) -> None:
        self._slack, self._gate = sandbox.slack, gate

    def request(self, _verb: str, url: str, **given: Any) -> Call:
        """As aiohttp's: awaited as a context."""
        data = given.get("data")
        if UPLOAD in url:
            return Call(self, url, {"content": data})
        sent = json.loads(data) if isinstance(data, str | bytes) else {**(data or {}), **(given.get("json") or {})}
        return Call(self, url, {**dict(given.get("params") or {}), **json.loads(json.dumps(sent))})

    async def answer(self, url: str, args: dict[str, Any]) -> Answer:
        """Carry a call out and answer it. Raises aiohttp.ClientError where the connection breaks before or after."""
        method, carry_out = self._way(url)
        fault = await self._gate(f"call {method}")
        if fault == "limited":
            return self._made(429, {"ok": False, "error": "ratelimited"}, {"Retry-After": "1"})
        if fault == "broken":
            return self._made(502, "bad gateway")
        if fault:
            raise aiohttp.ServerDisconnectedError
        status, given = carry_out(url, args)
        if await self._gate(f"answered {method}"):
            raise aiohttp.ServerDisconnectedError
        return self._made(status, given)

    def _made(self, status: int, given: Any, headers: Mapping[str, str] | None = None) -> Answer:
        date = {"Date": formatdate(self._slack.clock.now(), usegmt=True)}
        return Answer(status, given, CIMultiDict({**date, **(headers or {})}))

    def _way(self, url: str) -> tuple[str, Callable[[str, dict[str, Any]], tuple[int, Any]]]:
        """Return the name of the gate that a call passes, and what carries it out."""
        if "/api/" in url:
            return url.rpartition("/")[2], self._carry_out
        return ("upload", self._fill) if UPLOAD in url else (chat.WAY, self._respond)

    def _fill(self, url: str, args: dict[str, Any]) -> tuple[int, Any]:
        kept = self._slack.workspace
        kept.keep_file(replace(kept.files[url.rpartition("/")[2]], content=args["content"]))
        return 200, "OK"

    def _carry_out(self, url: str, args: dict[str, Any]) -> tuple[int, Any]:
        method = url.rpartition("/")[2]
        args.pop("token", None)
        try:
            given = METHODS[method](self._slack, Params(args))
        except SlackError as error:
            self._slack.records.add_error(method, args, error)
            return 200, error.answer()
        self._slack.records.add(method, args, given)
        self._slack.changes.tick()
        return 200, given

    def _respond(self, url: str, args: dict[str, Any]) -> tuple[int, Any]:
        given = chat.respond(self._slack, url.rpartition("/")[2], args)
        return (200, "ok") if given["ok"] else (404 if given["error"] in chat.ENDED else 200, given)


@dataclass
class Gated:
    """A model behind the gate."""

    model: Model
    gate: Gate

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    async def reply(self, request: Any) -> Any:
        """As the model's."""
        await self.gate("ask")
        reply = await self.model.reply(request)
        await self.gate("told")
        return reply


@dataclass
class Home:
    """What every replica has in common."""

    disk: Disk
    key: bytes
    sandbox: Sandbox
    settings: Settings
    workflows: dict[str, Workflow]
    model: Model | None


class Replica:
    """One process: its own store, Slack client, listeners and worker, put together by the composition root's own functions."""

    def __init__(self, home: Home, gate: Gate) -> None:
        clock = asyncio.get_running_loop().time
        settings, pace = home.settings, home.settings.holdfast_pace
        self.store = Store(Ways(home.disk, gate), Vault(home.key))
        reach = SlackAvailability(pace, clock)
        listening, client = make_client(settings, TRIES, reach), make_client(settings, 0, reach)
        reach.ask = client.auth_test
        listening.session = client.session = Session(home.sandbox, gate)
        client_for = for_every(client)
        made = make_parts(settings, self.store, home.workflows, client_for, Inspector(), ROLES)
        parts = replace(made, budget=Budget(pace, clock))
        status = ThreadStatus(client_for, home.workflows, parts.budget)
        model = Gated(home.model, gate) if home.model else None
        thinker = ModelCaller(self.store, home.workflows, model, status, parts.watch, settings.holdfast_daily_tokens)
        digests = Digests(self.store, home.workflows, settings.channels, parts.roles, parts.people)
        self._session = parts.sink_session
        self.engine: Worker = make_engine(parts, thinker, status, None, digests)
        self.app = make_app(settings, listening)
        register(self.app, make_intake(parts, self.engine))

    async def start(self) -> None:
        """Open the store and begin to work, as a bot does before it listens."""
        await self.store.start()
        await self.store.try_blocked()
        await self.engine.start()

    async def handle(self, envelope: Envelope) -> Ack | None:
        """Take what Slack sends; None where it is not acknowledged."""
        if not shaped(envelope.payload):
            return Ack()
        response = await self.app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=envelope.payload))
        if response.status != 200:
            return None
        return Ack(json.loads(response.body) if response.body else None)

    async def close(self) -> None:
        """Let go of what the process that simulates it would hold."""
        await self._session.close()
