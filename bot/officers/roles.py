"""Who holds which role: from roles.toml under HOLDFAST_VAR and from Slack's user groups, read when a verdict is judged."""

import asyncio
import time
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

import aiohttp
import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from slack_sdk.errors import SlackApiError

from bot.slack.client import ClientFor
from bot.slack.people import People

log = structlog.get_logger("holdfast.roles")

FILE = "roles.toml"
AUDITOR = "auditor"
"""The role that reads every record and decides nothing."""
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


class Roles(Protocol):
    """Whoever knows who holds which role."""

    async def authority(self, team: str, user: str, role: str, day: str) -> Authority:
        """Now, on the person's day (ISO 8601). Raises RolesUnknown."""

    async def holders(self, team: str, role: str) -> frozenset[str]:
        """Whoever holds a role themselves. Raises RolesUnknown."""


async def holds(roles: Roles, team: str, user: str, role: str, day: str) -> bool:
    """Return True if somebody holds a role on a day, or stands in for somebody who does. Raises RolesUnknown."""
    authority = await roles.authority(team, user, role, day)
    return authority.own or bool(authority.deputy_of)


class NoRoles:
    """Nobody holds any role."""

    async def authority(self, team: str, user: str, role: str, day: str) -> Authority:
        """None."""
        return Authority()

    async def holders(self, team: str, role: str) -> frozenset[str]:
        """Nobody."""
        return frozenset()


class FileRoles:
    """Roles of a file, read anew where it changed; `otherwise` counts while there is no such file.

    A role is held by people of the workspace alone; without `people` whoever is written down counts as one.
    """

    def __init__(
        self, path: Path, client_for: ClientFor, otherwise: RolesFile | None = None, people: People | None = None
    ) -> None:
        self._path, self._client_for, self._otherwise = path, client_for, otherwise or RolesFile()
        self._people = people
        self._read: tuple[tuple[int, int], RolesFile] | None = None
        self._groups: dict[tuple[str, str], tuple[float, frozenset[str]]] = {}

    async def authority(self, team: str, user: str, role: str, day: str) -> Authority:
        """Return what the file and the groups say now."""
        written = self._written()
        holders = await self._holders(team, written.roles.get(role, Holders()))
        today = date.fromisoformat(day)
        given = (d for d in written.delegates if _here(team, d.to) == user and d.role in ("", role) and d.on(today))
        found = Authority(user in holders, tuple(of for d in given if (of := _here(team, d.of)) in holders))
        return found if (found.own or found.deputy_of) and await self._belongs(team, user) else Authority()

    async def holders(self, team: str, role: str) -> frozenset[str]:
        """Users of the file, and members of its groups."""
        return await self._holders(team, self._written().roles.get(role, Holders()))

    def _written(self) -> RolesFile:
        """Return the file as it is now. Raises RolesUnknown where it cannot be read."""
        try:
            found = self._path.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, read_roles(self._path))
        except FileNotFoundError:
            return self._otherwise
        except (OSError, ValueError) as problem:
            raise RolesUnknown(type(problem).__name__) from None
        return self._read[1]

    async def _holders(self, team: str, holders: Holders) -> frozenset[str]:
        groups = [await self._members(team, group) for one in holders.groups if (group := _here(team, one))]
        return frozenset(filter(None, (_here(team, one) for one in holders.users))).union(*groups)

    async def _belongs(self, team: str, user: str) -> bool:
        """Return True unless they are another workspace's, or their account is closed. Raises RolesUnknown."""
        here = await self._people.belongs(team, user) if self._people else True
        if here is None:
            raise RolesUnknown("belongs")
        return here

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


def _here(team: str, written: str) -> str:
    """Return an id as it counts in this workspace; empty where it is written of another one."""
    where, _, name = written.rpartition(":")
    return name if where in ("", team) else ""


def read_roles(path: Path) -> RolesFile:
    """Read roles.toml. Raises ValueError with a sentence for each thing to mend."""
    try:
        return RolesFile.model_validate(tomllib.loads(path.read_text("utf-8")))
    except ValidationError as wrong:
        raise ValueError("; ".join(_sentences(wrong))) from None


def _sentences(wrong: ValidationError) -> Iterable[str]:
    return (f"{FILE}: {'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in wrong.errors())
