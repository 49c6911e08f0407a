"""The composition root: the one place that picks real stores, model and Slack client, and puts the bot together."""

import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog
from anthropic import AsyncAnthropic
from redis.asyncio import Redis
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from blocks.phrases import problems
from bot.chat import Chat, Tokens, read_tokens
from bot.chat.answering import Answering
from bot.data_rights.erasure import MOST, Eraser
from bot.data_rights.keeper import Keeper
from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.facts import Facts
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.performer import Performer
from bot.delivery.posts import ClientFor, Poster
from bot.delivery.status import ThreadStatus
from bot.documents.extracting import Extractor
from bot.documents.fetching import Fetcher
from bot.inspector import Inspector
from bot.listeners import Intake, register
from bot.model.claude import Claude, connect
from bot.model.dialects import Speaking
from bot.model.protocol import Model
from bot.operations.service import Operations
from bot.people import People
from bot.settings import Settings, Wrong
from bot.turn.engine import Worker
from bot.turn.turn import TurnHandler
from bot.web import EVERYWHERE, WebServer
from state.engine.policy import Policy
from state.stores.cache import DraftCache, NoCache
from state.stores.embedded import start_embedded
from state.stores.opener import open_redis, open_store
from state.stores.protocol import Store
from state.stores.vault import Vault, installation_key, read_key
from state.stores.wake import NoSignal, Signal
from state.workflow.load import Workflow, load_all

log = structlog.get_logger("holdfast")

HERE = Path(__file__).parent / "workflows"
TRIES = 3
NO_KEY = "none"


Close = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Cache:
    """A Redis, if there is one, and how to let go of it: only an embedded server is ever stopped."""

    client: Redis | None = None
    stop: Close | None = None


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
    redis: Redis | None = None
    closing: tuple[Close, ...] = ()
    socket: AsyncSocketModeHandler | None = None
    keeper: Keeper | None = None

    async def start(self) -> None:
        """Open the store, start the engine, then listen: nothing arrives before it can be stored."""
        await self.store.start()
        identity = await self.app.client.auth_test()
        self.inspector.attach(self.store, self.workflows, str(identity["team_id"]))
        await self.engine.start()
        if self.keeper is not None:
            await self.keeper.start()
        if self.settings.slack_app_token:
            token = self.settings.slack_app_token.get_secret_value()
            self.socket = AsyncSocketModeHandler(self.app, token)
            await self.socket.connect_async()  # type: ignore[no-untyped-call]  # Bolt has no types here
        await self.web.start()
        log.info("started", workflows=sorted(self.workflows), socket_mode=self.socket is not None)

    async def stop(self) -> None:
        """Stop listening first, then the engine, then the store."""
        await self.web.stop()
        if self.socket is not None:
            await self.socket.close_async()  # type: ignore[no-untyped-call]  # nor here
        if self.keeper is not None:
            await self.keeper.stop()
        await self.engine.stop()
        await self.store.stop()
        for close in self.closing:
            await close()
        log.info("stopped")


def load_workflows(settings: Settings) -> Mapping[str, Workflow]:
    """The bot's own workflows and those of HOLDFAST_WORKFLOWS, read anew where a file changed. Raises FormError with every problem."""
    folders = (*sorted(p.parent for p in HERE.glob("*/form.toml")), *settings.workflow_folders)
    files = (f for folder in folders for f in sorted(folder.rglob("*")) if f.is_file() and "__pycache__" not in f.parts)
    return _loaded(folders, tuple((f, f.stat().st_mtime_ns, f.stat().st_size) for f in files))


@lru_cache(maxsize=4)
def _loaded(folders: tuple[Path, ...], _stamps: tuple[tuple[Path, int, int], ...]) -> Mapping[str, Workflow]:
    return load_all(folders, sentences=problems)


@contextmanager
def _told(setting: str) -> Iterator[None]:
    """A setting that cannot be read is told by its name; its ValueError is a sentence without the value."""
    try:
        yield
    except ValueError as problem:
        raise Wrong([f"{setting}: {str(problem).rstrip('.')}."]) from None


def make_key(settings: Settings) -> bytes:
    """The installation's key: HOLDFAST_KEY, or one kept under `var/`, made at the first start."""
    if settings.holdfast_key:
        with _told("HOLDFAST_KEY"):
            return read_key(settings.holdfast_key.get_secret_value())
    return installation_key(settings.holdfast_var / "holdfast.key")


def make_tokens(settings: Settings, workflows: Iterable[str] = ()) -> Tokens:
    """Who may call `/chat`: nobody, until HOLDFAST_CHAT_TOKENS names a file."""
    with _told("HOLDFAST_CHAT_TOKENS"):
        return read_tokens(settings.holdfast_chat_tokens, workflows)


def make_anthropic(settings: Settings) -> AsyncAnthropic | None:
    """A client of Claude, or of any server that speaks its Messages API; a server of one's own may want no key.

    None with neither: the rule-based reader needs no model.
    """
    address = settings.anthropic_base_url
    key = settings.anthropic_api_key.get_secret_value() if settings.anthropic_api_key else ""
    if address:
        return connect(key or NO_KEY, address)
    return connect(key) if key else None


