"""Serve what somebody asks for in Slack, in their direct message: their own data, its erasure, and the dossier of a record."""

import asyncio
import base64
import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast, get_args

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError

from blocks.elements import Message
from blocks.note import build_erase_ask, build_erased, build_plain
from blocks.own_data import build_own_data
from blocks.phrases import Phrasebook
from bot.exports.erasure import MOST, Eraser
from bot.exports.export import Wanted, export
from bot.exports.own_data import NAME, PAGE, collect, gather
from bot.exports.verification import PAPER
from bot.officers.roles import AUDITOR, Roles, RolesUnknown
from bot.slack.client import ClientFor
from bot.slack.people import People
from bot.slack.posts import Poster
from state.draft.working_days import day_of
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.form import Form
from state.stores.errors import OnHold
from state.stores.ledger import OPEN, Pending
from state.stores.rights import KeptRecord, years_after
from state.stores.rows import OutboxRow, Posted, Record
from state.stores.store import Store
from state.understanding.commands import SpokenCommand as Order
from state.understanding.commands import read_command
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.rights")


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


Right = Literal["my_data", "erase", "erase_confirmed", "erase_kept", "dossier"]
IN_WORDS: dict[Order, Right] = {Order.MY_DATA: "my_data", Order.ERASE: "erase"}


@dataclass(frozen=True)
class DataRequest:
    """`language` is that of the words or of the command; `card` the proposal that a click answers, or the record of a dossier."""

    right: Right
    language: str
    card: str = ""


def read_right(event: DraftEvent, languages: Iterable[str]) -> DataRequest | None:
    """Return what an event asks for of a person's rights; None for everything else. Whole utterances only."""
    if isinstance(event, Clicked) and event.act in get_args(Right):
        return DataRequest(cast(Right, event.act), event.field, event.card)
    if not isinstance(event, MessageReceived):
        return None
    orders = ((language, read_command(event.text, language)) for language in languages)
    return next((DataRequest(IN_WORDS[order], language) for language, order in orders if order in IN_WORDS), None)


VALID = 900.0
"""Seconds for which the click that erases counts."""
Forget = Callable[[str], Awaitable[None]]


