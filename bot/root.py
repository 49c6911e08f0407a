"""The composition root: the one place that picks real stores, model and Slack client, and puts the bot together."""

import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import structlog
from redis.asyncio import Redis
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from blocks.phrases import Phrasebook
from bot import logs
from bot.channels import every
from bot.chat.answering import Answering
from bot.chat.handler import Chat
from bot.clients import ClientFor, SlackClient
from bot.data_rights.erasure import MOST, Eraser
from bot.data_rights.keeper import Keeper
from bot.delivery.answers import AnswerPosts, Answers
from bot.delivery.budget import Budget
from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.dossiers import Dossiers
from bot.delivery.facts import Facts
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.performer import Performer
from bot.delivery.posts import Poster
from bot.delivery.prompts import Prompts
from bot.delivery.status import ThreadStatus
from bot.delivery.telling import Teller
from bot.delivery.timers import Timers
from bot.desk.digest import Digests
from bot.desk.indexer import Indexer
from bot.documents.extracting import Extractor
from bot.documents.fetching import Fetcher
from bot.evidence.checkpointer import Checkpointer
from bot.health.health import Health
from bot.health.health import Parts as HealthParts
from bot.health.pulse import Pulse
from bot.inspector import Inspector
from bot.installation import key_problem, load_workflows, make_tokens
from bot.lifecycle import Bot
from bot.listeners import Intake, installation, register
from bot.lists import Lists
from bot.manifest import bot_scopes
from bot.model.dialects import Speaking
from bot.model.protocol import Model
from bot.operations.service import Operations
from bot.overseer import Overseer
from bot.people import People
from bot.progress import Say, silent
from bot.reach import Reach
from bot.references import References
from bot.requests import BODY
from bot.roles import FILE, FileRoles, Roles, RolesFile
from bot.settings import LOOPBACK, Settings, Wrong
from bot.sinks.delivery import Deliverer
from bot.sinks.erasing import sinks_to_tell
from bot.sinks.file import FILE as SINKS_FILE
from bot.sinks.file import Sinks
from bot.storage import Cache, Close, make_cache, make_store
from bot.turn.trouble import Trouble
from bot.turn.turn import TurnHandler
from bot.turn.worker import Worker
from bot.uploads import Uploads
from bot.web import WebServer
from bot.workspaces import Workspaces, make_authorize, make_flow
from state.engine.policy import Policy
from state.lists.spreadsheet import MOST as MOST_OF_A_LIST
from state.stores.protocol import Store
from state.stores.wake import Signal
from state.workflow.load import Workflow

Authorize = Callable[..., Awaitable[Any]]

log = structlog.get_logger("holdfast")

TRIES, TIMEOUT = 3, 15
"""Refusals for a rate that a listener waits out; seconds for an answer of Slack's."""
NO_KEY = "none"
OPERATORS = "operators"
"""The name of the channel in which those who run the bot are told of trouble."""


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


def make_client(settings: Settings, tries: int, reach: Reach, token: str = "") -> SlackClient:
    """A Web API client, which waits out so many refusals for its rate; a broken connection is the poster's, never blindly repeated."""
    own = settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    handlers = [AsyncRateLimitErrorRetryHandler(max_retry_count=tries)]
    given = token or own
    return SlackClient(given, base_url=settings.slack_api_url, timeout=TIMEOUT, retry_handlers=[*handlers], reach=reach)


def make_clients(settings: Settings, session: aiohttp.ClientSession) -> tuple[SlackClient, SlackClient]:
    """One for listeners, which wait out refusals for a rate, and one for the performer, which does not; they share connections."""
    reach = Reach(settings.holdfast_pace)
    listening, client = make_client(settings, TRIES, reach), make_client(settings, 0, reach)
    reach.ask = client.auth_test
    listening.session = client.session = session
    return listening, client


def make_workspaces(settings: Settings, store: Store, client: AsyncWebClient) -> Workspaces | None:
    """Where workspaces install the app by themselves, a client for each of them. All share the connections of `client`."""
    if not (settings.slack_client_id and settings.slack_client_secret):
        return None

    def client_of(token: str, reach: Reach) -> SlackClient:
        made = make_client(settings, 0, reach, token)
        made.session = client.session
        return made

    secret = settings.slack_client_secret.get_secret_value()
    rotator = AsyncTokenRotator(client_id=settings.slack_client_id, client_secret=secret, client=client)
    return Workspaces(store, client_of, lambda: Reach(settings.holdfast_pace), rotator)


