"""A dossier that somebody asked for in Slack: only who audits or decides gets one, noted first, as a PDF and a ZIP in their direct message."""

import asyncio
import base64
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from blocks.messages import build_plain
from blocks.phrases import Phrasebook
from bot.exports.bundle import PAPER
from bot.exports.records import Wanted, export
from bot.officers.roles import AUDITOR, Roles, RolesUnknown
from bot.slack.client import ClientFor
from bot.slack.posts import Poster
from state.draft.working_days import day_of
from state.stores.rows import OutboxRow, Record
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.dossiers")

File = dict[str, Any]


class Dossiers:
    """Roles are read when it is made, not when it was asked for."""

    def __init__(
        self, store: Store, workflows: Mapping[str, Workflow], roles: Roles, poster: Poster, client_for: ClientFor
    ) -> None:
        self._store, self._workflows, self._roles = store, workflows, roles
        self._poster, self._client_for = poster, client_for

    async def serve(self, row: OutboxRow) -> None:
        """Send it, or say why not. The row's `card` is the record's number."""
        number, words = str(row.body["card"]), Phrasebook(str(row.body["language"]))
        there = await self._direct(row)
        why = await self._refused(row, number)
        log.info("dossier", refused=why)
        if why:
            note = build_plain(words.say(why, number=number))
            body = {**there, "card": "", "text": note.text, "blocks": list(note.blocks)}
            await self._poster.post(replace(row, body=body))
            return
        paper, whole = await self._made(row, number)
        comment = words.say("dossier_file", number=number)
        await self._poster.attach(replace(row, body={**there, **paper, "beside": [whole], "comment": comment}))

    async def _refused(self, row: OutboxRow, number: str) -> str:
        """Return the key of what they are told instead; empty where they may read it."""
        team, _, user = row.person.partition(":")
        record = await self._store.record(number)
        if record is None or record.tenant != team:
            return "dossier_none"
        try:
            may = await self._may(record, team, user)
        except RolesUnknown:
            return "dossier_unknown"
        return "" if may and record.person != row.person else "dossier_refused"

    async def _may(self, record: Record, team: str, user: str) -> bool:
        """Return True if they audit, or decide on some state of this form, or stand in for somebody who does."""
        workflow = self._workflows.get(record.form)
        roles = {state.by for state in workflow.form.filing.states.values() if state.by} if workflow else set()
        day = day_of((await self._store.now()).isoformat(), "")
        found = [await self._roles.authority(team, user, role, day) for role in (AUDITOR, *sorted(roles))]
        return any(one.own or one.deputy_of for one in found)

    async def _made(self, row: OutboxRow, number: str) -> tuple[File, File]:
        """Return the PDF, and the whole with its manifest. A row that is performed again makes the same: it is dated by when it was asked for."""
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="holdfast-"))
        try:
            output = folder / f"{number}.zip"
            at = row.wanted_at or datetime.now(UTC)
            await export(
                self._store, self._workflows, Wanted(record=number), "pdf", row.person, output, what="dossier", at=at
            )
            return await asyncio.to_thread(_files, output)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _direct(self, row: OutboxRow) -> dict[str, Any]:
        """Only they and the bot read there."""
        team, _, user = row.person.partition(":")
        opened = await (await self._client_for(team)).conversations_open(users=user)
        return {"team": team, "channel": str(opened["channel"]["id"]), "thread": ""}


def _files(whole: Path) -> tuple[File, File]:
    with zipfile.ZipFile(whole) as file:
        paper = file.read(PAPER)
    return _file(f"{whole.stem}.pdf", paper), _file(whole.name, whole.read_bytes())


def _file(name: str, content: bytes) -> File:
    return {"name": name, "title": name, "text": "", "data": base64.b64encode(content).decode(), "alt": ""}
