"""Facts: look-ups, what a submission is judged by, the start of a form anew, timers; and questions that begin no form, answered at once."""

import asyncio
from collections.abc import Awaitable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import structlog

from blocks.messages import build_answer, listed_lines
from blocks.page import read_in
from blocks.phrases import Phrasebook, spoken
from blocks.text import literal
from bot.effects.performer import draft_of, incoming
from bot.effects.sources import OwnRecords
from bot.officers.lists import Lists
from bot.officers.roles import Roles, deciders_of
from bot.operations.tasks import write_aside
from bot.slack.people import People
from bot.slack.places import person_key
from bot.slack.posts import Poster
from state.advance import begin
from state.draft.criteria import EARLIER, ROWS
from state.draft.draft import Draft, Option
from state.draft.route import staffing_changed
from state.draft.working_days import day_of
from state.engine.codec import decode_effect, encode
from state.engine.effects import Begin, Gather, LookUp, Remind
from state.engine.events import Clicked, FactsGathered, LookupCompleted, TimerFired
from state.engine.on_facts import MY_REQUESTS
from state.fields import kind_of
from state.record.filing import AGAIN, NAMED_AGAIN, SOURCES
from state.rules import FormFault, Results
from state.stores.rows import InboxRow, OutboxRow, Posted, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.facts")

LIMIT = 20.0
"""Seconds for one look-up or gathering."""
AT_ONCE = 8
T = TypeVar("T")


