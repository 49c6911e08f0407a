"""What nearly everything is put together from."""

from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp
import structlog

from blocks.phrases import Phrasebook
from bot.channels import place_of
from bot.clients import ClientFor
from bot.delivery.answers import Answers
from bot.delivery.budget import Budget
from bot.health.pulse import Alarm
from bot.inspector import Inspector
from bot.lists import Lists
from bot.overseer import Overseer
from bot.people import People
from bot.references import References
from bot.roles import FILE, FileRoles, Roles, RolesFile
from bot.settings import Settings, Wrong
from bot.sinks.file import FILE as SINKS_FILE
from bot.sinks.file import Sinks
from state.stores.store import Store
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
    """What sinks.toml says. Raises Wrong: a bot that does not know where records go would lose some."""
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
    """What looks at an operator's files. The tables that lie there count from here on. Raises FormError."""
    words = Phrasebook(next(iter(workflows.values())).form.language)
    references = References(settings.holdfast_var, workflows)
    overseer = Overseer(store, references, sinks, settings.channels.get(OPERATORS, ""), words)
    overseer.prepare()
    return overseer


def make_parts(
    settings: Settings,
    store: Store,
    workflows: dict[str, Workflow],
    client_for: ClientFor,
    watch: Inspector,
    roles: RolesFile | None,
) -> Parts:
    """The parts that hang on nothing but settings, the store and Slack. `roles` count where no roles.toml is written."""
    people, lists = People(client_for), Lists(store, workflows)
    return Parts(
        settings=settings,
        store=store,
        workflows=workflows,
        client_for=client_for,
        people=people,
        watch=watch,
        budget=Budget(settings.holdfast_pace),
        roles=FileRoles(settings.holdfast_var / FILE, client_for, roles, people),
        sinks=make_sinks(settings, workflows),
        sink_session=aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()),
        lists=lists,
        answers=Answers(store, workflows, people, lists),
    )
