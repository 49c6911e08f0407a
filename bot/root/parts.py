"""What nearly everything is put together from; the worker, and what carries out its outbox."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import aiohttp
import structlog
from redis.asyncio import Redis

from blocks.phrases import Phrasebook
from bot.effects.documents import Documents, Extractor
from bot.effects.look_ups import AnswerPosts, Answers, Facts, Timers
from bot.effects.model_calls import ModelCaller
from bot.effects.operations import Operator
from bot.effects.performer import Perform, Performer
from bot.effects.service import Operations
from bot.exports.dossier_requests import Dossiers
from bot.exports.erasure import MOST, Eraser
from bot.exports.rights import Rights
from bot.exports.sinks.delivery import Deliverer
from bot.exports.sinks.file import FILE as SINKS_FILE
from bot.exports.sinks.file import Sinks
from bot.exports.sinks.rows import KIND as SINK
from bot.exports.sinks.rows import sinks_to_tell
from bot.http.pulse import Alarm
from bot.listeners.intake import Intake
from bot.officers.digest import KIND as DIGEST
from bot.officers.digest import Digests
from bot.officers.lists import Lists
from bot.officers.roles import FILE, FileRoles, Roles, RolesFile
from bot.officers.uploads import Uploads
from bot.operations.references import References
from bot.root.overseer import Overseer
from bot.settings import Settings, Wrong
from bot.slack.client import Budget, ClientFor
from bot.slack.downloads import Fetcher
from bot.slack.people import People, Prompts, ThreadStatus
from bot.slack.places import place_of
from bot.slack.posts import Poster
from bot.turns.inspector import Inspector
from bot.turns.trouble import Teller, Trouble
from bot.turns.turn import TurnHandler
from bot.turns.worker import Worker
from state.engine.context import Policy
from state.lists.spreadsheet import MOST as MOST_OF_A_LIST
from state.stores.store import Store
from state.stores.wake import Signal
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast")

OPERATORS = "operators"
"""The name of the channel in which those who run the bot are told of trouble."""


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
    """Return what sinks.toml says. Raises Wrong: a bot that does not know where records go would lose some."""
    sinks = Sinks(settings.holdfast_var, {name: w.form for name, w in workflows.items()})
    if sinks.problem:
        raise Wrong([f"{settings.holdfast_var / SINKS_FILE}: {sinks.problem}"])
    return sinks


def make_alarm(parts: Parts) -> Alarm | None:
    """What tells the operators that nothing can be written: straight to Slack, since nothing can wait in the outbox."""
    channels = parts.settings.channels.get(OPERATORS, "")
    words = Phrasebook(next(iter(parts.workflows.values())).form.language)

    async def tell(team: str, why: str) -> None:
        team, channel = place_of(channels, team)
        try:
            client = await parts.client_for(team)
            await client.chat_postMessage(channel=channel, text=words.say(f"ops_disk_{why or 'back'}"))
        except Exception:
            log.exception("alarm_failed")

    return tell if channels else None


def make_overseer(settings: Settings, store: Store, workflows: dict[str, Workflow], sinks: Sinks) -> Overseer:
    """Return what looks at an operator's files. The tables that lie there count from here on. Raises FormError."""
    words = Phrasebook(next(iter(workflows.values())).form.language)
    references = References(settings.holdfast_var, workflows)
    overseer = Overseer(store, references, sinks, settings.channels.get(OPERATORS, ""), words)
    overseer.prepare()
    return overseer


def make_parts(
    settings: Settings, store: Store, workflows: dict[str, Workflow], client_for: ClientFor, watch: Inspector, roles: RolesFile | None
) -> Parts:  # fmt: skip
    """Return the parts that hang on nothing but settings, the store and Slack. `roles` count where no roles.toml is written."""
    people, lists, sinks = People(client_for), Lists(store, workflows), make_sinks(settings, workflows)
    holders = FileRoles(settings.holdfast_var / FILE, client_for, roles, people)
    session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
    budget, answers = Budget(settings.holdfast_pace), Answers(store, workflows, people, lists)
    return Parts(settings, store, workflows, client_for, people, watch, budget, holders, sinks, session, lists, answers)


def make_performer(
    parts: Parts, poster: Poster, thinker: ModelCaller, status: ThreadStatus, rights: Rights, digests: Digests
) -> Performer:
    """Return what carries out the outbox."""
    store, workflows = parts.store, parts.workflows
    facts, documents = (
        Facts(store, workflows, parts.people, parts.lists),
        Documents(store, Fetcher(parts.client_for), Extractor(), status),
    )
    kinds: Mapping[str, Perform] = {
        "post": poster.post,
        "repaint": poster.repaint,
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
        "remind": Timers(store, workflows).fire,
        "right": rights.serve,
        "prompts": Prompts(parts.client_for, workflows, parts.people, parts.budget).serve,
        DIGEST: poster.attached(digests.made),
        SINK: Deliverer(parts.sinks, parts.sink_session, store.now, parts.settings.holdfast_pace).serve,
        "answer": AnswerPosts(parts.answers, poster).serve,
    }
    return Performer(kinds, parts.budget, parts.client_for, store.now)


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
    poster = Poster(store, parts.client_for, parts.budget)
    turns = TurnHandler(
        store, parts.workflows, lambda: uuid.uuid4().hex[:12], settings.channels, poster, policy, leads_in=thinker.has_model,
        roles=parts.roles, lists=parts.lists, sinks=parts.sinks.current,
    )  # fmt: skip
    performer = make_performer(parts, poster, thinker, status, make_rights(parts, poster, lambda: engine), digests)
    words = Phrasebook(next(iter(parts.workflows.values())).form.language)
    spoken = {name: Phrasebook(w.form.language) for name, w in parts.workflows.items()}
    teller = Teller(store, settings.channels.get(OPERATORS, ""), words, settings.channels, spoken)
    trouble = Trouble(store, parts.client_for, teller, settings.holdfast_pace)
    engine = Worker(store, turns, performer, parts.people.forget, trouble)
    if redis:
        engine.signal = Signal(redis, store.names, engine.heard)
    return engine


def make_uploads(parts: Parts, engine: Worker) -> Uploads:
    """Return what officers upload for the lists that they keep."""

    async def kick(lane: str) -> None:
        await engine.kick("lane", lane)

    fetcher = Fetcher(parts.client_for, MOST_OF_A_LIST)
    channels = parts.settings.channels
    return Uploads(
        parts.store, parts.workflows, parts.lists, parts.roles, fetcher, channels, kick, lambda: uuid.uuid4().hex
    )


def make_intake(parts: Parts, engine: Worker) -> Intake:
    """Return what listeners put in, and ask."""
    return Intake(
        parts.store, parts.workflows, engine.receive, parts.people, engine.opened, parts.roles,
        make_uploads(parts, engine), parts.answers,
    )  # fmt: skip
