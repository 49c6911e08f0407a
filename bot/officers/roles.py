"""Who holds which role: from roles.toml under HOLDFAST_VAR, the table of managers and Slack's user groups, read when an event is judged."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from slack_sdk.errors import SlackApiError

from bot.operations.files import MANAGER, Manager, read_managers, taken_managers
from bot.slack.client import ClientFor
from bot.slack.people import People
from state.draft.draft import Draft
from state.draft.record import EXTEND, Decider, Deciders
from state.draft.route import decision_wanted
from state.draft.working_days import day_of
from state.form import Form
from state.form.source import FormError, misfits, values_in

log = structlog.get_logger("holdfast.roles")

T = TypeVar("T")

FILE = "roles.toml"
AUDITOR = "auditor"
"""The role that reads every record and decides nothing."""
MOST = 20
"""Holders of a role who are looked at to find somebody active."""
FRESH, LIMIT = 60.0, 3.0
"""Seconds for which a group is remembered, and that Slack has to answer."""


class RolesUnknown(Exception):
    """It cannot be told now who holds a role; the text says why, for the log."""


class Holders(BaseModel):
    """Who holds a role: Slack user ids, the ids of Slack user groups, or both; "T012AB:U034" counts in that workspace alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class Delegate(BaseModel):
    """`to` stands in for `of` on these days, both included; in one role, or in every one that `of` holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    of: str
    to: str
    role: str = ""
    since: date | None = Field(None, alias="from")
    until: date | None = None

    def on(self, day: date) -> bool:
        """Return True if it holds on a day."""
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)


class RolesFile(BaseModel):
    """roles.toml as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    roles: Mapping[str, Holders] = {}
    delegates: tuple[Delegate, ...] = ()


@dataclass(frozen=True)
class Authority:
    """Somebody's authority in one role: `own` if they hold it themselves, and for whom they stand in."""

    own: bool = False
    deputy_of: tuple[str, ...] = ()


