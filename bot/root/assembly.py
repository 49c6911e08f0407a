"""The whole bot from its parts."""

from collections.abc import Callable

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.channels import every
from bot.chat.answering import Answering
from bot.chat.handler import Chat
from bot.data_rights.keeper import Keeper
from bot.delivery.model_calls import ModelCaller
from bot.delivery.status import ThreadStatus
from bot.desk.digest import Digests
from bot.desk.indexer import Indexer
from bot.evidence.checkpointer import Checkpointer
from bot.health.health import Health
from bot.health.health import Parts as HealthParts
from bot.health.pulse import Pulse
from bot.inspector import Inspector
from bot.installation import key_problem, load_workflows, make_tokens
from bot.lifecycle import Bot
from bot.listeners import installation, register
from bot.manifest import bot_scopes
from bot.model.protocol import Model
from bot.operations.service import Operations
from bot.progress import Say, silent
from bot.reach import Reach
from bot.requests import BODY
from bot.roles import RolesFile
from bot.root.engine import make_engine, make_intake
from bot.root.model import make_model
from bot.root.parts import OPERATORS, Parts, make_alarm, make_overseer, make_parts
from bot.root.slack import TIMEOUT, for_every, make_app, make_clients, make_workspaces
from bot.settings import LOOPBACK, Settings
from bot.storage import Cache, make_cache, make_store
from bot.turn.worker import Worker
from bot.web import WebServer
from bot.workspaces import make_authorize, make_flow
from state.stores.store import Store
from state.workflow.load import Installed


def make_chat(parts: Parts, thinker: ModelCaller, patience: float) -> Chat:
    """`POST /chat`: the operations of the workflows for callers with a token."""
    answering = Answering(parts.store, parts.workflows, thinker, Operations(parts.store), parts.people)
    return Chat(make_tokens(parts.settings, parts.workflows), answering, patience=patience)


def make_health(
    parts: Parts,
    engine: Worker,
    reaches: Callable[[], list[Reach]],
    socket: Callable[[], AsyncSocketModeHandler | None],
) -> Health:
    """What readiness is judged by."""
    settings = parts.settings
    seen = HealthParts(
        settings.slack_app_token is not None,
        parts.store,
        reaches,
        socket,
        lambda: engine.working,
        lambda: key_problem(settings),
        every(settings.channels.get(OPERATORS, "")),
    )
    return Health(seen)


def make_checkpointer(settings: Settings, store: Store) -> Checkpointer:
    """What signs the heads of what is stored."""
    return Checkpointer(store, settings.holdfast_var, settings.channels.get(OPERATORS, ""))


def signing_secret(settings: Settings) -> str:
    """What Slack's requests over HTTP are signed with; empty where they come by Socket Mode."""
    signed = settings.slack_signing_secret if settings.slack_app_token is None else None
    return signed.get_secret_value() if signed else ""


async def build(
    settings: Settings,
    inspector: Inspector | None = None,
    port: int | None = None,
    *,
    store: Store | None = None,
    model: Model | None = None,
    only: str = "",
    host: str = LOOPBACK,
    patience: float = BODY,
    say: Say = silent,
    roles: RolesFile | None = None,
) -> Bot:
    """Put a bot together from settings; nothing but Redis is opened yet. `port` None: no HTTP of its own.

    `patience`: seconds for the head, and for the body, of a request.
    Scenarios bring a `store`, a `model`, and the `only` workflow that they are about. `say` is told each longer step.
    `roles` count where no roles.toml is written.
    """
    workflows = Installed({name: w for name, w in load_workflows(settings).items() if only in ("", name)})
    kept, cache = store is None, Cache() if store else await make_cache(settings, say)
    store = store or make_store(settings, cache.client, say)
    session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT))  # one: calls share connections
    (listening, client), watch = make_clients(settings, session), inspector or Inspector()
    model, letting_go = (model, ()) if model else make_model(settings, say)
    workspaces = make_workspaces(settings, store, client)
    client_for = workspaces.client_for if workspaces else for_every(client)
    parts = make_parts(settings, store, workflows, client_for, watch, roles)
    overseer = make_overseer(settings, store, workflows, parts.sinks)
    status = ThreadStatus(client_for, workflows, parts.budget)
    tokens, dialect = settings.holdfast_daily_tokens, settings.anthropic_dialect
    thinker = ModelCaller(store, workflows, model, status, watch, tokens, dialect)
    digests = Digests(store, workflows, settings.channels, parts.roles, parts.people)
    engine = make_engine(parts, thinker, status, cache.client, digests)
    app = make_app(settings, listening, make_authorize(workspaces) if workspaces else None)
    register(app, make_intake(parts, engine))
    flow = make_flow(workspaces, settings.slack_api_url, client, bot_scopes()) if workspaces else None
    if workspaces:
        installation.register(app, workspaces.taken_back)
    reaches = workspaces.reaches if workspaces else lambda: [client.reach]
    health = make_health(parts, engine, reaches, lambda: bot.socket)
    chat, secret = make_chat(parts, thinker, patience), signing_secret(settings)
    web = WebServer(app, port, health, host=host, secret=secret, chat=chat.handle, patience=patience, oauth=flow)
    closing = (session.close, parts.sink_session.close, *((cache.stop,) if cache.stop else ()), *letting_go)
    bot = Bot(
        settings, store, engine, app, workflows, watch, web, health, cache.client, closing, say=say,
        keeper=Keeper(store, workflows), indexer=Indexer(store, workflows), digests=digests, pulse=Pulse(health, store, make_alarm(parts)),
        overseer=overseer, checkpointer=make_checkpointer(settings, store) if kept else None,
    )  # fmt: skip
    return bot
