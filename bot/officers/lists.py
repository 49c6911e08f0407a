"""Lists that officers keep: which version holds when, and an upload read, compared with that, and published once confirmed."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from babel.dates import format_date

from blocks.phrases import Phrasebook
from blocks.policy import Shown, build_announcement
from bot.officers.roles import AUDITOR, Roles, RolesUnknown, holds
from bot.operations.tasks import notice
from bot.slack.downloads import Fetcher
from bot.slack.places import of_team
from state.draft.documents import Sent
from state.draft.working_days import day_of, instant_of
from state.form.schema import ListTable
from state.lists.reading import Finding, read_list
from state.lists.versions import Changes, InForce, Row, Version, changes, fingerprint, newest_in_force
from state.stores.lists import ListKey, ListVersion, Overtaken
from state.stores.rows import OutboxRow
from state.stores.store import Store
from state.workflow.load import Workflow

KEPT = 64
"""Versions whose content is remembered: none ever changes."""


class Lists:
    """Reads versions from the store; what is asked for again and again comes from memory."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows
        self._contents: OrderedDict[tuple[ListKey, int], Mapping[str, Any]] = OrderedDict()

    async def in_force(self, key: ListKey, at: datetime) -> InForce:
        """Return the list as it holds at a moment. Raises KeyError where the form has no such list."""
        known = await self.versions(key)
        return await self.version(key, newest_in_force(map(as_version, known), at).number)

    async def versions(self, key: ListKey) -> list[ListVersion]:
        """Return those that were uploaded, oldest first."""
        return await self._store.list_versions(key)

    async def version(self, key: ListKey, number: int) -> InForce:
        """One version whole; 0 is what ships. Raises KeyError where there is none."""
        workflow = self._workflows[key.form]
        title = workflow.form.lists[key.list].title
        if not number:
            rows = workflow.lists[key.list]
            return InForce(title, rows=rows, sha256=fingerprint(rows))
        content = self._contents.get((key, number))
        if content is None:
            content = await self._store.list_content(key, number)
            if content is None:
                raise KeyError(f"{key.list} has no version {number}")
            self._contents[key, number] = content
            while len(self._contents) > KEPT:
                self._contents.popitem(last=False)
        since = spoken(str(content["day"]), workflow.form.language)
        rows = tuple(dict[str, str](row) for row in content["rows"])
        return InForce(title, number, since, rows, str(content["sha256"]))


def as_version(stored: ListVersion) -> Version:
    """Return a stored version, as those are compared."""
    return Version(stored.number, stored.effective, stored.uploaded_at)


def spoken(day: str, language: str) -> str:
    """Return a day (ISO 8601) as people read it: "20 Nov 2026"."""
    return format_date(date.fromisoformat(day), "d MMM y", locale=language.replace("-", "_"))


LOOKED_AT = 3600.0
"""Seconds for which what is previewed can be confirmed."""
Refusal = Literal[
    "policy_role", "policy_auditor", "policy_unknown", "policy_over", "policy_overtaken", "policy_mismatch"
]


