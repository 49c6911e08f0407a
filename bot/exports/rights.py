"""Serve what somebody asks for in Slack, in their direct message: their own data, its erasure, and the dossier of a record."""

import asyncio
import base64
import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast, get_args

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError

from blocks.elements import Message
from blocks.messages import build_erase_ask, build_plain
from blocks.own_data import Writer
from blocks.phrases import Phrasebook
from bot.exports.erasure import MOST, Eraser
from bot.exports.export import Kind, Wanted, export
from bot.exports.own_data import NAME, PAGE, collect, gather
from bot.exports.verification import PAPER
from bot.officers.roles import AUDITOR, Roles, RolesUnknown, holds
from bot.slack.client import ClientFor
from bot.slack.people import People
from bot.slack.posts import Poster
from state.draft.working_days import day_of
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.extras import lacking
from state.stores.errors import OnHold
from state.stores.ledger import OPEN, Pending
from state.stores.rights import KeptRecord, years_after
from state.stores.rows import OutboxRow, Posted
from state.stores.store import Store
from state.understanding.commands import SpokenCommand as Order
from state.understanding.commands import read_command

log = structlog.get_logger("holdfast.rights")


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
    orders = ((language, read_command(event.text, language, everywhere=False)) for language in languages)
    return next((DataRequest(IN_WORDS[order], language) for language, order in orders if order in IN_WORDS), None)


VALID = 900.0
"""Seconds for which the click that erases counts."""
Forget = Callable[[str], Awaitable[None]]
File = dict[str, Any]


