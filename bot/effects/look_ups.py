"""Facts: look-ups, what a submission is judged by, the start of a form anew, timers. Each comes back as an event."""

import asyncio
from collections.abc import Awaitable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

import structlog

from bot.effects.outbox import draft_of
from bot.effects.rows import holders
from bot.officers.lists import Lists
from bot.officers.records import essence_of_record
from bot.slack.people import People
from bot.slack.places import place
from state.draft.criteria import EARLIER, ROWS, earlier
from state.draft.draft import Draft, Option
from state.draft.working_days import day_of
from state.engine.codec import decode_draft, decode_effect, encode
from state.engine.effects import Begin, Gather, LookUp, Remind
from state.engine.events import Clicked, DraftEvent, FactsGathered, LookupCompleted, TimerFired
from state.engine.on_facts import LISTED, MY_REQUESTS
from state.fields import kind_of
from state.form import Form
from state.lists.versions import InForce
from state.record.filing import SOURCES
from state.rules import FormFault, Results
from state.stores.lists import ListKey
from state.stores.rows import InboxRow, OutboxRow, Record
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.facts")

EVERY = 100_000
"""Records that a limit may have to count: all of them."""
LIMIT = 20.0
"""Seconds for one look-up or gathering."""
AT_ONCE = 8
T = TypeVar("T")


class OwnRecords:
    """The sources that a workflow's rules may ask: the person's own records of this form `but` the one that is judged, and the day."""

    def __init__(
        self, store: Store, person: str, form: Form, now: str, zone: str, people: People | None = None, where: str = "",
        but: str = "", lists: Lists | None = None, asked: tuple[str, str] = ("", ""),
    ) -> None:  # fmt: skip
        self._store, self._person, self._form, self._people, self._where = store, person, form, people, where
        self._today, self._zone, self._now = day_of(now, zone), zone, now
        self._but, self._lists, self._asked = but, lists, asked

    async def own_records(self, limit: int = 200) -> list[Mapping[str, Any]]:
        """Newest first; each with number, state, filed_at (ISO 8601), essence and the record's body."""
        records = await self._store.records_of(self._person, self._form.name, limit)
        return [await self._flat(r) for r in records if not r.erased and r.number != self._but]

    def today(self) -> str:
        """Return the day of the store's clock."""
        return self._today

    async def in_force(self, name: str) -> InForce:
        """Return a list of the form as it held at this event's moment."""
        key = ListKey(self._person.partition(":")[0], self._form.name, name)
        if self._lists is None:
            raise KeyError(name)
        return await self._lists.in_force(key, datetime.fromisoformat(self._now))

    def asked(self) -> tuple[str, str]:
        """Return the command that is to be answered, and the words after it."""
        return self._asked

    async def conversation(self) -> Mapping[str, str]:
        """Whose it is, as Slack shows them, and where its messages are found."""
        if self._people is None or not self._where:
            return {"name": "", "archive": "", "thread": ""}
        here, (team, _, user) = place(self._where), self._person.partition(":")
        name, url = (await self._people.profile(team, user)).name, await self._people.workspace(here.team)
        archive = f"{url.rstrip('/')}/archives/{here.channel}" if url else ""
        return {"name": name, "archive": archive, "thread": here.thread}

    async def listed(self) -> Mapping[str, Any]:
        """Return what any form can say of the newest `requests`: number, essence, `state_name` as it is stored, `filed_on` (ISO 8601)."""
        records = await self.own_records(LISTED)
        same = ("number", "essence")
        return {
            "requests": [
                {**{name: r[name] for name in same}, "state_name": r["state"], "filed_on": r["filed_at"][:10]}
                for r in records
            ]
        }

    async def rows(self, form: str) -> list[Mapping[str, Any]]:
        """Return the person's own rows of a form of operations, newest first, without those that a record holds."""
        tenant = self._person.partition(":")[0]
        held = await holders(self._store, self._person, form, self._but)
        entries = await self._store.entries(tenant, form, self._person)
        return [{"number": e.number, **e.body} for e in entries if e.number not in held]

    async def picked(self, draft: Draft) -> list[Mapping[str, Any]]:
        """Return those rows that the draft's answers name, as they stand now."""
        named = [value.facts[ROWS] for value in draft.values.values() if ROWS in value.facts]
        rows = [(one["numbers"], await self.rows(str(one["form"]))) for one in named]
        return [row for numbers, open_ones in rows for row in open_ones if row["number"] in numbers]

    async def earlier(self) -> Mapping[str, Any]:
        """Return what the limits of the form's rules count: every record that is not erased, by the day on which the person filed it."""
        records = await self.own_records(EVERY)
        days = ({**record, "day": day_of(record["filed_at"], self._zone)} for record in records)
        return earlier(self._form, days, self._today)

    async def _flat(self, record: Record) -> Mapping[str, Any]:
        filed = record.filed_at.isoformat() if record.filed_at else ""
        essence = essence_of_record(self._form, record, self._today)
        flat = {"number": record.number, "state": record.state, "filed_at": filed, "essence": essence, **record.body}
        return flat | await self._since(record)

    async def _since(self, record: Record) -> dict[str, Any]:
        """Until when a verdict that somebody gave counts, and what was reported as done; nothing where neither can be on the form."""
        filing = self._form.filing
        if filing.report is None and not any(state.waits for state in filing.states.values()):
            return {}
        stored = await self._store.draft(record.draft)
        if stored is None or stored.erased:
            return {}
        filed = decode_draft(stored.body).filed
        reported = {"reported": dict(filed.report.figures)} if filed.report else {}
        return ({"valid_until": filed.valid_until} if filed.valid_until else {}) | reported


