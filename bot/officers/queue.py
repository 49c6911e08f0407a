"""The officer queue, the search and single records, read from the index and the drafts of one page. It changes nothing.

Who may open what others filed is decided here alone, by their roles at that moment, and what they were shown is noted here.
"""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from blocks.page import Page
from blocks.queue import FOUND, ROWS, At, Listed, Query, Queue
from bot.officers.index import draft_of_record, post_of, posts_of
from bot.officers.roles import AUDITOR, Roles, RolesUnknown, holds
from bot.operations.evidence import Reading, What, note, text_hash
from bot.slack.people import People
from bot.slack.places import person_key
from state.draft.draft import Draft, with_record
from state.draft.essence import words_of
from state.draft.route import involved
from state.draft.working_days import day_of, instant_of
from state.engine.codec import decode_draft
from state.form import Form
from state.stores.index import MINE, Match, Post, Wanted
from state.stores.rows import Record
from state.stores.store import Store
from state.workflow.load import NotInstalled, Workflow


@dataclass(frozen=True)
class Duties:
    """`roles` are those held now, oneself or as somebody's deputy; `posts` what they decide on; `forms` whose records they read.

    Whoever is a manager by the table alone reads what waits for them by name, and no other record.
    """

    roles: tuple[str, ...] = ()
    posts: tuple[Post, ...] = ()
    forms: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    """Forms whose breaches and notes they judge."""
    known: bool = True
    """True if it could be told at all; where it could not, nothing may be done or read."""

    @property
    def any(self) -> bool:
        """True if other people's records concern them."""
        return bool(self.forms or self.posts)


async def duties_of(roles: Roles, workflows: Mapping[str, Workflow], team: str, user: str, day: str) -> Duties:
    """As it is now, on the person's day (ISO 8601)."""
    waits = {(name, post): role for name, w in workflows.items() for post, role in posts_of(w.form).items()}
    judge = {name: w.form.filing.breaches.by for name, w in workflows.items() if w.form.filing.breaches}
    every = dict.fromkeys((*waits.values(), *judge.values(), AUDITOR))
    try:
        held = [role for role in every if await holds(roles, team, user, role, day)]
        manages = await roles.manages(team, user)
    except RolesUnknown:
        return Duties(known=False)
    theirs = (post for post, role in waits.items() if (manages if post[1].endswith(MINE) else role in held))
    posts = () if AUDITOR in held else tuple(theirs)
    read = (form for form, post in posts if not post.endswith(MINE))
    forms = tuple(workflows) if AUDITOR in held else tuple(dict.fromkeys(read))
    cases = () if AUDITOR in held else tuple(name for name, role in judge.items() if role in held)
    return Duties(tuple(held), posts, forms, cases)


LATE = "late"
KEPT, RECENTLY, AT_ONCE = 1000, 300.0, 5
"""Officers whose last look at their queue is remembered; seconds for which it counts; how many are shown at once what has changed."""
SOON, LOOKS = 0.05, 24
"""Seconds between two looks at whether an act has been handled, and how many there are: Slack waits three seconds."""
Choices = dict[str, Sequence[tuple[str, str]]]
View = dict[str, Any]


