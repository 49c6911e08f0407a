"""Put the whole bot together from its parts."""

from collections.abc import Callable
from functools import partial

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.effects.model_calls import ModelCaller
from bot.effects.service import Operations
from bot.exports.checkpointer import Checkpointer
from bot.exports.retention import Keeper
from bot.http.answering import Answering
from bot.http.chat import Chat
from bot.http.health import Health
from bot.http.health import Parts as HealthParts
from bot.http.pulse import Pulse
from bot.http.server import WebServer
from bot.listeners import register
from bot.listeners.messages import register_installation
from bot.manifest import bot_scopes
from bot.model.dialects import Speaking
from bot.model.protocol import Model
from bot.officers.digest import Digests
from bot.officers.index import Indexer
from bot.officers.roles import RolesFile
from bot.root.installation import key_problem, load_workflows, make_tokens
from bot.root.lifecycle import Bot
from bot.root.parts import OPERATORS, Parts, make_alarm, make_engine, make_intake, make_overseer, make_parts
from bot.root.slack import TIMEOUT, for_every, make_app, make_clients, make_workspaces
from bot.root.storage import Cache, Close, Say, make_cache, make_store, silent
from bot.settings import LOOPBACK, Settings
from bot.slack.client import Reach
from bot.slack.people import ThreadStatus
from bot.slack.places import every
from bot.slack.requests import BODY
from bot.slack.workspaces import make_authorize, make_flow
from bot.turns.inspector import Inspector
from bot.turns.worker import Worker
from state.stores.store import Store
from state.workflow.load import Installed

NO_KEY = "none"


def make_model(settings: Settings, say: Say = silent) -> tuple[Model | None, tuple[Close, ...]]:
    """Claude, or any server that speaks its Messages API, and how to let go of it; a server of one's own may want no key.

    None without a key or an address: the rule-based reader needs no model.
    """
    address = settings.anthropic_base_url
    key = settings.anthropic_api_key.get_secret_value() if settings.anthropic_api_key else ""
    if not (address or key):
        return None, ()
    say("Loading the model's client …")
    from bot.model.claude import API, Claude, connect  # noqa: PLC0415  a second and 40 MB, for those alone who have a model

    client = connect(key or NO_KEY, address or API)
    return Speaking(Claude(client, settings.anthropic_model)), (client.close,)


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
    """Return what readiness is judged by."""
    in_sockets, operators = (
        parts.settings.slack_app_token is not None,
        every(parts.settings.channels.get(OPERATORS, "")),
    )
    key = partial(key_problem, parts.settings)
    return Health(HealthParts(in_sockets, parts.store, reaches, socket, lambda: engine.working, key, operators))


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
        register_installation(app, workspaces.taken_back)
    reaches = workspaces.reaches if workspaces else lambda: [client.reach]
    health = make_health(parts, engine, reaches, lambda: bot.socket)
    chat = make_chat(parts, thinker, patience)
    # requests that come by Socket Mode are not signed
    signed = settings.slack_signing_secret if settings.slack_app_token is None else None
    secret = signed.get_secret_value() if signed else ""
    web = WebServer(app, port, health, host=host, secret=secret, chat=chat.handle, patience=patience, oauth=flow)
    closing = (session.close, parts.sink_session.close, *((cache.stop,) if cache.stop else ()), *letting_go)
    checkpointer = Checkpointer(store, settings.holdfast_var, settings.channels.get(OPERATORS, "")) if kept else None
    bot = Bot(
        settings, store, engine, app, workflows, watch, web, health, Keeper(store, workflows), Indexer(store, workflows), digests,
        Pulse(health, store, make_alarm(parts)), overseer, checkpointer, cache.client, closing, say=say,
    )  # fmt: skip
    return bot