class Refused(Exception):
    """Nothing was published; `why` is the key of the sentence that says why not."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why: Refusal = why


@dataclass(frozen=True)
class Officer:
    """Who acts: a Slack user of a team, with their time zone."""

    team: str
    user: str
    zone: str

    def begins(self, day: str) -> datetime:
        """When a day (ISO 8601) begins where they are."""
        return datetime.fromisoformat(instant_of(date.fromisoformat(day), 0, self.zone))


@dataclass(frozen=True)
class Preview:
    """The changes that an upload would make. `name` and `hash` are what Confirm has to bring; `gives_way` are versions that would never hold."""

    table: ListTable
    name: str
    hash: str
    number: int
    day: str
    at_once: bool
    changes: Changes
    gives_way: tuple[int, ...] = ()


Read = Preview | tuple[Finding, ...]


@dataclass(frozen=True)
class Uploads:
    """Everything around an upload. `kick` has a lane of the outbox worked on at once; `new_id` names an upload."""

    store: Store
    workflows: Mapping[str, Workflow]
    lists: Lists
    roles: Roles
    fetcher: Fetcher
    channels: Mapping[str, str]
    kick: Callable[[str], Awaitable[None]]
    new_id: Callable[[], str]

    async def kept_by(self, officer: Officer) -> list[Shown]:
        """Return the lists that this person may upload, as they stand. Where nobody can tell who holds a role, none."""
        now = await self.store.now()
        every = list(self._all(officer.team))
        held = {role: await self._holds(officer, role, now) for role in dict.fromkeys(table.by for _, table in every)}
        return [await self._shown(key, table, now) for key, table in every if held[table.by]]

    async def may(self, officer: Officer, key: ListKey) -> ListTable:
        """Return the list, for somebody who holds its role now. Raises Refused."""
        workflow = self.workflows.get(key.form)
        table = workflow.form.lists.get(key.list) if workflow else None
        if table is None:
            raise Refused("policy_over")
        now = await self.store.now()
        try:
            if await self._has(officer, AUDITOR, now):
                raise Refused("policy_auditor")
            if not await self._has(officer, table.by, now):
                raise Refused("policy_role")
        except RolesUnknown:
            raise Refused("policy_unknown") from None
        return table

    async def today(self, officer: Officer) -> str:
        """Return their own date, ISO 8601."""
        return day_of((await self.store.now()).isoformat(), officer.zone)

    async def read(self, officer: Officer, key: ListKey, sent: Sent, day: str) -> Read:
        """Read a file and keep it for a confirmation. `day` is ISO 8601, today or later. Raises Refused, TryAgain."""
        table, workflow = await self.may(officer, key), self.workflows[key.form]
        fetched = await self.fetcher.fetch(officer.team, sent)
        if fetched.problem:
            return (Finding(0, f"list_file_{fetched.problem}"),)
        shipped = workflow.lists[key.list]
        given = (fetched.content, workflow.rules.finds, shipped, workflow.rules.vets.get(key.list, lambda _row: ""))
        reading = await asyncio.to_thread(read_list, table, *given)
        return reading.findings or await self._preview(officer, key, reading.rows, day)

    async def publish(
        self, officer: Officer, key: ListKey, name: str, hash_: str
    ) -> tuple[ListTable, ListVersion, str]:
        """Publish what was previewed as the next version; return the list, the version, and its day as people read it. Raises Refused."""
        table = await self.may(officer, key)
        kept = await self.store.upload(name)
        if kept is None or kept["of"] != [key.tenant, key.form, key.list, officer.user]:
            raise Refused("policy_over")
        rows = tuple(dict[str, str](row) for row in kept["rows"])
        if fingerprint(rows) != hash_:
            raise Refused("policy_mismatch")
        today = await self.today(officer)
        day, now = max(str(kept["day"]), today), await self.store.now()
        effective = now if day == today else officer.begins(day)
        after = int(kept["after"])
        told = self._announcement(officer, key, after + 1, day, await self._changes(key, table, rows, effective))
        sealed = {"rows": [dict(row) for row in rows], "sha256": hash_, "by": officer.user, "day": day}
        try:
            version = await self.store.publish(name, key, after, effective, sealed, told)
        except Overtaken:
            raise Refused("policy_overtaken") from None
        for row in told:
            await self.kick(row.lane)
        return table, version, spoken(day, self.workflows[key.form].form.language)

    async def _preview(self, officer: Officer, key: ListKey, rows: tuple[Row, ...], day: str) -> Preview:
        table, today = self.workflows[key.form].form.lists[key.list], await self.today(officer)
        now = await self.store.now()
        effective = now if day <= today else officer.begins(day)
        known = await self.lists.versions(key)
        after, name = max((one.number for one in known), default=0), self.new_id()
        of = [key.tenant, key.form, key.list, officer.user]
        await self.store.keep_upload(
            name, {"of": of, "rows": [dict(r) for r in rows], "day": day, "after": after}, LOOKED_AT
        )
        return Preview(
            table, name, fingerprint(rows), after + 1, spoken(max(day, today), self.workflows[key.form].form.language),
            day <= today, await self._changes(key, table, rows, effective),
            tuple(one.number for one in known if one.effective > max(effective, now)),
        )  # fmt: skip

    async def _changes(self, key: ListKey, table: ListTable, rows: tuple[Row, ...], at: datetime) -> Changes:
        """Against what would be in force at that moment without it."""
        before = await self.lists.in_force(key, at)
        return changes(table, before.rows, rows)

    def _announcement(
        self, officer: Officer, key: ListKey, number: int, day: str, changed: Changes
    ) -> tuple[OutboxRow, ...]:
        """Return what reviewers read of it in the form's channel; nothing where it has none."""
        form = self.workflows[key.form].form
        channel = of_team(self.channels, officer.team).get(key.form, "")
        if not channel:
            return ()
        table, said = form.lists[key.list], spoken(day, form.language)
        message = build_announcement(
            Phrasebook(form.language, form.says), table.title, number, said, officer.user, changed
        )
        return (notice(f"list:{key.tenant}:{key.form}:{key.list}:{number}", officer.team, channel, message),)

    async def _shown(self, key: ListKey, table: ListTable, now: datetime) -> Shown:
        known, language = await self.lists.versions(key), self.workflows[key.form].form.language
        held = await self.lists.version(key, newest_in_force(map(as_version, known), now).number)
        later = [one for one in known if one.effective > now and one.number > held.number]
        planned = [(one.number, (await self.lists.version(key, one.number)).since) for one in later]
        return Shown(key.form, key.list, table.title, held.number, held.since, len(held.rows), tuple(planned), language)

    async def _holds(self, officer: Officer, role: str, now: datetime) -> bool:
        """Return True if they may act in a role now; not where nobody can tell."""
        try:
            return await self._has(officer, role, now) and not await self._has(officer, AUDITOR, now)
        except RolesUnknown:
            return False

    async def _has(self, officer: Officer, role: str, now: datetime) -> bool:
        """Return True if they hold a role, or stand in for somebody who does. Raises RolesUnknown."""
        return await holds(self.roles, officer.team, officer.user, role, day_of(now.isoformat(), officer.zone))

    def _all(self, team: str) -> Iterator[tuple[ListKey, ListTable]]:
        for name, workflow in self.workflows.items():
            yield from ((ListKey(team, name, list_), table) for list_, table in workflow.form.lists.items())
