"""A bot's life: what is started and stopped in which order, and the watch over an operator's files."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from redis.asyncio import Redis
from slack_bolt.async_app import AsyncApp

from blocks.elements import Message
from blocks.messages import build_trouble
from blocks.phrases import Phrasebook
from bot.exports.erasure import Keeper
from bot.exports.sinks import Sinks
from bot.http.health import Health, Pulse
from bot.http.server import WebServer
from bot.officers.digest import Digests
from bot.officers.index import Indexer
from bot.operations.evidence import Checkpointer
from bot.operations.files import References, Refused
from bot.operations.tasks import Periodic, notice, write_aside
from bot.root.installation import Close, Say, database_told, silent
from bot.root.slack import check_app_token, connected, identify
from bot.settings import Settings
from bot.slack.places import place_of
from bot.slack.requests import SocketHandler
from bot.turns.inspector import Inspector
from bot.turns.trouble import AWAY
from bot.turns.worker import Worker
from state.stores.rows import TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast")


class Overseer(Periodic):
    """`channel` is the operators'; without one, the log and `holdfast check` have to do. What was told once is known by its row's key."""

    name, pause = "overseer", 2.0

    def __init__(self, store: Store, references: References, sinks: Sinks, channel: str, words: Phrasebook) -> None:
        self._store, self.references, self._sinks = store, references, sinks
        self._channel, self._words = channel, words
        self._left: list[Refused] = []

    def prepare(self) -> None:
        """Have the tables that lie there count before anything is asked. Raises FormError."""
        self._left = self.references.start()

    async def look(self) -> None:
        """Once."""
        refused, self._left = [*self._left, *await asyncio.to_thread(self.references.look)], []
        for one in refused:
            table = f"{one.workflow}/{one.file.name}".lstrip("/")
            line = build_trouble(self._words, "ops_table", table, one.text, str(one.line))
            await self._tell(f"reference:{one.workflow}:{one.file.name}:{one.digest}", line)
        self._sinks.current()
        if problem := self._sinks.problem:
            digest = hashlib.sha256(problem.encode()).hexdigest()
            await self._tell(
                f"sinks.toml:{digest}", build_trouble(self._words, "ops_sinks_wrong", "sinks.toml", problem)
            )

    async def _tell(self, key: str, said: Message) -> None:
        if self._channel:
            row = notice(key, *place_of(self._channel, self.team), said)
            await write_aside(self._store, f"overseer:{key}", TurnWrites(outgoing=[row]))


MOST = 100_000


@dataclass
class Bot:
    """A bot that is put together; `start` connects it, `stop` lets go in order."""

    settings: Settings
    store: Store
    engine: Worker
    app: AsyncApp
    workflows: Mapping[str, Workflow]
    inspector: Inspector
    web: WebServer
    health: Health
    keeper: Keeper
    indexer: Indexer
    digests: Digests
    pulse: Pulse
    overseer: Overseer
    checkpointer: Checkpointer | None = None
    redis: Redis | None = None
    closing: tuple[Close, ...] = ()
    socket: SocketHandler | None = None
    say: Say = silent

    async def start(self) -> None:
        """Take the port, open the store, start the engine, then listen: nothing arrives before it can be stored, and Slack hears of it last."""
        self.web.bind()
        self.say("Opening the database …")
        with database_told(self.settings):
            await self.store.start()
        await self.store.try_blocked()  # a new token, or another setting, may have mended what held it up
        await self.forms_back()
        self.say("Connecting to Slack …")
        team = "" if self.settings.slack_client_id else str((await identify(self.app.client))["team_id"])
        if self.settings.slack_app_token:
            await check_app_token(self.app.client, self.settings.slack_app_token.get_secret_value())
        self.inspector.attach(self.store, self.workflows, team)
        await self.engine.start()
        for planned in (self.keeper, self.indexer, self.digests):
            await planned.start(team)
        if self.checkpointer is not None:
            await self.checkpointer.start(team)
        for watching in (self.pulse, self.overseer):
            await watching.start(team)
        await self.web.start()
        if self.settings.slack_app_token:
            self.socket = SocketHandler(self.app, self.settings.slack_app_token.get_secret_value())
            await connected(self.socket, self.app.client)
        self.health.started = True
        log.info("started", workflows=sorted(self.workflows), socket_mode=self.socket is not None)

    async def forms_back(self) -> None:
        """Try again what waited for a form that was not installed; log what still waits for one."""
        await self.store.revive([one for one in await self.store.stuck(MOST) if one.reason == AWAY])
        for form, held in (await self.store.held()).items():
            if form not in self.workflows:
                log.warning("form_not_installed", form=form, drafts=held.drafts, records=held.records)

    async def stop(self) -> None:
        """Stop listening first, then the engine, then the store."""
        await self.web.stop()
        if self.socket is not None:
            await self.socket.close_async()  # type: ignore[no-untyped-call]  # nor here
        for service in (self.keeper, self.overseer, self.indexer, self.digests, self.pulse):
            await service.stop()
        await self.engine.stop()
        if self.checkpointer is not None:
            await self.checkpointer.stop()
        await self.store.stop()
        for close in self.closing:
            await close()
        log.info("stopped")
