"""The officers' Home: filters, pages, the search, a request opened and its story. Read at once, and no event of any draft."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.history import build_story
from blocks.ids import read_private
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.queue import LONGEST, Query, build_found, build_search, chosen, read_search
from blocks.request import build_gone, build_opened
from bot.listeners.actions import direct_channel
from bot.listeners.home import at_of, number_of, publish, shown
from bot.listeners.intake import Intake, Payload, team_of
from bot.officers.queue import Duties, OfficerQueue, View, number_in, why_not
from bot.operations.evidence import What
from state.engine.timeline import timeline
from state.stores.rows import Record


@dataclass(frozen=True)
class Opening:
    """Somebody before a request that others filed; `record` is None where they may not read it now."""

    desk: OfficerQueue
    team: str
    user: str
    words: Phrasebook
    duties: Duties
    number: str
    record: Record | None

    async def shows(self, view: View, what: What = "open", **more: str) -> View:
        """Note that they read it, and give the view."""
        return await self.desk.noted(self.team, self.user, what, 1, view, number=self.number, **more)

    async def refuses(self, key: str = "", **said: str) -> View:
        """Note that they wanted to, and give a view that says why not."""
        why = key or ("desk_gone" if self.duties.known else "decide_unknown")
        view, number = build_gone(self.words, self.number, why, **said), self.record.number if self.record else ""
        return await self.desk.noted(self.team, self.user, "open", 0, view, number=number)


async def opening(intake: Intake, body: Payload, number: str) -> Opening:
    """Look up what whoever clicked may do with a request, by their roles at this moment."""
    team, user, duties = await _who(intake, body)
    record = await intake.desk.record(team, user, duties, number)
    return Opening(intake.desk, team, user, await intake.words_for(team, user), duties, number, record)


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to what officers click in their Home and in its modals."""
    _queue(app, intake)
    _search(app, intake)

    @app.action(ids.OPEN_LISTED)
    async def on_open(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        number = str(action.get("value") or "")
        await show(client, body, await opened_view(intake, body, number))
        await ack()

    @app.action(ids.STORY)
    async def on_story(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        number, _, skip = str(action.get("value") or "").partition("|")
        view = await _story(intake, body, number, int(skip) if skip.isdecimal() else 0)
        if skip:
            await shown(client.views_update(view_id=body["view"]["id"], view=view))
        else:
            await show(client, body, view)
        await ack()


def _queue(app: AsyncApp, intake: Intake) -> None:
    @app.action(ids.DESK_FILTER)
    async def on_filter(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        value = str((action.get("selected_option") or {}).get("value") or "")
        at = chosen(at_of(body), str(action["action_id"]).partition(".")[2], value)
        await publish(intake, team_of(body), str(body["user"]["id"]), client, at, opened=True)
        await ack()

    @app.action(ids.DESK_PAGE)
    async def on_page(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        at = replace(at_of(body), skip=number_of(action))
        await publish(intake, team_of(body), str(body["user"]["id"]), client, at, opened=True)
        await ack()


def _search(app: AsyncApp, intake: Intake) -> None:
    @app.action(ids.DESK_FIND)
    async def on_find(ack: AsyncAck, body: Payload, client: AsyncWebClient) -> None:
        asks = await opening(intake, body, "")
        view = search_view(asks.words, intake.desk, asks.duties) if asks.duties.any else await asks.refuses()
        await show(client, body, view)
        await ack()

    @app.view(ids.SEARCH)
    async def on_search(ack: AsyncAck, body: Payload, view: Payload) -> None:
        await ack(response_action="update", view=await _found(intake, body, view, first=True))

    @app.action(ids.FOUND_PAGE)
    async def on_page(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        found = await _found(intake, body, body["view"], number_of(action))
        await shown(client.views_update(view_id=body["view"]["id"], view=found))
        await ack()


def search_view(words: Phrasebook, desk: OfficerQueue, duties: Duties, text: str = "") -> dict[str, Any]:
    """Return the search among the forms that somebody reads, with words in it already."""
    return build_search(words, desk.forms(duties), desk.states(duties), text[:LONGEST])


async def _who(intake: Intake, body: Payload) -> tuple[str, str, Duties]:
    team, user = team_of(body), str(body["user"]["id"])
    return team, user, await intake.desk.duties(team, user)


async def _found(intake: Intake, body: Payload, view: Payload, skip: int = 0, *, first: bool = False) -> dict[str, Any]:
    """Return what is found among the records that they may read now."""
    team, user, duties = await _who(intake, body)
    query = replace(
        read_search(view) if first else (read_private(Query, view.get("private_metadata")) or Query()), skip=skip
    )
    rows, more = await intake.desk.search(team, user, duties, query)
    now = (await intake.store.now()).isoformat()
    view = build_found(await intake.words_for(team, user), query, rows, now, more=more)
    asked = {"form": query.form, "state": query.state, "since": query.since, "until": query.until, "from": str(skip)}
    return await intake.desk.noted(team, user, "search", len(rows), view, number=number_in(query.text), **asked)


async def opened_view(intake: Intake, body: Payload, number: str, *, repainted: bool = False) -> dict[str, Any]:
    """Return a request as it is now, with the buttons of whoever may decide on it; that it is not there, for anybody else.

    It is a reading, unless they have it before them and it is only `repainted`.
    """
    asks = await opening(intake, body, number)
    record = asks.record
    if record is None:
        return await asks.refuses()
    if intake.workflows[record.form].form.filing.waits(record.state):
        known = await intake.draft(record.draft, record.tenant)
        # filed before records had routes: put before reviewers, once
        if known is not None and not known.draft.filed.state:
            await intake.resumed(known.there, asks.user, record.draft)
            await intake.desk.handled(record.draft, known.last)
    draft = await intake.desk.draft(record)
    house = intake.workflows[record.form].form
    page = Page(house, draft, (await intake.store.now()).isoformat()[:10], draft.filed.pending.card)
    card, decides = await intake.desk.card(draft), not why_not(asks.duties, house, draft, asks.user)
    view = build_opened(asks.words, page, decides=decides, card=card)
    return view if repainted else await asks.shows(view)


async def _story(intake: Intake, body: Payload, number: str, skip: int) -> dict[str, Any]:
    """Return what happened to a request, from one of its entries on."""
    asks = await opening(intake, body, number)
    record = asks.record
    if record is None:
        return await asks.refuses()
    told = timeline(await intake.store.events(record.draft))
    today = (await intake.store.now()).isoformat()[:10]
    page = Page(intake.workflows[record.form].form, await intake.desk.draft(record), today)
    return await asks.shows(build_story(asks.words, page, told, skip), "show", **{"from": str(skip)})


async def show(client: AsyncWebClient, body: Payload, view: dict[str, Any]) -> None:
    """Open a modal, on top of the one that was clicked in. `trigger_id` lives three seconds."""
    inside = (body.get("view") or {}).get("type") == "modal"
    way = client.views_push if inside else client.views_open
    await shown(way(trigger_id=body["trigger_id"], view=view))


async def where_told(body: Payload, client: AsyncWebClient) -> str:
    """Return where an officer gets what only they read: the channel of the card, or their direct message where they clicked in a modal."""
    container = body.get("container") or {}
    channel = container.get("channel_id") or (body.get("channel") or {}).get("id")
    return str(channel or "") or await direct_channel(client, str(body["user"]["id"]))


async def shown_again(intake: Intake, body: Payload, client: AsyncWebClient, draft: str, last: int) -> None:
    """After a verdict, once it is judged: the modal that it was given in, and the Homes that were looked at a moment ago."""
    view, opened = body.get("view") or {}, ""
    await intake.desk.handled(draft, last)
    if view.get("type") == "modal":  # the one that was clicked in, or the one below the box for words
        opened = str(view.get("previous_view_id" if view.get("callback_id") == ids.VERDICT else "id") or "")
    known = await intake.draft(draft, team_of(body)) if opened else None
    if known is not None:
        await shown(
            client.views_update(
                view_id=opened, view=await opened_view(intake, body, known.draft.filed.number, repainted=True)
            )
        )
    team = team_of(body)
    await asyncio.gather(*(publish(intake, team, user, client, at) for user, at in intake.desk.looking(team)))
