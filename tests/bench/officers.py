"""A full queue for the benchmark: copies of one request that was played, written as turns write them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from blocks.phrases import Phrasebook
from blocks.queue import At, Query, build_found, build_queue
from bot.effects.look_ups import Answers
from bot.listeners.home import home_view
from bot.listeners.intake import Intake
from bot.officers.index import indexed
from bot.officers.lists import Lists, Uploads
from bot.officers.queue import OfficerQueue
from bot.officers.roles import Roles
from bot.root.installation import load_workflows
from bot.slack.client import SlackClient
from bot.slack.downloads import Fetcher
from bot.slack.people import People
from bot.slack.places import person_key
from bot.turns.writes import stored_draft
from state.draft.draft import Draft, with_record
from state.form import Form
from state.stores.opener import open_store
from state.stores.rows import Record, StoredEvent, TurnWrites
from state.stores.store import Store
from tests.bench.inside import AT, PEOPLE, TEAM
from tests.databases import put_tables
from tests.whole.officers import file_large
from tests.world import settings, world


@dataclass(frozen=True)
class Officer:
    """A manager before a full queue: what they do, and the bare statement beside it."""

    desk: OfficerQueue
    store: Store
    sql: str

    async def queue(self, skip: int) -> object:
        """A page of the queue, as blocks."""
        duties = await self.desk.duties(TEAM, MANAGER)
        page = await self.desk.queue(TEAM, MANAGER, duties, At(skip=skip))
        assert len(page.rows) > 0
        return build_queue(WORDS, page)

    async def search(self, text: str, person: str = "") -> object:
        """What is found, as a modal."""
        duties, query = await self.desk.duties(TEAM, MANAGER), Query(text=text, person=person)
        rows, more = await self.desk.search(TEAM, MANAGER, duties, query)
        assert len(rows) > 0
        return build_found(WORDS, query, rows, AT, more=more)

    async def home(self) -> object:
        """The whole view, as it is published."""
        of = self.store, self.desk.workflows
        lists, people, roles = Lists(*of), self.desk.people, self.desk.roles
        uploads = Uploads(*of, lists, roles, Fetcher(_no_slack), {}, _nothing, str)
        intake = Intake(*of, _nothing, people, _nothing, roles, uploads, Answers(*of, people, lists))
        return await home_view(intake, TEAM, MANAGER)


MANAGER, WORDS = "U0ROBIN", Phrasebook("en-GB")
BATCH = 200


@asynccontextmanager
async def open_requests(folder: Path, count: int) -> AsyncIterator[Officer]:
    """So many requests that wait for a manager, in an SQLite file with its tables, each a copy of one that was played; a tenth is late."""
    template, form = await _played(folder / "played")
    (folder / "roles.toml").write_text(f'[roles.manager]\nusers = ["{MANAGER}"]\n')
    put_tables(folder / "holdfast.db")
    store = open_store(f"sqlite:///{folder / 'holdfast.db'}", bytes(range(32)))
    await store.start()
    try:
        for first in range(0, count, BATCH):
            await _wait(store, template, form, range(first, min(count, first + BATCH)))
        people = People(_no_slack)
        desk = OfficerQueue(
            store,
            {form.name: load_workflows(settings(folder))[form.name]},
            Roles(folder / "roles.toml", _no_slack),
            people,
        )
        yield Officer(desk, store, BARE)
    finally:
        await store.stop()


BARE = (
    "SELECT i.number, i.state, i.filed_at, i.due_at, length(d.sealed) FROM record_index i JOIN drafts d ON d.name = i.draft "
    "WHERE i.tenant = 'T0BENCH' AND i.form = 'pa_dealing' AND i.post = 'pending_manager' ORDER BY i.due_at, i.number LIMIT 12"
)
"""As many rows as a page has, by the same index."""


async def _played(folder: Path) -> tuple[Draft, Form]:
    """A request as it stands before its manager."""
    async with world(folder) as w:
        await file_large(w)
        return await w.draft(), w.bot.workflows["pa_dealing"].form


async def _wait(store: Store, template: Draft, form: Form, numbers: range) -> None:
    """Write some copies in one transaction: drafts with an event each, records, and their entries."""
    copies = [_copied(template, n) for n in numbers]
    stored = [stored_draft(draft, None) for draft in copies]
    work = TurnWrites(also=[replace(one, revision=1) for one in stored])
    work.events = [StoredEvent(d.id, "Began", {}, ({"kind": "TurnBegun"},), 1) for d in copies]
    at = datetime.fromisoformat(AT)
    body = {"values": stored[0].body["values"], "owner": "", "reasons": []}
    for n, draft in zip(numbers, copies, strict=True):
        person = person_key(TEAM, draft.owner)
        work.records.append(
            Record(draft.filed.number, draft.id, form.name, person, TEAM, draft.filed.state, draft.hash, body)
        )
        entry = indexed(form, draft, at + timedelta(minutes=n))
        assert entry is not None
        work.indexed.append(replace(entry, words=(*entry.words, "rarest")) if n == WHICH else entry)
    lease = await store.take(f"{TEAM}:fill{numbers.start}:", 60)
    assert lease is not None
    await store.write(lease, work)


WHICH = 7
"""The request with a word of its own."""


def _copied(template: Draft, n: int) -> Draft:
    """The same request of another person, due at another time."""
    late = timedelta(hours=-1) if n % 10 == 0 else timedelta(hours=24, seconds=n)
    docket = replace(template.filed.pending, card=f"bench{n}-9", due=(datetime.now(UTC) + late).isoformat())
    owner, name = f"U0P{n % PEOPLE:05d}", f"bench{n:08d}"
    there = f"{TEAM}:D{n:08d}:"
    return with_record(
        replace(template, id=name, tenant=TEAM, owner=owner, conversation=there),
        number=f"PA-2026-{n + 1:06d}",
        pending=docket,
    )


async def _nothing(*_: object) -> None:
    """Nobody listens here."""


async def _no_slack(_team: str) -> SlackClient:
    """A client of a server that is not there; what it would say is remembered for a minute."""
    return SlackClient("xoxb-bench", base_url="http://127.0.0.1:1/api/", timeout=1)