@dataclass(frozen=True)
class OfficerQueue:
    """Whoever reads here holds a role now; nobody reads their own requests here, where reasons stand that are not theirs to read."""

    store: Store
    workflows: Mapping[str, Workflow]
    roles: Roles
    people: People
    _looking: OrderedDict[tuple[str, str], tuple[float, At]] = field(default_factory=OrderedDict)

    def looks(self, team: str, user: str, at: At) -> None:
        """Somebody looks at their queue now."""
        self._looking.pop((team, user), None)
        self._looking[team, user] = (time.monotonic(), at)
        if len(self._looking) > KEPT:
            self._looking.popitem(last=False)

    def looking(self, team: str) -> list[tuple[str, At]]:
        """Who looked at their queue a moment ago, the last one first, and where they stood in it."""
        since = time.monotonic() - RECENTLY
        found = (who for who, (when, _) in reversed(self._looking.items()) if who[0] == team and when > since)
        return [(who[1], self._looking[who][1]) for who in islice(found, AT_ONCE)]

    async def duties(self, team: str, user: str) -> Duties:
        """Return what somebody may do now."""
        now = (await self.store.now()).isoformat()
        return await duties_of(self.roles, self.workflows, team, user, day_of(now, await self.people.zone(team, user)))

    async def queue(self, team: str, user: str, duties: Duties, at: At) -> Queue:
        """Return a page of what waits for them; behind the last one there is the first page."""
        posts, now = [post for post in duties.posts if _fits(at, post, self._role(post))], await self.store.now()
        ask = (team, posts, person_key(team, user))
        found = await self.store.waiting_for(*ask, limit=ROWS, skip=at.skip, late=at.late == LATE)
        if at.skip and not found.entries:
            at = replace(at, skip=0)
            found = await self.store.waiting_for(*ask, limit=ROWS, late=at.late == LATE)
        rows = await self._listed(found.entries)
        told = (rows, found.count, found.late, at, now.isoformat(), self._choices(duties, at))
        return Queue(*told, decides=bool(duties.posts), known=duties.known)

    async def search(self, team: str, user: str, duties: Duties, query: Query) -> tuple[tuple[Listed, ...], bool]:
        """Return a page of what is found among the records that they may read, and whether there is more."""
        zone = await self.people.zone(team, user)
        wanted = _wanted(team, duties, query, person_key(team, user), zone)
        entries = await self.store.found(wanted, FOUND + 1, query.skip) if wanted else []
        return await self._listed(entries[:FOUND]), len(entries) > FOUND

    async def record(self, team: str, user: str, duties: Duties, number: str) -> Record | None:
        """Return a record that they may read; None for any other, as for one that does not exist."""
        record = await self.store.record(number) if number and (duties.any or duties.cases) else None
        if record is None or record.erased:
            return None
        if record.tenant == team and record.form not in self.workflows:
            raise NotInstalled(record.form)
        if record.tenant != team or record.person == person_key(team, user):
            return None
        read = record.form in (*duties.forms, *duties.cases) or _concerns(await self.draft(record), user)
        return record if read else None

    async def noted(self, team: str, user: str, what: What, rows: int, view: View, **filters: str) -> View:
        """Write down that somebody is about to be shown a view with so many records; none where it refuses them. Gives the view."""
        seen = text_hash(json.dumps(view, ensure_ascii=False))
        await note(self.store, Reading(person_key(team, user), what, rows, seen, filters))
        return view

    async def draft(self, record: Record) -> Draft:
        """Return its draft as it is; the record's own answers, where the draft is gone."""
        stored = await self.store.draft(record.draft)
        if stored is None or stored.erased or not stored.body:
            return with_record(draft_of_record(record), state=record.state)
        return decode_draft(stored.body)

    async def card(self, draft: Draft) -> str:
        """Return the address of its decision card in Slack; empty where none stands anywhere."""
        posted = await self.store.posted(draft.filed.pending.card) if draft.filed.pending.card else None
        url = await self.people.workspace(draft.tenant) if posted and not posted.gone else ""
        return f"{url.rstrip('/')}/archives/{posted.channel}/p{posted.ts.replace('.', '')}" if url and posted else ""

    async def handled(self, draft: str, last: int) -> None:
        """Wait a little until more has happened to a draft than so many events."""
        for _ in range(LOOKS):
            stored = await self.store.draft(draft)
            if stored is None or stored.last > last:
                return
            await asyncio.sleep(SOON)

    def states(self, duties: Duties) -> Sequence[tuple[str, str]]:
        """Return every state of the forms that they read, by name and label."""
        forms = [self.workflows[name].form for name in duties.forms]
        named = ((state, _label(form, state)) for form in forms for state in form.filing.known)
        return tuple({state: (state, label) for state, label in named}.values())

    def forms(self, duties: Duties) -> Sequence[tuple[str, str]]:
        """Return the forms that they read, by name and title."""
        return [(name, self.workflows[name].form.title) for name in duties.forms if self.workflows[name].form.fields]

    def _role(self, post: Post) -> str:
        return posts_of(self.workflows[post[0]].form)[post[1]]

    def _choices(self, duties: Duties, at: At) -> Choices:
        """Filters with more than one thing to choose from."""
        here = [post for post in duties.posts if at.form in ("", post[0])]
        forms = {form: self.workflows[form].form for form, _ in duties.posts}
        titles = [(name, form.title) for name, form in forms.items()]
        states = {post: (post, _post_label(forms[form], post)) for form, post in here}
        roles = {self._role(p): (self._role(p), Page(forms[p[0]], _nobody(p[0]), "").role(self._role(p))) for p in here}
        every: Choices = {"form": titles, "state": tuple(states.values()), "role": tuple(roles.values())}
        return {name: found for name, found in every.items() if len(found) > 1} | {"late": [(LATE, "")]}

    async def _listed(self, entries: Iterable[Match]) -> tuple[Listed, ...]:
        found = [one for one in entries if one.form in self.workflows]
        stored = {s.id: s for s in await self.store.drafts_named([one.draft for one in found])}
        drafts = {name: decode_draft(s.body) for name, s in stored.items() if s.body and not s.erased}
        return tuple([await self._one(one, drafts.get(one.draft)) for one in found])

    async def _one(self, entry: Match, draft: Draft | None) -> Listed:
        if draft is None:
            record = await self.store.record(entry.number)
            draft = draft_of_record(record) if record else with_record(_nobody(entry.form), number=entry.number)
        form, due = self.workflows[entry.form].form, entry.due_at.isoformat() if entry.due_at else ""
        return Listed(form, draft, entry.state, entry.filed_at.isoformat(), due)


