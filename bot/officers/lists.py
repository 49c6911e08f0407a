"""Lists that officers keep, as they hold at a moment: what was uploaded, and version 0, which ships with the form."""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from babel.dates import format_date

from state.lists.versions import InForce, Row, Version, fingerprint, newest_in_force
from state.stores.lists import ListKey, ListVersion
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
        content = await self._content(key, number)
        since = spoken(str(content["day"]), workflow.form.language)
        rows = tuple(dict[str, str](row) for row in content["rows"])
        return InForce(title, number, since, rows, str(content["sha256"]))

    async def _content(self, key: ListKey, number: int) -> Mapping[str, Any]:
        known = self._contents.get((key, number))
        if known is None:
            known = await self._store.list_content(key, number)
            if known is None:
                raise KeyError(f"{key.list} has no version {number}")
            self._contents[key, number] = known
            while len(self._contents) > KEPT:
                self._contents.popitem(last=False)
        return known


def as_version(stored: ListVersion) -> Version:
    """Return a stored version, as those are compared."""
    return Version(stored.number, stored.effective, stored.uploaded_at)


def content_of(rows: tuple[Row, ...], who: str, day: str) -> dict[str, Any]:
    """Return what is sealed of a version: its rows, their hash, who uploaded them, and the day (ISO 8601) from which they hold where they are."""
    return {"rows": [dict(row) for row in rows], "sha256": fingerprint(rows), "by": who, "day": day}


def spoken(day: str, language: str) -> str:
    """Return a day (ISO 8601) as people read it: "20 Nov 2026"."""
    return format_date(date.fromisoformat(day), "d MMM y", locale=language.replace("-", "_"))
