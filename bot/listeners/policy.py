"""Lists that officers keep, in App Home: a modal for the file, what it would change, and Confirm. Each act asks for the role again."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.elements import View
from blocks.ids import read_private
from blocks.phrases import Phrasebook
from blocks.policy import Meant, build_findings, build_preview, build_upload, build_word_view, said, version_words
from blocks.queue import At
from bot.listeners.actions import direct_channel
from bot.listeners.home import officer_of, publish, shown
from bot.listeners.intake import Intake, Payload, team_of
from bot.officers.lists import Officer, Refused
from bot.slack.downloads import TryAgain, sent_of
from state.draft.documents import Sent
from state.lists.reading import written
from state.stores.lists import ListKey

AT_ONCE = 2.0
"""Seconds for reading a file while Slack waits for an answer; it waits three."""


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the buttons of the section and to the modals behind them."""
    desk = PolicyScreens(intake)
    app.action(ids.POLICY_UPLOAD)(desk.on_upload)
    app.action(ids.POLICY_DOWNLOAD)(desk.on_download)
    app.view(ids.POLICY_FILE)(desk.on_file)
    app.view(ids.POLICY_CONFIRM)(desk.on_confirm)


class PolicyScreens:
    """The listeners, and what they go on with after an answer."""

    def __init__(self, intake: Intake) -> None:
        self._intake, self._uploads = intake, intake.uploads
        self._under_way: set[asyncio.Task[None]] = set()

    async def on_upload(self, ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal needs the role and the day, and nothing else."""
        officer, words, meant = await self._of(body, _named(action))
        try:
            table = await self._uploads.may(officer, _key(officer, meant))
            view = build_upload(words, meant, table, await self._uploads.today(officer))
        except Refused as refused:
            view = build_word_view(words, meant, said(words, refused.why))
        await shown(client.views_open(trigger_id=body["trigger_id"], view=view))
        await ack()

    async def on_download(self, ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """The present version as a file in the officer's direct message."""
        await ack()
        officer, words, meant = await self._of(body, _named(action))
        key = _key(officer, meant)
        try:
            table = await self._uploads.may(officer, key)
        except Refused as refused:
            view = build_word_view(words, meant, said(words, refused.why))
            await shown(client.views_open(trigger_id=body["trigger_id"], view=view))
            return
        held = await self._uploads.lists.in_force(key, await self._uploads.store.now())
        told = f"{table.title}, {version_words(words, held.number, held.since)}"
        content = written(table, held.rows)
        channel = await direct_channel(client, officer.user)
        name = f"{key.list}-v{held.number}.csv"
        await shown(client.files_upload_v2(channel=channel, filename=name, content=content, title=told))

    async def on_file(self, ack: AsyncAck, body: Payload, view: Payload, client: AsyncWebClient) -> None:
        """A file was given: what it would change, or what is wrong with it."""
        officer, words, meant = await self._of(body, ids.read_private(Meant, view.get("private_metadata")))
        day, given = str(_values(view, ids.POLICY_DAY).get("selected_date") or ""), _file(view)
        if given is None:
            await ack()
            return
        if day < await self._uploads.today(officer):
            await ack(response_action="errors", errors={ids.POLICY_DAY: words.say("policy_past")})
            return
        reading = asyncio.create_task(self._read(officer, words, meant, given, day))
        try:
            found = await asyncio.wait_for(asyncio.shield(reading), AT_ONCE)
        except TimeoutError:
            found = build_word_view(words, meant, said(words, "policy_slow"))
            self._later(reading, client, str(view["id"]))
        await ack(response_action="update", view=found)

    async def on_confirm(self, ack: AsyncAck, body: Payload, view: Payload, client: AsyncWebClient) -> None:
        """Publish what was previewed, if everything is still as it was."""
        officer, words, meant = await self._of(body, read_private(Meant, view.get("private_metadata")))
        key = _key(officer, meant)
        try:
            table, version, day = await self._uploads.publish(officer, key, meant.upload, meant.hash)
            told = said(words, "policy_done", title=table.title, version=version_words(words, version.number, day))
        except Refused as refused:
            told = said(words, refused.why)
        await ack(response_action="update", view=build_word_view(words, meant, told))
        self._go(publish(self._intake, officer.team, officer.user, client, At()))

    async def _read(self, officer: Officer, words: Phrasebook, meant: Meant, given: Sent, day: str) -> View:
        key = _key(officer, meant)
        try:
            found = await self._uploads.read(officer, key, given, day)
        except Refused as refused:
            return build_word_view(words, meant, said(words, refused.why))
        except TryAgain:
            return build_word_view(words, meant, said(words, "policy_again"))
        if isinstance(found, tuple):
            return build_findings(words, meant, self._uploads.workflows[key.form].form.lists[key.list].title, found)
        seen = Meant(meant.form, meant.list, found.name, found.hash)
        return build_preview(words, seen, found.table, found.number, found.day, found.changes, found.gives_way)

    def _later(self, reading: asyncio.Task[View], client: AsyncWebClient, view: str) -> None:
        """Show what took longer in the modal that is open by then."""

        async def show() -> None:
            await shown(client.views_update(view_id=view, view=await reading))

        self._go(show())

    def _go(self, work: Coroutine[Any, Any, None]) -> None:
        """Start what nobody waits for."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _of(self, body: Payload, meant: Meant | None) -> tuple[Officer, Phrasebook, Meant]:
        team, user = team_of(body), str(body["user"]["id"])
        return (
            await officer_of(self._intake, team, user),
            await self._intake.words_for(team, user),
            meant or Meant("", ""),
        )


def _named(action: Payload) -> Meant:
    form, _, name = str(action.get("value") or "").partition("/")
    return Meant(form, name)


def _key(officer: Officer, meant: Meant) -> ListKey:
    return ListKey(officer.team, meant.form, meant.list)


def _values(view: Payload, name: str) -> Payload:
    found = ((view.get("state") or {}).get("values") or {}).get(name, {}).get(name)
    return found if isinstance(found, Mapping) else {}


def _file(view: Payload) -> Sent | None:
    files = _values(view, ids.POLICY_GIVEN).get("files") or ()
    return sent_of(dict(files[0])) if files else None
