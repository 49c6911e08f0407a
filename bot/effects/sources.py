"""Sources that rules may ask: the person's own records, the lists in force, the rows of operations that they may see and write."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.officers.index import essence_of_record
from bot.officers.lists import Lists
from bot.slack.people import People
from bot.slack.places import person_key, place
from state.draft.criteria import ROWS, earlier
from state.draft.draft import Draft
from state.draft.operations import Identity, NotFound, Row, Write, may_touch
from state.draft.record import ASKED
from state.draft.record import Record as Filed
from state.draft.working_days import day_of
from state.engine.codec import decode_draft
from state.engine.on_facts import LISTED
from state.form import Form
from state.form.filing import NEVER_WAS
from state.lists.versions import InForce
from state.stores.ledger import Entry, EntryWrite
from state.stores.lists import ListKey
from state.stores.rows import Record
from state.stores.store import Store


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
        found = await self._store.records_of(self._person, self._form.name, limit)
        mine = [record for record in found if not record.erased and record.number != self._but]
        since = await self._since([record.draft for record in mine])
        return [self._flat(record) | since.get(record.draft, {}) for record in mine]

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
        """Return the person's name, as Slack shows it, and where the conversation's messages are found."""
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

    def _flat(self, record: Record) -> dict[str, Any]:
        filed = record.filed_at.isoformat() if record.filed_at else ""
        essence = essence_of_record(self._form, record, self._today)
        return {"number": record.number, "state": record.state, "filed_at": filed, "essence": essence, **record.body}

    async def _since(self, drafts: list[str]) -> Mapping[str, dict[str, Any]]:
        """Until when a verdict that somebody gave counts, and what was reported as done, by draft; nothing where neither can be on the form."""
        filing = self._form.filing
        if filing.report is None and not any(state.waits for state in filing.states.values()):
            return {}
        stored = await self._store.drafts_named(drafts)
        return {one.id: _told_since(decode_draft(one.body).filed) for one in stored if not one.erased}


def _told_since(filed: Filed) -> dict[str, Any]:
    reported = {"reported": dict(filed.report.figures)} if filed.report else {}
    return ({"valid_until": filed.valid_until} if filed.valid_until else {}) | reported


EVERY = 100_000
"""Records that may hold rows, or that a limit counts: all of them."""
FREE = NEVER_WAS | {ASKED}
"""States in which a record holds nothing: it was never to be, or its owner may put it right."""


class PersonsRows:
    """Rows within the person's reach. `dry` plans: it gives no numbers away."""

    def __init__(self, store: Store, form: str, identity: Identity, *, dry: bool) -> None:
        self._store, self._form, self._who, self._dry = store, form, identity, dry
        self._last: int | None = None

    async def all(self) -> list[Row]:
        """Return the tenant's rows for those who see it whole, else the person's own; newest first."""
        mine = "" if self._who.wide else person_key(self._who.tenant, self._who.user)
        return [row_of(entry) for entry in await self._store.entries(self._who.tenant, self._form, mine)]

    async def one(self, number: int) -> Row:
        """Raises NotFound, in the same words for whatever is not within reach."""
        entry = await self._store.entry(self._who.tenant, self._form, number)
        if entry is None or entry.deleted or not may_touch(self._who, entry.tenant, owner_of(entry)):
            raise NotFound(number)
        return row_of(entry)

    async def number(self) -> int:
        """Return a new row's number: the next one as it stands, which is given as the row is written."""
        if self._dry:
            return 0
        if self._last is None:
            self._last = await self._store.last_entry(self._who.tenant, self._form)
        self._last += 1
        return self._last


async def holders(store: Store, person: str, form: str, but: str = "") -> dict[int, str]:
    """Return rows of a form that a record of the person's holds, and its number: none of them changes while it waits or once it is approved."""
    held: dict[int, str] = {}
    for record in await store.records_of(person, limit=EVERY):
        holds = (record.body.get("computed") or {}).get("holds") or {}
        if holds.get("form") == form and record.number != but and record.state not in FREE:
            held |= {int(number): record.number for number in holds.get("numbers", ())}
    return held


def owner_of(entry: Entry) -> str:
    """Return the Slack user whose entry it is."""
    return entry.person.partition(":")[2]


def row_of(entry: Entry) -> Row:
    """Return an entry as rules see it."""
    made = entry.made_at.isoformat() if entry.made_at else ""
    return Row(entry.number, owner_of(entry), entry.body, entry.revision, made)


def write_of(write: Write, form: str, identity: Identity) -> EntryWrite:
    """Return a row as the store is to write it: a new one is the person's own."""
    person = person_key(identity.tenant, write.row.owner or identity.user)
    return EntryWrite(
        identity.tenant, form, write.row.number, person, dict(write.body), write.row.revision, write.deleted
    )