class Rights:
    """`forget` empties what this process remembers of a person; it is called before the store erases."""

    def __init__(
        self,
        store: Store,
        eraser: Eraser,
        poster: Poster,
        client_for: ClientFor,
        people: People,
        forget: Forget,
        dossiers: Dossiers,
    ) -> None:
        self._store, self._eraser, self._poster = store, eraser, poster
        self._client_for, self._people, self._forget = client_for, people, forget
        self._acts: Mapping[str, Callable[[OutboxRow], Awaitable[Posted | None]]] = {
            "my_data": self._send,
            "erase": self._ask,
            "erase_confirmed": self._erase,
            "erase_kept": self._stay,
            "dossier": dossiers.serve,
        }

    async def serve(self, row: OutboxRow) -> Posted | None:
        """Perform one row."""
        return await self._acts[str(row.body["right"])](row)

    async def _send(self, row: OutboxRow) -> None:
        """What is to read first, and beside it the same whole: one message with two files."""
        words, now = _words(row), await self._store.now()
        page, complete = (name.format(day=now.date().isoformat()) for name in (PAGE, NAME))
        own = await gather(
            self._store, self._eraser.workflows, row.person, now, complete, lambda user: self._name(row, user)
        )
        read = {
            "name": page,
            "title": words.say("my_data_title"),
            "data": "",
            "text": build_own_data(words, _language(row), own),
        }
        forms = [name for name, w in self._eraser.workflows.items() if w.form.confidential]
        text = await collect(self._store, row.person, now.date().isoformat(), forms)
        beside = {"name": complete, "title": complete, "data": "", "text": text}
        comment = words.say("my_data_file", page=page, file=complete)
        there = await self._direct(row)
        await self._poster.attach(replace(row, body={**there, **read, "beside": [beside], "comment": comment}))

    async def _name(self, row: OutboxRow, user: str) -> str:
        """Return a person's name, where Slack tells it."""
        return (await self._people.profile(row.person.partition(":")[0], user)).name or user

    async def _ask(self, row: OutboxRow) -> Posted | None:
        """Return a proposal that is bound to this person and gone with them; the card's buttons name it."""
        if await self._store.on_hold(row.person):
            held = build_erased(_words(row), "erase_held")
            return await self._poster.post(replace(row, body={**await self._direct(row), "card": "", **_shown(held)}))
        name = hashlib.blake2s(row.key.encode(), digest_size=12).hexdigest()
        team = row.person.partition(":")[0]
        await self._store.propose(Pending(name, team, row.person, "", {"right": "erase"}), VALID)
        message = build_erase_ask(
            _words(row), _language(row), name, self._kept_lines(row, await self._kept(row.person))
        )
        return await self._poster.post(replace(row, body={**await self._direct(row), "card": name, **_shown(message)}))

    async def _erase(self, row: OutboxRow) -> None:
        """Only the person's own click on a proposal that is still open; it goes with everything else, and so counts once."""
        if await self._anothers(row):
            await self._tell_apart(row)
            return
        if not await self._open(row):
            await self._answer(row, build_erased(_words(row), "erase_out_of_date"))
            return
        await self._forget(row.person)
        try:
            erasure = await self._eraser.erase(row.person)
        except OnHold:
            await self._answer(row, build_erased(_words(row), "erase_held"))
            return
        log.info("erased", found=erasure is not None, kept=len(erasure.kept) if erasure else 0)
        lines = self._kept_lines(row, erasure.kept if erasure else ())
        await self._answer(row, build_erased(_words(row), "erased_done", lines))

    async def _stay(self, row: OutboxRow) -> None:
        if await self._anothers(row):
            await self._tell_apart(row)
        elif await self._open(row):
            await self._store.withdraw(str(row.body["card"]))
            await self._answer(row, build_erased(_words(row), "erase_left"))

    async def _anothers(self, row: OutboxRow) -> bool:
        """Return True if somebody presses another person's card, which stands in that person's direct message, open or not."""
        pending = await self._store.proposal(str(row.body["card"]))
        if pending is not None and pending.person != row.person:
            return True
        return bool(row.body["channel"] != (await self._direct(row))["channel"])

    async def _tell_apart(self, row: OutboxRow) -> None:
        """The card stays as it is for its owner; who pressed it is told where nobody else reads."""
        log.warning("anothers_card_pressed", right=row.body["right"])
        message = build_erased(_words(row), "erase_not_yours")
        await self._poster.post(replace(row, body={**await self._direct(row), "card": "", **_shown(message)}))

    async def _open(self, row: OutboxRow) -> bool:
        pending = await self._store.proposal(str(row.body["card"]))
        mine = pending is not None and pending.person == row.person and pending.body.get("right") == "erase"
        return mine and pending is not None and pending.status == OPEN and not pending.late

    async def _kept(self, person: str) -> tuple[KeptRecord, ...]:
        """Return records that an erasure would leave."""
        now, keep = await self._store.now(), self._eraser.keep
        held = {one.name for one in await self._store.holds() if one.scope == "record"}
        mine = [r for r in await self._store.records_of(person, limit=MOST) if r.filed_at and not r.erased]
        kept = (
            KeptRecord(r.number, r.form, years_after(r.filed_at, _years(r, keep)), r.state, r.number in held)
            for r in mine
            if r.filed_at
        )
        return tuple(one for one in kept if one.until > now or one.held)

    def _kept_lines(self, row: OutboxRow, kept: tuple[KeptRecord, ...]) -> tuple[str, ...]:
        """Return a sentence for each form of which records stay, and for those on hold: how many, until when at the latest, and why."""
        forms = {name: w.spoken_in(_language(row)) for name, w in self._eraser.workflows.items()}
        by = dict.fromkeys((one.form, one.held) for one in kept if one.form in forms)
        return tuple(
            self._kept_line(row, forms[form], [k for k in kept if (k.form, k.held) == (form, h)]) for form, h in by
        )

    def _kept_line(self, row: OutboxRow, form: Form, mine: list[KeptRecord]) -> str:
        last = max(mine, key=lambda one: one.until)
        key = "erase_held_line" if last.held else "erase_kept_line"
        until, why = last.until.date().isoformat(), form.why_kept(last.state)
        return _words(row).say(key, form=form.title, count=str(len(mine)), until=until, why=why)

    async def _direct(self, row: OutboxRow) -> dict[str, Any]:
        """Only the person and the bot read there, wherever they asked."""
        team, _, user = row.person.partition(":")
        opened = await (await self._client_for(team)).conversations_open(users=user)
        return {"team": team, "channel": str(opened["channel"]["id"]), "thread": ""}

    async def _answer(self, row: OutboxRow, message: Message) -> None:
        """Paint the card that was clicked. After an erasure no row may speak of the person, so this is tried once, not stored."""
        client = await self._client_for(row.person.partition(":")[0])
        try:
            await client.chat_update(channel=row.body["channel"], ts=row.body["message"], **_shown(message))
        except (SlackApiError, aiohttp.ClientError, TimeoutError) as problem:
            log.warning("answer_refused", kind=type(problem).__name__)


def _years(record: Record, keep: Mapping[str, int]) -> int:
    return keep.get(f"{record.form}/{record.state}", keep.get(record.form, 0))


def _language(row: OutboxRow) -> str:
    return str(row.body["language"])


def _words(row: OutboxRow) -> Phrasebook:
    return Phrasebook(_language(row))


def _shown(message: Message) -> dict[str, Any]:
    return {"text": message.text, "blocks": list(message.blocks)}