def make_client(settings: Settings) -> AsyncWebClient:
    """The Web API client. It waits out rate limits; a broken connection is the poster's to reconcile, never a blind repetition."""
    token = settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    handlers: list[AsyncRetryHandler] = [AsyncRateLimitErrorRetryHandler(max_retry_count=TRIES)]
    return AsyncWebClient(token, base_url=settings.slack_api_url, timeout=15, retry_handlers=handlers)


async def make_cache(settings: Settings) -> Cache:
    """The Redis of REDIS_URL, or the embedded one; none where neither can be had: the bot runs without."""
    if settings.redis_url:
        with _told("REDIS_URL"):
            client = open_redis(settings.redis_url)
        return Cache(client, client.aclose)
    embedded = await start_embedded(settings.holdfast_var)
    return Cache(embedded.client, embedded.stop) if embedded else Cache()


def make_store(settings: Settings, redis: Redis | None = None) -> Store:
    """The store of DATABASE_URL, or SQLite under `var/`."""
    settings.holdfast_var.mkdir(parents=True, exist_ok=True)
    key = make_key(settings)
    with _told("DATABASE_URL"):
        return open_store(settings.database, key, DraftCache(redis) if redis else NoCache())


def make_app(settings: Settings, client: AsyncWebClient) -> AsyncApp:
    """The Bolt app: an event is answered only after its listener has stored it."""
    secret = settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else ""
    return AsyncApp(client=client, signing_secret=secret, process_before_response=True)


@dataclass(frozen=True)
class Parts:
    """What nearly everything is put together from."""

    settings: Settings
    store: Store
    workflows: Mapping[str, Workflow]
    client_for: ClientFor
    people: People
    watch: Inspector


def make_performer(parts: Parts, thinker: ModelCaller, status: ThreadStatus, rights: Rights) -> Performer:
    """What carries out the outbox."""
    store, workflows = parts.store, parts.workflows
    documents = Documents(store, Fetcher(parts.client_for), Extractor(), status)
    operator = Operator(store, workflows, Operations(store))
    facts = Facts(store, workflows, parts.people)
    return Performer(store, Poster(store, parts.client_for), thinker, facts, documents, operator, rights)


def make_rights(parts: Parts, signal: Callable[[], Signal | NoSignal]) -> Rights:
    """Access and erasure; an erasure is told to every replica, so that none remembers what the store forgot."""
    store, poster = parts.store, Poster(parts.store, parts.client_for)

    async def forget_everywhere(person: str) -> None:
        parts.people.forget(person)
        parts.watch.forget([stored.id for stored in await store.drafts_of(person, MOST)])
        await signal().wake("person", person)

    eraser = Eraser(store, parts.workflows, parts.settings.channels)
    return Rights(store, eraser, poster, parts.client_for, forget_everywhere)


def make_engine(parts: Parts, thinker: ModelCaller, status: ThreadStatus, redis: Redis | None) -> Worker:
    """Turns and performer, and the signal between replicas where there is a Redis."""
    settings, store = parts.settings, parts.store
    policy = Policy(friendly_repeat=settings.finalize_idempotency)
    turns = TurnHandler(store, parts.workflows, lambda: uuid.uuid4().hex[:12], settings.channels, policy)
    performer = make_performer(parts, thinker, status, make_rights(parts, lambda: engine.signal))
    engine = Worker(store, turns, performer, parts.people.forget)
    if redis:
        engine.signal = Signal(redis, Vault(make_key(settings)), engine.heard)
    return engine


def make_chat(parts: Parts, thinker: ModelCaller) -> Chat:
    """`POST /chat`: the operations of the workflows for callers with a token."""
    answering = Answering(parts.store, parts.workflows, thinker, Operations(parts.store), parts.people)
    return Chat(make_tokens(parts.settings, parts.workflows), answering)


async def build(
    settings: Settings,
    inspector: Inspector | None = None,
    port: int | None = None,
    *,
    store: Store | None = None,
    model: Model | None = None,
    only: str = "",
    host: str = EVERYWHERE,
) -> Bot:
    """Put a bot together from settings; nothing but Redis is opened yet. `port` None: no HTTP of its own.

    Scenarios bring a `store`, a `model`, and the `only` workflow that they are about.
    """
    workflows = {name: w for name, w in load_workflows(settings).items() if only in ("", name)}
    cache = Cache() if store else await make_cache(settings)
    store = store or make_store(settings, cache.client)
    client, watch, anthropic = make_client(settings), inspector or Inspector(), make_anthropic(settings)
    model = model or (Speaking(Claude(anthropic, settings.anthropic_model)) if anthropic else None)

    async def client_for(_team: str) -> AsyncWebClient:
        return client

    parts = Parts(settings, store, workflows, client_for, People(client_for), watch)
    status = ThreadStatus(client_for, workflows)
    budget, dialect = settings.holdfast_daily_tokens, settings.anthropic_dialect
    thinker = ModelCaller(store, workflows, model, status, watch, budget, dialect)
    engine, app = make_engine(parts, thinker, status, cache.client), make_app(settings, client)
    register(app, Intake(store, workflows, engine.kick, parts.people))
    chat = make_chat(parts, thinker)
    web = WebServer(app, port, host=host, slack=settings.slack_app_token is None, chat=chat.handle)
    closing = tuple(close for close in (cache.stop, anthropic and anthropic.close) if close)
    keeper = Keeper(store, workflows)
    return Bot(settings, store, engine, app, workflows, watch, web, cache.client, closing, keeper=keeper)