class Facts:
    """What could not be asked is logged and told as that; what a form's own Python raised comes back with its event."""

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
        workflow = self._workflows[draft.form]
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
        return self._incoming(row, draft, event)

    async def gather(self, row: OutboxRow) -> InboxRow | None:
        """Gather what a submission or a command is judged by."""
        draft, effect = await self._read(row)
        if draft is None or not isinstance(effect, Gather):
            return None
        workflow, now = self._workflows[draft.form], await self._now()
        if effect.purpose == "profile":
            return self._incoming(row, draft, await self._from_profile(row, draft, now))
        if effect.purpose == "again":
            last, fault = await self._safely(self._last_time(workflow, row.person, draft), row)
            event = FactsGathered(
                f"{row.key}/gathered", now, "records", "again", last or {}, failed=last is None, fault=fault
            )
            return self._incoming(row, draft, event)
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
        return self._incoming(row, draft, event)

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

    async def _from_profile(self, row: OutboxRow, draft: Draft, now: str) -> FactsGathered:
        """Return what Slack's profile says of the draft's owner."""
        profile = await self._people.profile(draft.tenant, draft.owner)
        return FactsGathered(
            f"{row.key}/gathered", now, "profile", "profile", {"phone": profile.phone, "name": profile.name}
        )

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

    def _incoming(self, row: OutboxRow, draft: Draft, event: DraftEvent) -> InboxRow:
        return InboxRow(event.id, draft.conversation, row.person, {"event": encode(event), "draft": draft.id})


class Timers:
    """Fires timers; the request itself judges if what was waited for still counts."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows

    async def fire(self, row: OutboxRow) -> InboxRow | None:
        """Return the event; nothing where the request was erased. Raises NotInstalled: it waits for its form."""
        draft, effect = await draft_of(self._store, row), decode_effect(row.body["effect"])
        if draft is None or not isinstance(effect, Remind):
            return None
        _ = self._workflows[draft.form]
        now = (await self._store.now()).isoformat()
        event = TimerFired(f"{row.key}/fired", now, "timer", effect.what, effect.state, effect.mark, effect.at)
        return InboxRow(event.id, draft.conversation, row.person, {"event": encode(event), "draft": draft.id})
