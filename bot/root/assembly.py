"""Put the whole bot together: the one place that picks real stores, model and Slack clients."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import aiohttp
import structlog
from redis.asyncio import Redis
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from blocks.phrases import Phrasebook
from bot.effects.documents import Documents, Extractor
from bot.effects.look_ups import AnswerPosts, Answers, Facts, Timers
from bot.effects.model_calls import ModelCaller
from bot.effects.performer import Operator, Perform, Performer
from bot.effects.service import Operations
from bot.exports.erasure import MOST, Eraser, Keeper
from bot.exports.rights import Rights
from bot.exports.sink_delivery import Deliverer
from bot.exports.sinks import FILE as SINKS_FILE
from bot.exports.sinks import KIND as SINK
from bot.exports.sinks import Sinks, SinksToTell
from bot.http.chat import Answering, Chat
from bot.http.health import Alarm, Health, Pulse
from bot.http.server import WebServer
from bot.listeners import register
from bot.listeners.intake import Intake
from bot.listeners.messages import register_installation
from bot.model.dialects import Speaking
from bot.model.protocol import Model
from bot.officers.digest import KIND as DIGEST
from bot.officers.digest import Digests
from bot.officers.index import Indexer
from bot.officers.lists import Lists, Uploads
from bot.officers.roles import FILE, Roles, RolesFile
from bot.operations.evidence import Checkpointer
from bot.operations.files import References
from bot.root import installation
from bot.root.lifecycle import Bot, Overseer
from bot.root.slack import TIMEOUT, for_every, make_app, make_clients, make_workspaces
from bot.settings import LOOPBACK, Settings, Wrong
from bot.slack.client import Budget, ClientFor, SlackAvailability
from bot.slack.downloads import Fetcher
from bot.slack.manifest import bot_scopes
from bot.slack.people import People, Prompts, ThreadStatus
from bot.slack.places import every, place_of
from bot.slack.posts import RECONCILE, Poster
from bot.slack.requests import BODY
from bot.slack.workspaces import make_authorize, make_flow
from bot.turns.inspector import Inspector
from bot.turns.trouble import DeliveryFailures, Teller
from bot.turns.turn import TurnHandler
from bot.turns.worker import Worker
from state.engine.context import Policy
from state.lists.spreadsheet import MOST as MOST_OF_A_LIST
from state.stores.cache import Signal
from state.stores.store import Store
from state.workflow.load import Installed, Workflow

log = structlog.get_logger("holdfast")


@dataclass(frozen=True)
class Parts:
    """The parts that nearly everything is put together from."""

    settings: Settings
    store: Store
    workflows: dict[str, Workflow]
    client_for: ClientFor
    people: People
    watch: Inspector
    budget: Budget
    roles: Roles
    sinks: Sinks
    sink_session: aiohttp.ClientSession
    lists: Lists
    answers: Answers

    @property
    def operators(self) -> str:
        """Return the operators' channel; "" where there is none."""
        return self.settings.channels.get(installation.OPERATORS, "")

    @property
    def words(self) -> Phrasebook:
        """Return the words in which operators are told, those of the first form."""
        return Phrasebook(next(iter(self.workflows.values())).form.language)


def make_alarm(parts: Parts) -> Alarm | None:
    """Return a function that tells the operators that nothing can be written: straight to Slack, since nothing can wait in the outbox."""

    async def tell(team: str, why: str) -> None:
        team, channel = place_of(parts.operators, team)
        try:
            client = await parts.client_for(team)
            await client.chat_postMessage(channel=channel, text=parts.words.say(f"ops_disk_{why or 'back'}"))
        except Exception:
            log.exception("alarm_failed")

    return tell if parts.operators else None


def make_overseer(parts: Parts) -> Overseer:
    """Return what looks at an operator's files. The tables that lie there count from here on. Raises FormError."""
    references = References(parts.settings.holdfast_var, parts.workflows)
    overseer = Overseer(parts.store, references, parts.sinks, parts.operators, parts.words)
    overseer.prepare()
    return overseer