def why_not(duties: Duties, form: Form, draft: Draft, user: str) -> str:
    """Why the buttons of a verdict are not theirs, as the key of a phrase; empty where they are. The verdict itself is judged by guards."""
    named = draft.filed.pending.named
    theirs = user in named if named else (draft.form, post_of(form, draft, draft.filed.state)) in duties.posts
    if not theirs or user == draft.owner or AUDITOR in duties.roles:
        return "decide_auditor" if AUDITOR in duties.roles else "decide_named" if named else "decide_role"
    return "decide_twice" if user in involved(draft) else ""


def _concerns(draft: Draft, user: str) -> bool:
    """Return True if somebody decides on this record by name, or has."""
    return user in (*draft.filed.pending.named, *(one.who for one in draft.filed.decisions if one.who != draft.owner))


def _fits(at: At, post: Post, role: str) -> bool:
    return at.form in ("", post[0]) and at.state in ("", post[1]) and at.role in ("", role)


def _post_label(form: Form, post: str) -> str:
    """Return a state's name, and behind it what is asked of it."""
    state, _, about = post.partition(":")
    page = Page(form, _nobody(form.name), "")
    asked = "" if not about else page.say("desk_mine") if post.endswith(MINE) else page.verdict(about)
    return ": ".join(filter(None, (_label(form, state), asked)))


def _label(form: Form, state: str) -> str:
    return Page(form, _nobody(form.name), "").state(state)


def _nobody(form: str) -> Draft:
    return Draft("", form, "", "", "")


def _wanted(team: str, duties: Duties, query: Query, me: str, zone: str) -> Wanted | None:
    """Return what is searched for; None where the forms or days that are named are none of theirs, or none at all."""
    forms = tuple(form for form in duties.forms if query.form in ("", form))
    number, words = number_in(query.text), words_of(query.text)
    try:
        since, until = _day(query.since, zone), _day(query.until, zone, days=1)
    except ValueError:
        return None
    person = person_key(team, query.person) if query.person else ""
    if not forms or (query.text and not (number or words)):
        return None
    return Wanted(team, forms, person, () if number else words, number, query.state, since, until, me)


def number_in(text: str) -> str:
    """Return a record's number as it is written on every card: PA-2026-000123; empty for other words."""
    parts = text.strip().upper().split("-")
    return "-".join(parts) if len(parts) == 3 and parts[1].isdecimal() and parts[2].isdecimal() else ""  # noqa: PLR2004


def _day(day: str, zone: str, days: int = 0) -> datetime | None:
    """Return the beginning of a day (ISO 8601) by a person's own clock, or of one so many days later. Raises ValueError."""
    if not day:
        return None
    return datetime.fromisoformat(instant_of(date.fromisoformat(day) + timedelta(days=days), 0, zone))
