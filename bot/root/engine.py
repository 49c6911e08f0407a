"""The worker, and what carries out its outbox."""

import uuid
from collections.abc import Callable

from redis.asyncio import Redis

from blocks.phrases import Phrasebook
from bot.data_rights.erasure import MOST, Eraser
from bot.delivery.answers import AnswerPosts
from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.dossiers import Dossiers
from bot.delivery.facts import Facts
from bot.delivery.kinds import Performers
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.performer import Performer
from bot.delivery.posts import Poster
from bot.delivery.prompts import Prompts
from bot.delivery.status import ThreadStatus
from bot.delivery.telling import Teller
from bot.delivery.timers import Timers
from bot.desk.digest import Digests
from bot.documents.extracting import Extractor
from bot.documents.fetching import Fetcher
from bot.listeners import Intake
from bot.operations.service import Operations
from bot.root.parts import OPERATORS, Parts
from bot.sinks.delivery import Deliverer
from bot.sinks.erasing import sinks_to_tell
from bot.turn.trouble import Trouble
from bot.turn.turn import TurnHandler
from bot.turn.worker import Worker
from bot.uploads import Uploads
from state.engine.context import Policy
from state.lists.spreadsheet import MOST as MOST_OF_A_LIST
from state.stores.wake import Signal


def make_performer(
    parts: Parts, poster: Poster, thinker: ModelCaller, status: ThreadStatus, rights: Rights, digests: Digests
) -> Performer:
    """What carries out the outbox."""
    store, workflows = parts.store, parts.workflows
    performers = Performers(
        poster=poster,
        thinker=thinker,
        facts=Facts(store, workflows, parts.people, parts.lists),
        documents=Documents(store, Fetcher(parts.client_for), Extractor(), status),
        operator=Operator(store, workflows, Operations(store)),
        rights=rights,
        prompts=Prompts(parts.client_for, workflows, parts.people),
        timers=Timers(store, workflows),
        sinks=Deliverer(parts.sinks, parts.sink_session, store.now, parts.settings.holdfast_pace),
        digests=digests,
        answers=AnswerPosts(parts.answers, poster),
        budget=parts.budget,
    )
    return Performer(performers, parts.client_for, store.now)


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


def make_intake(parts: Parts, engine: Worker) -> Intake:
    """What listeners put in, and ask."""
    return Intake(
        parts.store, parts.workflows, engine.receive, parts.people, engine.drafts, engine.opened, parts.roles,
        make_uploads(parts, engine), parts.answers,
    )  # fmt: skip