class Facts:
    """Gathers facts. What could not be asked is logged and told as that; what a form's own Python raised comes back with its event."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow], people: People, lists: Lists) -> None:
        self._store, self._workflows, self._people, self._lists = store, workflows, people, lists
        self._threads = ThreadPoolExecutor(
            AT_ONCE, "look-up"
        )  # their own: one that hangs takes no thread from the rest

    async def look_up(self, row: OutboxRow) -> InboxRow | None:
        """Ask the form's look-up."""
        draft, effect = await self._read(row)
        if draft is None or not isinstance(effect, LookUp):
            return None
        workflow = self._workflows[draft.form].of(draft)
        name, rules = workflow.form.fields[effect.field].lookup, workflow.rules
        asked: Awaitable[Results]
        if name in rules.own_lookups:
            mine = OwnRecords(self._store, row.person, workflow.form_of(draft), await self._now(), draft.zone)
            asked = rules.own_lookups[name](effect.query, draft, mine)
        else:
            asked = asyncio.get_running_loop().run_in_executor(self._threads, rules.lookups[name], effect.query)
        results, fault = await self._safely(asked, row)
        options = results.options if isinstance(results, Results) else ()
        now = await self._now()
        event = LookupCompleted(
            f"{row.key}/found", now, "look_up", effect.field, effect.query, options, effect.turn,
            effect.words, effect.message, bool(results and results.exact), effect.lead_in, results is None, fault,
            workflow.sources(day_of(now, draft.zone)) or None,
        )  # fmt: skip
        return incoming(row, draft, event)

    async def gather(self, row: OutboxRow) -> InboxRow | None:
        """Gather what a submission or a command is judged by."""
        draft, effect = await self._read(row)
        if draft is None or not isinstance(effect, Gather):
            return None
        workflow, now = self._workflows[draft.form].of(draft), await self._now()
        if effect.purpose == "profile":
            profile = await self._people.profile(draft.tenant, draft.owner)
            said = {"phone": profile.phone, "name": profile.name}
            return incoming(row, draft, FactsGathered(f"{row.key}/gathered", now, "profile", "profile", said))
        if effect.purpose == "again":
            last, fault = await self._safely(self._last_time(workflow, row.person, draft), row)
            event = FactsGathered(
                f"{row.key}/gathered", now, "records", "again", last or {}, failed=last is None, fault=fault
            )
            return incoming(row, draft, event)
        form = workflow.form_of(draft)
        judged = draft.filed.number if effect.purpose == "submit" else ""
        asked = (effect.name, effect.rest) if effect.purpose == "command" else ("", "")
        sources = OwnRecords(
            self._store, row.person, form, now, draft.zone, self._people, draft.conversation, judged, self._lists, asked
        )
        listed = effect.name == MY_REQUESTS and MY_REQUESTS not in workflow.rules.commands
        facts, fault = await self._safely(sources.listed() if listed else self._judging(workflow, draft, sources), row)
        event = FactsGathered(
            f"{row.key}/gathered", now, "rules", effect.purpose, facts or {}, effect.hash, effect.name, effect.rest,
            facts is None, fault,
        )  # fmt: skip
        return incoming(row, draft, event)

    async def _last_time(self, workflow: Workflow, person: str, draft: Draft) -> dict[str, Any]:
        """Return the number of the person's last record of this form, and what it holds of the fields that may be the same again.

        What was picked from results is looked up anew: what is not found any more is left out.
        """
        records = await self._store.records_of(person, draft.form, 1)
        if not records or records[0].erased:
            return {}
        held = records[0].body.get("values") or {}
        values = {n: {"data": held[n]["data"]} for n in workflow.form.again if n in held}
        for name in [n for n in values if kind_of(workflow.form.fields[n]).searchable]:
            option = await self._found_again(workflow, name, held[name])
            if option is None:
                del values[name]
            else:
                values[name]["option"] = asdict(option)
        return {"number": records[0].number, "values": values}

    async def _found_again(self, workflow: Workflow, name: str, held: Mapping[str, Any]) -> Option | None:
        lookup, loop = workflow.form.fields[name].lookup, asyncio.get_running_loop()
        look = workflow.rules.lookups.get(lookup)
        if look is None:
            return None
        for query in (str(held["data"]), str(held.get("label") or "")):
            results = await loop.run_in_executor(self._threads, look, query) if query else None
            found = (o for o in results.options if o.id == held["data"]) if isinstance(results, Results) else ()
            if (option := next(iter(found), None)) is not None:
                return option
        return None

    async def _judging(self, workflow: Workflow, draft: Draft, sources: OwnRecords) -> Mapping[str, Any]:
        """Return what rules.py gathers, and where the form's own rules look at them the person's earlier records."""
        facts = dict(await workflow.rules.gather(draft, sources))
        if given := workflow.sources(sources.today()):
            facts[SOURCES] = given
        if workflow.form.filing.sums:
            facts[EARLIER] = await sources.earlier()
        if any(ROWS in value.facts for value in draft.values.values()):
            facts[ROWS] = await sources.picked(draft)
        return facts

    async def begin(self, row: OutboxRow) -> InboxRow | None:
        """Begin a form anew in the same conversation."""
        draft, effect = await self._read(row)
        if draft is None or not isinstance(effect, Begin):
            return None
        event = Clicked(f"{row.key}/begin", await self._now(), draft.owner, "begin", field=effect.form)
        body = {"event": encode(event), "form": effect.form} | ({"locale": draft.language} if draft.language else {})
        return InboxRow(event.id, draft.conversation, row.person, body)

    async def _read(self, row: OutboxRow) -> tuple[Draft | None, Any]:
        return await draft_of(self._store, row), decode_effect(row.body["effect"])

    async def _safely(self, work: Awaitable[T], row: OutboxRow) -> tuple[T | None, tuple[str, ...]]:
        """Return the outcome, or nothing; and what of the form's own Python failed, which is no trouble that passes."""
        try:
            return await asyncio.wait_for(work, LIMIT), ()
        except FormFault as fault:
            return None, fault.told
        except Exception:
            log.exception("facts_failed", kind=row.kind)
            return None, ()

    async def _now(self) -> str:
        return (await self._store.now()).isoformat()


