"""Buttons, selects and pickers. A click is stored before it is acknowledged: Slack never sends it again."""

import re
from dataclasses import replace

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.modal import build_edit, build_entry
from bot.listeners.intake import Intake, Payload
from bot.slack.places import Place
from bot.turns.facts import TS
from state.form.field import Data

SECOND = re.compile(r"[0-9]{10}")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to every click on what `blocks` builds."""

    @app.action(ids.OPEN_DM)
    async def on_link(ack: AsyncAck) -> None:
        await ack()

    @app.action(ids.OPEN_BOX)
    async def on_box(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the draft, without queue or model."""
        press = ids.press_of(action)
        known = await intake.draft(press.draft, team_of(body)) if press else None
        live = known is not None and known[1].card is not None and press is not None and known[1].card.id == press.card
        if press is None or known is None or not live or known[1].owner != body["user"]["id"]:
            await clicked(intake, body, action, client)
        else:
            form, today = intake.workflows[known[1].form].form_of(known[1]), await intake.today(known[1])
            await client.views_open(trigger_id=body["trigger_id"], view=build_entry(form, known[1], press, today))
        await ack()

    @app.action(ids.ACTIONS)
    async def on_click(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        if press is None or press.act != "edit" or not await _edits(intake, press, body, client):
            await clicked(intake, body, action, client)
        await ack()


async def _edits(intake: Intake, press: ids.Press, body: Payload, client: AsyncWebClient) -> bool:
    """Open the modal that edits an answer of the owner's open draft; False where it is asked anew instead."""
    known = await intake.draft(press.draft, team_of(body))
    if known is None or not known[1].open or known[1].handed or known[1].owner != body["user"]["id"]:
        return False
    form, today = intake.workflows[known[1].form].form_of(known[1]), await intake.today(known[1])
    view = build_edit(form, known[1], replace(press, act="amend"), today)
    if view is None:
        return False
    await client.views_open(trigger_id=body["trigger_id"], view=view)
    return True


def team_of(body: Payload) -> str:
    """Return the team of an interaction."""
    return str((body.get("team") or {}).get("id") or body["user"].get("team_id") or "")


async def clicked(intake: Intake, body: Payload, action: Payload, client: AsyncWebClient) -> None:
    """Hand a click to the engine."""
    press = ids.press_of(action)
    if press is None:
        return
    user, team = str(body["user"]["id"]), team_of(body)
    there = await intake.place_of(press.draft, team) if press.draft else await _place(body, team, user, client)
    if there is None:
        return
    value, label = _said(press, action, body)
    click = {
        "act": press.act, "field": press.field, "value": value, "card": press.card, "hash": press.hash,
        "label": label, "message": str((body.get("container") or {}).get("message_ts") or ""), **times_of(body, action),
    }  # fmt: skip
    moment = action.get("action_ts") or body.get("trigger_id")
    way = str(body.get("response_url") or "")
    await intake.clicked(there, user, f"{moment}:{action['action_id']}", click, press.draft, response_url=way)


def times_of(body: Payload, action: Payload) -> dict[str, str]:
    """When a click was, by Slack's clock; and in a view, when that was built: its hash begins with the second. Nothing where Slack does not say."""
    at, view = str(action.get("action_ts") or ""), body.get("view")
    built = str((view or {}).get("hash") or "").partition(".")[0]
    if not TS.fullmatch(at) or (view and not SECOND.fullmatch(built)):
        return {}
    return {"clicked_at": at, "shown": f"{int(built) + 1}.000000" if view else ""}


def _said(press: ids.Press, action: Payload, body: Payload) -> tuple[Data | None, str]:
    """Return the click's value and what the person saw on it; of Done, what is ticked above it."""
    boxes, labels = ids.ticked(body.get("state") or {})
    ticks = press.act == "answer" and press.value is None and bool(boxes)
    return (boxes, labels) if ticks else (press.value, label_of(action))


async def _place(body: Payload, team: str, user: str, client: AsyncWebClient) -> Place:
    """Where a card without a draft was clicked; from the Home tab, the direct message."""
    container = body.get("container") or {}
    channel = container.get("channel_id") or (body.get("channel") or {}).get("id")
    if channel:
        return Place(team, str(channel), str(container.get("thread_ts") or ""))
    return Place(team, await direct_channel(client, user))


async def direct_channel(client: AsyncWebClient, user: str) -> str:
    """Return the id of the direct message with a person."""
    opened = await client.conversations_open(users=user)
    return str(opened["channel"]["id"])


def label_of(action: Payload) -> str:
    """Return what the person saw on what they clicked."""
    text = action.get("text") or (action.get("selected_option") or {}).get("text") or {}
    return str(text.get("text") or action.get("selected_date") or "")