class Rights:
    """`forget` empties what this process remembers of a person; it is called before the store erases."""

    def __init__(
        self, store: Store, eraser: Eraser, poster: Poster, client_for: ClientFor, people: People, roles: Roles, forget: Forget
    ) -> None:  # fmt: skip
        self._store, self._eraser, self._poster = store, eraser, poster
        self._client_for, self._people, self._roles, self._forget = client_for, people, roles, forget
        self._acts: Mapping[str, Callable[[OutboxRow], Awaitable[Posted | None]]] = {
            "my_data": self._send,
            "erase": self._ask,
            "erase_confirmed": self._erase,
            "erase_kept": self._stay,
            "dossier": self._dossier,
        }

    async def serve(self, row: OutboxRow) -> Posted | None:
        """Perform one row."""
        return await self._acts[str(row.body["right"])](row)

    async def _send(self, row: OutboxRow) -> None:
        """Send the page to read, and beside it the same whole: one message with two files."""
        words, now = _words(row), await self._store.now()
        day, team = now.date().isoformat(), row.person.partition(":")[0]
        page, complete = (name.format(day=day) for name in (PAGE, NAME))

        async def name_of(user: str) -> str:
            return (await self._people.profile(team, user)).name or user

        own = await gather(self._store, self._eraser.workflows, row.person, now, complete, name_of)
        text = Writer(words, str(row.body["language"]), own).page()
        forms = [name for name, w in self._eraser.workflows.items() if w.form.confidential]
        whole = await collect(self._store, row.person, day, forms)
        await self._attach(
            row,
            words.say("my_data_file", page=page, file=complete),
            {"name": page, "title": words.say("my_data_title"), "data": "", "text": text},
            {"name": complete, "title": complete, "data": "", "text": whole},
        )

    async def _ask(self, row: OutboxRow) -> Posted | None:
        """Post a proposal that is bound to this person and gone with them; the card's buttons name it."""
        words = _words(row)
        if await self._store.on_hold(row.person):
            return await self._post(row, build_plain(words.say("erase_held")))
        name = hashlib.blake2s(row.key.encode(), digest_size=12).hexdigest()
        team = row.person.partition(":")[0]
        await self._store.propose(Pending(name, team, row.person, "", {"right": "erase"}), VALID)
        kept = self._kept_lines(row, await self._kept(row.person))
        return await self._post(row, build_erase_ask(words, str(row.body["language"]), name, kept), name)

    async def _erase(self, row: OutboxRow) -> None:
        """Erase on the person's own click on a proposal that is still open; it goes with everything else, and so counts once."""
        if await self._anothers(row):
            return
        if not await self._open(row):
            await self._answer(row, "erase_out_of_date")
            return
        await self._forget(row.person)
        try:
            erasure = await self._eraser.erase(row.person)
        except OnHold:
            await self._answer(row, "erase_held")
            return
        log.info("erased", found=erasure is not None, kept=len(erasure.kept) if erasure else 0)
        await self._answer(row, "erased_done", self._kept_lines(row, erasure.kept if erasure else ()))

    async def _stay(self, row: OutboxRow) -> None:
        if not await self._anothers(row) and await self._open(row):
            await self._store.withdraw(str(row.body["card"]))
            await self._answer(row, "erase_left")

    async def _anothers(self, row: OutboxRow) -> bool:
        """Return True if somebody presses another person's card, and tell them where nobody else reads; the card stays as it is."""
        pending = await self._store.proposal(str(row.body["card"]))
        if pending is None or pending.person == row.person:
            direct = await self._direct(row)
            if row.body["channel"] == direct["channel"]:
                return False
        log.warning("anothers_card_pressed", right=row.body["right"])
        await self._post(row, build_plain(_words(row).say("erase_not_yours")))
        return True

    async def _open(self, row: OutboxRow) -> bool:
        pending = await self._store.proposal(str(row.body["card"]))
        mine = pending is not None and pending.person == row.person and pending.body.get("right") == "erase"
        return mine and pending is not None and pending.status == OPEN and not pending.late

    async def _kept(self, person: str) -> tuple[KeptRecord, ...]:
        """Return records that an erasure would leave."""
        now, keep = await self._store.now(), self._eraser.keep
        held = {one.name for one in await self._store.holds() if one.scope == "record"}
        kept = []
        for r in await self._store.records_of(person, limit=MOST):
            if r.filed_at and not r.erased:
                years = keep.get(f"{r.form}/{r.state}", keep.get(r.form, 0))
                kept.append(KeptRecord(r.number, r.form, years_after(r.filed_at, years), r.state, r.number in held))
        return tuple(one for one in kept if one.until > now or one.held)

    def _kept_lines(self, row: OutboxRow, kept: Sequence[KeptRecord]) -> tuple[str, ...]:
        """Return a sentence for each form of which records stay, and for those on hold: how many, until when at the latest, and why."""
        forms = {name: w.spoken_in(str(row.body["language"])) for name, w in self._eraser.workflows.items()}
        lines = []
        for name, held in dict.fromkeys((one.form, one.held) for one in kept if one.form in forms):
            mine, form = [one for one in kept if (one.form, one.held) == (name, held)], forms[name]
            last = max(mine, key=lambda one: one.until)
            said = {
                "form": form.title,
                "count": str(len(mine)),
                "until": last.until.date().isoformat(),
                "why": form.why_kept(last.state),
            }
            lines.append(_words(row).say("erase_held_line" if held else "erase_kept_line", **said))
        return tuple(lines)

    async def _dossier(self, row: OutboxRow) -> None:
        """Send the dossier of the record that the row's `card` names, or say why not. Roles are read now, not when it was asked for."""
        number, words = str(row.body["card"]), _words(row)
        why = await self._refused(row, number)
        log.info("dossier", refused=why)
        if why:
            await self._post(row, build_plain(words.say(why, number=number)))
            return
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="holdfast-"))
        try:
            output, at = folder / f"{number}.zip", row.wanted_at or datetime.now(UTC)  # done again, it makes the same
            wanted = Wanted(record=number)
            kind: Kind = "json" if lacking("pdf", "") else "pdf"
            await export(self._store, self._eraser.workflows, wanted, kind, row.person, output, what="dossier", at=at)
            files = await asyncio.to_thread(_files, output)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        told = words.say("dossier_file" if kind == "pdf" else "dossier_data", number=number)
        await self._attach(row, told, *files)

    async def _refused(self, row: OutboxRow, number: str) -> str:
        """Return the key of what they are told instead; empty where they may read it."""
        team, _, user = row.person.partition(":")
        record = await self._store.record(number)
        if record is None or record.tenant != team:
            return "dossier_none"
        try:
            workflow = self._eraser.workflows.get(record.form)
            roles = {state.by for state in workflow.form.filing.states.values() if state.by} if workflow else set()
            day = day_of((await self._store.now()).isoformat(), "")
            may = any([await holds(self._roles, team, user, role, day) for role in (AUDITOR, *sorted(roles))])
        except RolesUnknown:
            return "dossier_unknown"
        return "" if may and record.person != row.person else "dossier_refused"

    async def _direct(self, row: OutboxRow) -> dict[str, Any]:
        """Return where only the person and the bot read, wherever they asked."""
        team, _, user = row.person.partition(":")
        opened = await (await self._client_for(team)).conversations_open(users=user)
        return {"team": team, "channel": str(opened["channel"]["id"]), "thread": ""}

    async def _post(self, row: OutboxRow, message: Message, card: str = "") -> Posted | None:
        return await self._poster.post(replace(row, body={**await self._direct(row), "card": card, **_shown(message)}))

    async def _attach(self, row: OutboxRow, comment: str, first: File, *beside: File) -> None:
        body = {**await self._direct(row), **first, "beside": beside, "comment": comment}
        await self._poster.attach(replace(row, body=body))

    async def _answer(self, row: OutboxRow, key: str, lines: tuple[str, ...] = ()) -> None:
        """Paint the card that was clicked. After an erasure no row may speak of the person, so this is tried once, not stored."""
        client = await self._client_for(row.person.partition(":")[0])
        message = build_plain(_words(row).say(key), *lines)
        try:
            await client.chat_update(channel=row.body["channel"], ts=row.body["message"], **_shown(message))
        except (SlackApiError, aiohttp.ClientError, TimeoutError) as problem:
            log.warning("answer_refused", kind=type(problem).__name__)


def _files(whole: Path) -> list[File]:
    """Return the PDF, where there is one, and the ZIP."""
    with zipfile.ZipFile(whole) as file:
        papers = [_file(f"{whole.stem}.pdf", file.read(name)) for name in file.namelist() if name == PAPER]
    return [*papers, _file(whole.name, whole.read_bytes())]


def _file(name: str, content: bytes) -> File:
    return {"name": name, "title": name, "text": "", "data": base64.b64encode(content).decode(), "alt": ""}


def _words(row: OutboxRow) -> Phrasebook:
    return Phrasebook(str(row.body["language"]))


def _shown(message: Message) -> dict[str, Any]:
    return {"text": message.text, "blocks": list(message.blocks)}