class Timers:
    """Fires timers; the request itself judges if what was waited for still counts."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow], roles: Roles) -> None:
        self._store, self._workflows, self._roles = store, workflows, roles

    async def fire(self, row: OutboxRow) -> InboxRow | None:
        """Return the event; nothing where the request was erased. Raises NotInstalled: it waits for its form."""
        draft, effect = await draft_of(self._store, row), decode_effect(row.body["effect"])
        if draft is None or not isinstance(effect, Remind):
            return None
        form = self._workflows[draft.form].of(draft).form
        now = (await self._store.now()).isoformat()
        event = TimerFired(f"{row.key}/fired", now, "timer", effect.what, effect.state, effect.mark, effect.at)
        if effect.what == "deciders":
            if draft.filed.pending.card != effect.mark:
                return None
            event = replace(event, deciders=await deciders_of(self._roles, form, draft, now))
            if not staffing_changed(form, draft, event.deciders):
                at = await self._store.now() + (AGAIN if draft.filed.pending.lacking else NAMED_AGAIN)
                key = f"{row.key.partition('|')[0]}|{at.isoformat()}"
                again = OutboxRow(key, row.lane, row.kind, row.person, row.body, due_at=at)
                await write_aside(self._store, f"again:{row.key}", TurnWrites(outgoing=[again]))
                return None
        return incoming(row, draft, event)


@dataclass(frozen=True)
class Asked:
    """A command of a form and what it is about; without a form, `my_requests` of all of them."""

    form: str
    command: str
    rest: str = ""


class Answers:
    """Answers for one person alone. Trouble in a workflow's own code is logged, and told as "could not be asked"."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow], people: People, lists: Lists) -> None:
        self._store, self.workflows, self._people, self._lists = store, workflows, people, lists

    async def sentences(self, team: str, user: str, asked: Asked, locale: str = "") -> tuple[str, ...]:
        """Return what a command says to this person, in sentences. `locale` is theirs, for what belongs to no form."""
        words = self.words(asked, locale)
        try:
            found = self._all(team, user, words) if not asked.form else self._asked(team, user, asked)
            return await asyncio.wait_for(found, LIMIT)
        except FormFault as fault:
            log.error("form_failed", form=asked.form, what=fault.what, exc_info=fault)
            return (words.say("form_fault"),)
        except Exception:
            log.exception("answer_failed", command=asked.command)
            return (words.say("error_sorry"),)

    def words(self, asked: Asked, locale: str) -> Phrasebook:
        """Return the sentences of the form that was asked, else of the person."""
        first = next(iter(self.workflows.values())).form.language
        return Phrasebook(self.workflows[asked.form].form.language if asked.form else spoken(locale or first, first))

    async def _asked(self, team: str, user: str, asked: Asked) -> tuple[str, ...]:
        workflow, sources, draft = await self._sources(team, user, asked)
        facts = await workflow.rules.gather(draft, sources)
        return workflow.rules.commands[asked.command](asked.rest, facts)

    async def _all(self, team: str, user: str, words: Phrasebook) -> tuple[str, ...]:
        """Return the newest requests of every form, those of a form that has a command for them in its own words."""
        told: list[str] = []
        for form, workflow in tuple(self.workflows.items()):
            asked = Asked(form, MY_REQUESTS)
            _, sources, _ = await self._sources(team, user, asked)
            if not await sources.own_records(1):
                continue
            if MY_REQUESTS in workflow.rules.commands:
                told += await self._asked(team, user, asked)
            else:
                told += listed_lines(read_in(workflow.form, words.language), (await sources.listed())["requests"])
        return tuple(told) or (words.say("no_requests"),)

    async def _sources(self, team: str, user: str, asked: Asked) -> tuple[Workflow, OwnRecords, Draft]:
        workflow, now = self.workflows[asked.form], (await self._store.now()).isoformat()
        zone, person = await self._people.zone(team, user), person_key(team, user)
        empty = replace(begin(workflow.form, "", team, user, "", now), zone=zone)
        of = (asked.command, asked.rest)
        sources = OwnRecords(self._store, person, workflow.form, now, zone, self._people, lists=self._lists, asked=of)
        return workflow, sources, empty


class AnswerPosts:
    """Posts answers that were asked for in Slack."""

    def __init__(self, answers: Answers, poster: Poster) -> None:
        self._answers, self._poster = answers, poster

    async def serve(self, row: OutboxRow) -> Posted | None:
        """In the direct message as a message; elsewhere as a note that only whoever asked sees."""
        body, locale = row.body, str(row.body.get("language") or "")
        asked = Asked(str(body["form"]), str(body["command"]), str(body["rest"]))
        told = await self._answers.sentences(str(body["team"]), str(body["user"]), asked, locale)
        if not body["direct"]:
            note: dict[str, Any] = {**body, "text": "\n".join(map(literal, told))}
            await self._poster.whisper(replace(row, body=note))
            return None
        form = self._answers.workflows[asked.form].form if asked.form else None
        message = build_answer(form, told, str(body.get("said") or ""))
        shown: dict[str, Any] = {**body, "card": "", "text": message.text, "blocks": list(message.blocks)}
        return await self._poster.post(replace(row, body=shown))