def make_parts(
    settings: Settings, store: Store, workflows: dict[str, Workflow], client_for: ClientFor, watch: Inspector, roles: RolesFile | None
) -> Parts:  # fmt: skip
    """Return the parts that hang on nothing but settings, the store and Slack. `roles` count where no roles.toml is written. Raises Wrong."""
    people, lists, sinks = People(client_for), Lists(store, workflows), Sinks(settings.holdfast_var, workflows)
    if sinks.problem:  # a bot that does not know where records go would lose some
        raise Wrong([f"{settings.holdfast_var / SINKS_FILE}: {sinks.problem}"])
    holders = Roles(settings.holdfast_var / FILE, client_for, roles, people)
    session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
    budget, answers = Budget(settings.holdfast_pace), Answers(store, workflows, people, lists)
    return Parts(settings, store, workflows, client_for, people, watch, budget, holders, sinks, session, lists, answers)


def make_performer(
    parts: Parts, poster: Poster, thinker: ModelCaller, status: ThreadStatus, rights: Rights, digests: Digests,
    facts: Facts,
) -> Performer:  # fmt: skip
    """Return what carries out the outbox."""
    store, workflows = parts.store, parts.workflows
    documents = Documents(store, Fetcher(parts.client_for), Extractor(), status)
    kinds: Mapping[str, Perform] = {
        "post": poster.post,
        "repaint": poster.repaint,
        RECONCILE: poster.reconcile,
        "attach": poster.attach,
        "forward": poster.attached(documents.whole),
        "whisper": poster.whisper,
        "model": thinker.think,
        "look_up": facts.look_up,
        "gather": facts.gather,
        "begin": facts.begin,
        "fetch": documents.fetch,
        "discard": documents.discard,
        "operate": Operator(store, workflows, Operations(store)).operate,
        "remind": Timers(store, workflows, parts.roles).fire,
        "right": rights.serve,
        "prompts": Prompts(parts.people, workflows, store.forms_used, parts.budget).serve,
        DIGEST: poster.attached(digests.made),
        SINK: Deliverer(parts.sinks, parts.sink_session, store.now, parts.settings.holdfast_pace).serve,
        "answer": AnswerPosts(parts.answers, poster).serve,
    }
    return Performer(kinds, parts.budget, parts.client_for, store.now, status.wait)


def make_rights(parts: Parts, poster: Poster, engine: Callable[[], Worker]) -> Rights:
    """Access and erasure; an erasure is told to every replica, so that none remembers what the store forgot."""
    store = parts.store

    async def forget_everywhere(person: str) -> None:
        engine().forget(person)
        parts.watch.forget([stored.id for stored in await store.drafts_of(person, MOST)])
        await engine().signal.wake("person", person)

    heard = SinksToTell(parts.sinks.current, parts.workflows, parts.operators)
    eraser = Eraser(store, parts.workflows, parts.settings.channels, heard)
    return Rights(store, eraser, poster, parts.client_for, parts.people, parts.roles, forget_everywhere)


def make_engine(
    parts: Parts, thinker: ModelCaller, status: ThreadStatus, redis: Redis | None, digests: Digests
) -> Worker:
    """Turns and performer, and the signal between replicas where there is a Redis."""
    settings, store = parts.settings, parts.store
    policy = Policy(friendly_repeat=settings.finalize_idempotency)
    poster = Poster(store, parts.client_for, parts.budget)
    facts = Facts(store, parts.workflows, parts.people, parts.lists)
    turns = TurnHandler(
        store, parts.workflows, lambda: uuid.uuid4().hex[:12], settings.channels, poster, policy, has_model=thinker.has_model,
        roles=parts.roles, lists=parts.lists, sinks=parts.sinks.current,
        answers={"look_up": facts.look_up, "gather": facts.gather},
    )  # fmt: skip
    rights = make_rights(parts, poster, lambda: engine)
    performer = make_performer(parts, poster, thinker, status, rights, digests, facts)
    spoken = {name: Phrasebook(w.form.language) for name, w in parts.workflows.items()}
    teller = Teller(store, parts.operators, parts.words, settings.channels, spoken)
    trouble = DeliveryFailures(store, parts.client_for, teller, settings.holdfast_pace)
    engine = Worker(store, turns, performer, parts.people.forget, trouble)
    if redis:
        engine.signal = Signal(redis, store.names, engine.heard)
    return engine


