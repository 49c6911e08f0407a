"""A bot's life: what is started and stopped, and in which order."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from redis.asyncio import Redis
from slack_bolt.async_app import AsyncApp

from bot.exports.checkpointer import Checkpointer
from bot.exports.retention import Keeper
from bot.http.health import Health
from bot.http.pulse import Pulse
from bot.http.server import WebServer
from bot.officers.digest import Digests
from bot.officers.index import Indexer
from bot.root.overseer import Overseer
from bot.root.storage import Close, Say, check_app_token, connected, identify, open_database, silent
from bot.settings import Settings
from bot.slack.requests import SocketHandler
from bot.turns.inspector import Inspector
from bot.turns.trouble import AWAY
from bot.turns.worker import Worker
from state.stores.store import Store
from state.workflow.load import Workflow

MOST = 100_000
log = structlog.get_logger("holdfast")


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
        await open_database(self.store, self.settings)
        await self.store.try_blocked()  # a new token, or another setting, may have mended what held it up
        await self._forms_back()
        self.say("Connecting to Slack …")
        team = "" if self.settings.slack_client_id else str((await identify(self.app.client))["team_id"])
        if self.settings.slack_app_token:
            await check_app_token(self.app.client, self.settings.slack_app_token.get_secret_value())
        self.inspector.attach(self.store, self.workflows, team)
        await self.engine.start()
        for planned in (self.keeper, self.indexer, self.digests):
            await planned.start()
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

    async def _forms_back(self) -> None:
        """What waited for a form that was not installed is tried again; what still waits for one is named."""
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