def make_app(settings: Settings, client: AsyncWebClient, authorize: Authorize | None = None) -> AsyncApp:
    """The Bolt app: an event is answered only after its listener has stored it. Bolt would look for a name through every loaded module."""
    secret = settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else ""
    told = logging.getLogger("slack_bolt.app")
    told.setLevel(
        logging.ERROR
    )  # it warns that the client's token counts, as it should, where the environment has one too
    app = AsyncApp(
        name="holdfast",
        client=client,
        signing_secret=secret,
        process_before_response=True,
        logger=told,
        authorize=authorize,
    )
    for logger in (told, app.logger):
        logger.setLevel(logging.NOTSET)
    app.middleware(_afresh)
    return app


async def _afresh(next_: Callable[[], Awaitable[None]]) -> None:
    """What is logged of one request has nothing of another's id."""
    logs.forget()
    await next_()


@dataclass(frozen=True)
class Parts:
    """What nearly everything is put together from."""

    settings: Settings
    store: Store
    workflows: Mapping[str, Workflow]
    client_for: ClientFor
    people: People
    watch: Inspector
    budget: Budget
    roles: Roles
    sinks: Sinks
    sink_session: aiohttp.ClientSession
    lists: Lists
    answers: Answers


def make_sinks(settings: Settings, workflows: Mapping[str, Workflow]) -> Sinks:
    """What sinks.toml says. Raises Wrong: a bot that does not know where records go would lose some."""
    sinks = Sinks(settings.holdfast_var, {name: w.form for name, w in workflows.items()})
    if sinks.problem:
        raise Wrong([f"{settings.holdfast_var / SINKS_FILE}: {sinks.problem}"])
    return sinks


def make_overseer(settings: Settings, store: Store, workflows: dict[str, Workflow], sinks: Sinks) -> Overseer:
    """What looks at an operator's files. The tables that lie there count from here on. Raises FormError."""
    words = Phrasebook(next(iter(workflows.values())).form.language)
    references = References(settings.holdfast_var, workflows)
    overseer = Overseer(store, references, sinks, settings.channels.get(OPERATORS, ""), words)
    overseer.prepare()
    return overseer


def make_performer(
    parts: Parts, poster: Poster, thinker: ModelCaller, status: ThreadStatus, rights: Rights, digests: Digests
) -> Performer:
    """What carries out the outbox."""
    store, workflows = parts.store, parts.workflows
    documents = Documents(store, Fetcher(parts.client_for), Extractor(), status)
    operator = Operator(store, workflows, Operations(store))
    facts = Facts(store, workflows, parts.people, parts.lists)
    prompts = Prompts(parts.client_for, workflows, parts.people)
    sinks = Deliverer(parts.sinks, parts.sink_session, store.now, parts.settings.holdfast_pace)
    answers = AnswerPosts(parts.answers, poster)
    acts = (poster, thinker, facts, documents, operator, rights, prompts, Timers(store), sinks, digests, answers)
    return Performer(*acts, parts.budget, parts.client_for, store.now)


def make_rights(parts: Parts, poster: Poster, engine: Callable[[], Worker]) -> Rights:
    """Access and erasure; an erasure is told to every replica, so that none remembers what the store forgot."""
    store = parts.store

    async def forget_everywhere(person: str) -> None:
        engine().forget(person)
        parts.watch.forget([stored.id for stored in await store.drafts_of(person, MOST)])
        await engine().signal.wake("person", person)

    heard = sinks_to_tell(parts.sinks.current, parts.workflows, parts.settings.channels.get(OPERATORS, ""))
    eraser = Eraser(store, parts.workflows, parts.settings.channels, heard)
    dossiers = Dossiers(store, parts.workflows, parts.roles, poster, parts.client_for)
    return Rights(store, eraser, poster, parts.client_for, parts.people, forget_everywhere, dossiers)