class Roles:
    """Roles of a file, read anew where it changed; `otherwise` counts while there is no such file.

    A role is held by people of the workspace alone; without `people` whoever is written down counts as one.
    """

    def __init__(
        self, path: Path, client_for: ClientFor, otherwise: RolesFile | None = None, people: People | None = None
    ) -> None:
        self._path, self._client_for, self._otherwise = path, client_for, otherwise or RolesFile()
        self._people = people
        self._read: dict[Path, tuple[tuple[int, int], Any]] = {}
        self._groups: dict[tuple[str, str], tuple[float, frozenset[str]]] = {}

    async def authority(self, team: str, user: str, role: str, day: str, owner: str = "") -> Authority:
        """Return what the file, the table and the groups say now."""
        mine = [one for one in (await self._found(team, role, day, owner))[0] if one.who == user]
        found = Authority(any(not d.deputy_of for d in mine), tuple(d.deputy_of for d in mine if d.deputy_of))
        return found if mine and await self._belongs(team, user) else Authority()

    async def deciders(self, team: str, role: str, day: str, owner: str) -> Deciders:
        """Return everybody of the file, the table and the groups who is active, and no auditor."""
        found, named = await self._found(team, role, day, owner)
        audits = {d.who for d in (await self._found(team, AUDITOR, day, ""))[0]}
        free = [d for d in found if owner not in (d.who, d.deputy_of) and d.who not in audits][:MOST]
        active = await asyncio.gather(*(self._active(team, one.who) for one in free))
        return Deciders(tuple(one for one, here in zip(free, active, strict=True) if here), named)

    async def manages(self, team: str, user: str) -> bool:
        """Return True if the table names them, or a deputy is written down in whose name they act."""
        named = {_here(team, who) for m in self._managers().values() for who in (m.manager, m.deputy)} - {""}
        return user in named or any(
            _here(team, d.to) == user and _here(team, d.of) in named for d in self._written().delegates
        )

    async def _found(self, team: str, role: str, day: str, owner: str) -> tuple[list[Decider], bool]:
        """Return who holds a role or stands in for somebody who does; of a person in the table their manager, first who is to have the card."""
        written, today = self._written(), date.fromisoformat(day)
        given = [
            Decider(to, of)
            for d in written.delegates
            if d.role in ("", role) and d.on(today) and (to := _here(team, d.to)) and (of := _here(team, d.of))
        ]
        managers = self._managers() if role == MANAGER and owner else {}
        one = managers.get(f"{team}:{owner}") or managers.get(owner)
        if one is None or not _here(team, one.manager):
            holders = await self._holders(team, written.roles.get(role, Holders()))
            return [*(Decider(who) for who in sorted(holders)), *(d for d in given if d.deputy_of in holders)], False
        manager, deputy = _here(team, one.manager), _here(team, one.deputy)
        given = [d for d in given if d.deputy_of == manager]
        gone = manager == owner or not await self._active(team, manager)
        if gone:
            return [*([Decider(deputy)] if deputy else []), *given], True
        if not given and not (self._people and await self._people.away(team, manager)):
            return [Decider(manager)], True
        return [*given, *([Decider(deputy, manager)] if deputy else []), Decider(manager)], True

    def _managers(self) -> Mapping[str, Manager]:
        """Return the table of managers by person, as it was taken last. Raises RolesUnknown where it cannot be read."""
        return self._as_written(taken_managers(self._path.parent), read_managers, {})

    async def holders(self, team: str, role: str) -> frozenset[str]:
        """Users of the file, and members of its groups."""
        return await self._holders(team, self._written().roles.get(role, Holders()))

    def _written(self) -> RolesFile:
        """Return the file as it is now. Raises RolesUnknown where it cannot be read."""
        return self._as_written(self._path, read_roles, self._otherwise)

    def _as_written(self, path: Path, read: Callable[[Path], T], otherwise: T) -> T:
        try:
            found = path.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            if path not in self._read or self._read[path][0] != stamp:
                self._read[path] = (stamp, read(path))
        except FileNotFoundError:
            return otherwise
        except (OSError, ValueError, FormError) as problem:
            raise RolesUnknown(type(problem).__name__) from None
        known: T = self._read[path][1]
        return known

    async def _holders(self, team: str, holders: Holders) -> frozenset[str]:
        groups = [await self._members(team, group) for one in holders.groups if (group := _here(team, one))]
        return frozenset(filter(None, (_here(team, one) for one in holders.users))).union(*groups)

    async def _belongs(self, team: str, user: str) -> bool:
        """Return True unless they are another workspace's, or their account is closed. Raises RolesUnknown."""
        here = await self._people.belongs(team, user) if self._people else True
        if here is None:
            raise RolesUnknown("belongs")
        return here

    async def _active(self, team: str, user: str) -> bool:
        """Return False for another workspace's, and for whoever's account is closed; an hour old at most. Slack's silence is no reason to alarm."""
        teams = (await self._people.profile(team, user)).teams if self._people else None
        return teams is None or team in teams

    async def _members(self, team: str, group: str) -> frozenset[str]:
        """Return a group's members, as Slack named them at most a minute ago. Raises RolesUnknown."""
        until, members = self._groups.get((team, group), (0.0, frozenset[str]()))
        if until > time.monotonic():
            return members
        try:
            client = await self._client_for(team)
            answer = await asyncio.wait_for(client.usergroups_users_list(usergroup=group), LIMIT)
        except (SlackApiError, TimeoutError, aiohttp.ClientError, OSError) as problem:
            log.warning("group_unknown", kind=type(problem).__name__)
            raise RolesUnknown(type(problem).__name__) from None
        members = frozenset(str(user) for user in answer.get("users") or ())
        self._groups[team, group] = (time.monotonic() + FRESH, members)
        return members


async def holds(roles: Roles, team: str, user: str, role: str, day: str) -> bool:
    """Return True if somebody holds a role on a day, or stands in for somebody who does. Raises RolesUnknown."""
    authority = await roles.authority(team, user, role, day)
    return authority.own or bool(authority.deputy_of)


async def deciders_of(roles: Roles, form: Form, draft: Draft, at: str) -> dict[str, Deciders]:
    """Return who may decide on a request in each state that waits for somebody, without the states of which it cannot be told."""
    day, found = day_of(at, form.filing.zone or draft.zone), dict[str, Deciders]()
    waiting = {name: state.by for name, state in form.filing.states.items() if state.waits}
    if draft.filed.pending.about == EXTEND:
        waiting[draft.filed.state] = decision_wanted(form, draft).by
    for role in dict.fromkeys(waiting.values()):
        with suppress(RolesUnknown):
            who = await roles.deciders(draft.tenant, role, day, draft.owner)
            found |= {name: who for name, by in waiting.items() if by == role}
    return found


def _here(team: str, written: str) -> str:
    """Return an id as it counts in this workspace; empty where it is written of another one."""
    where, _, name = written.rpartition(":")
    return name if where in ("", team) else ""


def read_roles(path: Path) -> RolesFile:
    """Read roles.toml. Raises ValueError with a sentence for each thing to mend."""
    try:
        return RolesFile.model_validate(values_in(path))
    except ValidationError as wrong:
        raise ValueError(misfits(wrong)) from None
