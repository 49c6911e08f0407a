"""From Slack into the inbox: an event is stored under a key that is unique for ever, before Slack hears that we have it."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from blocks.ids import Press
from blocks.phrases import Phrasebook, spoken
from blocks.text import unescape
from bot.effects.look_ups import Answers
from bot.officers.lists import Uploads
from bot.officers.queue import OfficerQueue
from bot.officers.roles import Roles
from bot.slack.people import People
from bot.slack.places import Place, person_key, place
from bot.turns.writes import prompted
from state.draft.documents import Sent
from state.draft.draft import Draft, Status
from state.draft.working_days import day_of
from state.engine.codec import decode_draft, encode
from state.engine.events import CaseJudged, Clicked, DecisionMade, DraftEvent, MessageReceived, ReportMade, TakenUp
from state.form import Form
from state.stores.rows import InboxRow, Record
from state.stores.store import Store
from state.workflow.load import NotInstalled, Workflow

OPEN_DRAFTS = 200
"""Drafts of one person that are looked through for those in progress."""

Payload = Mapping[str, Any]
"""What Slack sent, or a part of it, as JSON."""
Opened = Callable[[str], Awaitable[object]]


Act = Clicked | DecisionMade | ReportMade | CaseJudged
KEYS: Mapping[type[Act], str] = {Clicked: "click", DecisionMade: "verdict", ReportMade: "report", CaseJudged: "case"}
"""What the key of an act begins with."""
TIMES = ("clicked_at", "shown")
WITHIN = Decimal("0.5")
"""Seconds, by Slack's clock."""
KEPT = 1000


class DoubleClicks:
    """The second half of a double click is no act: what the first came to stands where both were made.

    One that reaches another process is judged by the draft as it then stands.
    """

    def __init__(self) -> None:
        self._last: OrderedDict[int, tuple[Decimal, asyncio.Future[None] | None]] = OrderedDict()
        """When, and what it came to; None where it came through: a task would hold all that was known in it."""

    async def once(self, what: int, at: str, act: Callable[[], Awaitable[None]]) -> None:
        """Act, unless `what` was clicked less than half a second before `at` (Slack's time) and that came through. Raises what acting raises."""
        moment = Decimal(at or 0)
        before, first = self._last.get(what, (Decimal(0), None))
        if 0 < moment - before <= WITHIN and (first is None or await _came_through(first)):
            return
        acting = asyncio.ensure_future(act())
        self._last[what] = moment, acting
        if len(self._last) > KEPT:
            self._last.popitem(last=False)
        await acting
        if self._last.get(what) == (moment, acting):
            self._last[what] = moment, None


async def _came_through(acting: asyncio.Future[None]) -> bool:
    await asyncio.wait([acting])
    return not acting.cancelled() and acting.exception() is None


@dataclass(frozen=True)
class Subject:
    """A draft that somebody acts on, and its form as its owner reads it.

    `last` counts its events; `today` is the owner's own date, ISO 8601.
    """

    draft: Draft
    form: Form
    there: Place
    last: int
    today: str