def make_engine(
    parts: Parts, thinker: ModelCaller, status: ThreadStatus, redis: Redis | None, digests: Digests
) -> Worker:
    """Turns and performer, and the signal between replicas where there is a Redis."""
    settings, store = parts.settings, parts.store
    policy = Policy(friendly_repeat=settings.finalize_idempotency)
    turns = TurnHandler(
        store, parts.workflows, lambda: uuid.uuid4().hex[:12], settings.channels, policy, leads_in=thinker.has_model,
        roles=parts.roles, lists=parts.lists, sinks=parts.sinks.current,
    )  # fmt: skip
    poster = Poster(store, parts.client_for, parts.budget)
    performer = make_performer(parts, poster, thinker, status, make_rights(parts, poster, lambda: engine), digests)
    words = Phrasebook(next(iter(parts.workflows.values())).form.language)
    spoken = {name: Phrasebook(w.form.language) for name, w in parts.workflows.items()}
    teller = Teller(store, settings.channels.get(OPERATORS, ""), words, settings.channels, spoken)
    trouble = Trouble(store, performer, teller, settings.holdfast_pace)
    engine = Worker(store, turns, performer, parts.people.forget, trouble)
    if redis:
        engine.signal = Signal(redis, store.names, engine.heard)
    return engine


def make_uploads(parts: Parts, engine: Worker) -> Uploads:
    """What officers upload for the lists that they keep."""

    async def kick(lane: str) -> None:
        await engine.kick("lane", lane)

    fetcher = Fetcher(parts.client_for, MOST_OF_A_LIST)
    channels = parts.settings.channels
    return Uploads(
        parts.store, parts.workflows, parts.lists, parts.roles, fetcher, channels, kick, lambda: uuid.uuid4().hex
    )


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
    workflows = {name: w for name, w in load_workflows(settings).items() if only in ("", name)}
    kept, cache = store is None, Cache() if store else await make_cache(settings, say)
    store = store or make_store(settings, cache.client, say)
    session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT))  # one: calls share connections
    (listening, client), watch = make_clients(settings, session), inspector or Inspector()
    model, letting_go = (model, ()) if model else make_model(settings, say)

    async def one_client(_team: str) -> SlackClient:
        return client

    workspaces = make_workspaces(settings, store, client)
    client_for = workspaces.client_for if workspaces else one_client
    budget = Budget(settings.holdfast_pace)
    holders = FileRoles(settings.holdfast_var / FILE, client_for, roles)
    sinks, outside = make_sinks(settings, workflows), aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
    overseer = make_overseer(settings, store, workflows, sinks)
    people, lists = People(client_for), Lists(store, workflows)
    answers = Answers(store, workflows, people, lists)
    parts = Parts(
        settings, store, workflows, client_for, people, watch, budget, holders, sinks, outside, lists, answers
    )
    status = ThreadStatus(client_for, workflows, budget)
    tokens, dialect = settings.holdfast_daily_tokens, settings.anthropic_dialect
    thinker = ModelCaller(store, workflows, model, status, watch, tokens, dialect)
    digests = Digests(store, workflows, settings.channels, holders, parts.people)
    engine = make_engine(parts, thinker, status, cache.client, digests)
    app = make_app(settings, listening, make_authorize(workspaces) if workspaces else None)
    uploads = make_uploads(parts, engine)
    register(
        app,
        Intake(
            store,
            workflows,
            engine.receive,
            parts.people,
            engine.drafts,
            engine.opened,
            holders,
            uploads,
            parts.answers,
        ),
    )
    flow = make_flow(workspaces, settings.slack_api_url, client, bot_scopes()) if workspaces else None
    if workspaces:
        installation.register(app, workspaces.taken_back)
    reaches = workspaces.reaches if workspaces else lambda: [client.reach]
    health = make_health(parts, engine, reaches, lambda: bot.socket)
    chat = make_chat(parts, thinker, patience)
    signed = settings.slack_signing_secret if settings.slack_app_token is None else None
    secret = signed.get_secret_value() if signed else ""
    web = WebServer(app, port, health, host=host, secret=secret, chat=chat.handle, patience=patience, oauth=flow)
    closing = (session.close, outside.close, *((cache.stop,) if cache.stop else ()), *letting_go)
    bot = Bot(settings, store, engine, app, workflows, watch, web, health, cache.client, closing, say=say)
    bot.overseer = overseer
    bot.keeper, bot.pulse = Keeper(store, workflows), Pulse(health, store)
    bot.indexer, bot.digests = Indexer(store, workflows), digests
    bot.checkpointer = (
        Checkpointer(store, settings.holdfast_var, settings.channels.get(OPERATORS, "")) if kept else None
    )
    return bot