def make_intake(parts: Parts, engine: Worker) -> Intake:
    """Return what listeners put in, and ask, with what officers upload for the lists that they keep."""

    async def kick(lane: str) -> None:
        await engine.kick("lane", lane)

    store, workflows, channels = parts.store, parts.workflows, parts.settings.channels
    fetcher = Fetcher(parts.client_for, MOST_OF_A_LIST)
    uploads = Uploads(store, workflows, parts.lists, parts.roles, fetcher, channels, kick, lambda: uuid.uuid4().hex)
    return Intake(store, workflows, engine.receive, parts.people, engine.opened, parts.roles, uploads, parts.answers)


NO_KEY = "none"


def make_model(
    settings: Settings, say: installation.Say = installation.silent
) -> tuple[Model | None, tuple[installation.Close, ...]]:
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
    return Chat(installation.make_tokens(parts.settings, parts.workflows), answering, patience=patience)


def make_health(
    parts: Parts,
    engine: Worker,
    reaches: Callable[[], list[SlackAvailability]],
    socket: Callable[[], AsyncSocketModeHandler | None],
) -> Health:
    """Return what readiness is judged by."""
    key, in_sockets = partial(installation.key_problem, parts.settings), parts.settings.slack_app_token is not None
    return Health(in_sockets, parts.store, reaches, socket, lambda: engine.working, key, every(parts.operators))


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
    say: installation.Say = installation.silent,
    roles: RolesFile | None = None,
) -> Bot:
    """Put a bot together from settings; nothing but Redis is opened yet. `port` None: no HTTP of its own.

    `patience`: seconds for the head, and for the body, of a request. `roles` count where no roles.toml is written.
    Scenarios bring a `store`, a `model`, and the `only` workflow that they are about. `say` is told each longer step.
    """
    workflows = Installed({name: w for name, w in installation.load_workflows(settings).items() if only in ("", name)})
    if store is None and installation.find_key(settings) is None:  # one that does not fit is found when it is opened
        with installation.database_told(settings):
            await installation.check_key(settings)
    kept, cache = store is None, installation.Cache() if store else await installation.make_cache(settings, say)
    store = store or installation.make_store(settings, cache.client, say)
    session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT))  # one: calls share connections
    (listening, client), watch = make_clients(settings, session), inspector or Inspector()
    model, letting_go = (model, ()) if model else make_model(settings, say)
    workspaces = make_workspaces(settings, store, client)
    client_for = workspaces.client_for if workspaces else for_every(client)
    parts = make_parts(settings, store, workflows, client_for, watch, roles)
    overseer = make_overseer(parts)
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
    secret = settings.request_secret
    web = WebServer(app, port, health, host=host, secret=secret, chat=chat.handle, patience=patience, oauth=flow)
    closing = (session.close, parts.sink_session.close, *((cache.stop,) if cache.stop else ()), *letting_go)
    checkpointer = Checkpointer(store, settings.holdfast_var, parts.operators) if kept else None
    bot = Bot(
        settings, store, engine, app, workflows, watch, web, health, Keeper(store, workflows), Indexer(store, workflows), digests,
        Pulse(health, store, make_alarm(parts)), overseer, checkpointer, cache.client, closing, say=say,
    )  # fmt: skip
    return bot