@dataclass(frozen=True)
class Intake:
    """Serves every listener: the store, the forms, and a way to hand an event to the engine."""

    store: Store
    workflows: Mapping[str, Workflow]
    receive: Callable[[InboxRow], Awaitable[None]]
    people: People
    opened: Opened
    """Told of a channel that may take messages again."""
    roles: Roles
    uploads: Uploads
    """What officers upload."""
    answers: Answers
    """What answers a question that begins no form."""
    clicks: DoubleClicks = field(default_factory=DoubleClicks)

    @property
    def language(self) -> str:
        """The installation's: that of its first form."""
        return next(iter(self.workflows.values())).form.language

    async def said(
        self, there: Place, user: str, ts: str, text: str, files: tuple[Sent, ...] = (), **more: str
    ) -> None:
        """A message: Slack's channel and timestamp are its key, so that a redelivery or a mention's twin is no second message.

        `more`: `form` that was asked for by name, `app` that was mentioned.
        """
        key = f"message:{there.team}:{there.channel}:{ts}"
        profile = await self.people.profile(there.team, user)
        at = (await self.store.now()).isoformat()
        event = MessageReceived(key, at, user, unescape(text), ts, files, zone=profile.zone)
        await self._put(there, user, event, more | {"locale": profile.locale})

    async def acted(
        self, there: Place, user: str, key: str, given: Payload, draft: str = "", kind: type[Act] = Clicked, **more: str
    ) -> None:
        """A click or a modal's entry; `given` holds the fields of its event. `more`: `response_url`, the way back to what was clicked."""

        async def act() -> None:
            profile = await self.people.profile(there.team, user)
            at = (await self.store.now()).isoformat()
            event = kind(f"{KEYS[kind]}:{there.team}:{user}:{key}", at, user, zone=profile.zone, **given)
            await self._put(there, user, event, {"draft": draft, **more, "locale": profile.locale})

        said = {name: value for name, value in given.items() if name not in TIMES}
        what = hash(repr((user, there, draft, said)))  # words are not kept
        await self.clicks.once(what, str(given.get("clicked_at", "")), act)

    async def resumed(self, there: Place, user: str, draft: str) -> None:
        """A record from before records had routes is opened by an officer: it gets a route, once."""
        event = TakenUp(f"taken_up:{there.team}:{draft}", (await self.store.now()).isoformat(), user)
        await self._put(there, user, event, {"draft": draft})

    async def _put(self, there: Place, user: str, event: DraftEvent, more: Mapping[str, str]) -> None:
        body = {"event": encode(event), **{name: value for name, value in more.items() if value}}
        await self.receive(InboxRow(event.id, there.key, person_key(there.team, user), body))

    @cached_property
    def desk(self) -> OfficerQueue:
        """The queue and the records that officers read."""
        return OfficerQueue(self.store, self.workflows, self.roles, self.people)

    async def place_of(self, name: str, team: str) -> Place | None:
        """Return where a draft of this team is; None for another team's and an erased one, as for one that does not exist. Raises NotInstalled."""
        conversation, form = (await self.store.whereabouts(name) if name else None) or ("", "")
        there = place(conversation) if conversation else None
        if there is None or there.team != team:
            return None
        if form not in self.workflows:
            raise NotInstalled(form)
        return there

    async def draft(self, name: str, team: str) -> Subject | None:
        """Return a draft to act on; None and NotInstalled as for `place_of`."""
        there = await self.place_of(name, team)
        stored = await self.store.draft(name) if there else None
        if there is None or stored is None or stored.erased:
            return None
        draft, now = decode_draft(stored.body), (await self.store.now()).isoformat()
        form = self.workflows[stored.form].form_of(draft)
        return Subject(draft, form, there, stored.last, day_of(now, draft.zone))

    async def clicked_on(self, press: Press | None, body: Payload) -> Subject | None:
        """Return the draft that a button or a modal is about; None as for `draft`."""
        return await self.draft(press.draft, team_of(body)) if press else None

    async def holds(self, there: Place) -> bool:
        """Return True if this conversation is about a draft."""
        return await self.store.current(there.key) is not None

    async def prompted(self, there: Place) -> dict[str, Any]:
        """Return what may be prompted here, as `bot.turns.writes.prompted` does."""
        current, known = await self.store.current(there.key), None
        with suppress(NotInstalled):
            known = await self.draft(current.draft, there.team) if current else None
        return prompted({known.form.name: known.form}, known.draft) if known else {}

    async def open_drafts(self, team: str, user: str) -> list[Draft]:
        """Return what a person is filling in, the draft begun last first; a conversation of operations is never in progress."""
        stored = await self.store.drafts_of(person_key(team, user), OPEN_DRAFTS, Status.OPEN)
        drafts = [decode_draft(s.body) for s in stored if s.body and s.form in self.workflows]
        return [draft for draft in drafts if not self.workflows[draft.form].form.conversational]

    async def own_record(self, team: str, user: str, number: str) -> Record | None:
        """Return a record of this person; None for anybody else's and an erased one, as for one that does not exist."""
        record = await self.store.record(number)
        if record is None or record.erased or record.tenant != team:
            return None
        return record if record.person == person_key(team, user) else None

    async def words_for(self, team: str, user: str) -> Phrasebook:
        """Sentences in the person's own language, as far as there are any; else in the installation's."""
        return Phrasebook(spoken(await self.people.locale(team, user), self.language))


def team_of(body: Payload) -> str:
    """Return the team of an interaction."""
    return str((body.get("team") or {}).get("id") or body["user"].get("team_id") or "")


def team_of_event(body: Payload) -> str:
    """Return the workspace of an event."""
    return str(body.get("team_id") or body["event"].get("team") or "")
