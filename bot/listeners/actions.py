"""Buttons, selects, pickers, and the modals and searched menus of a draft. A click is stored, then acknowledged."""

import re
from dataclasses import replace

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.inputs import build_options
from blocks.modal import build_edit, build_entry, entry_error, read_entry
from bot.listeners.intake import Intake, Payload, Subject, team_of
from bot.slack.places import Place
from bot.turns.facts import TS
from state.draft.display import currency_field
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.fields.values.marks import marks
from state.form import Field, Form
from state.form.field import Data
from state.rules import FormFault

SECOND = re.compile(r"[0-9]{10}")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to every click on what `blocks` builds of a draft, to its modals and to its searched menus."""

    @app.action(ids.OPEN_DM)
    async def on_link(ack: AsyncAck) -> None:
        await ack()

    @app.action(ids.OPEN_BOX)
    async def on_box(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the draft, without queue or model."""
        press = ids.press_of(action)
        known = await intake.clicked_on(press, body)
        live = known is not None and known.draft.card is not None and press and known.draft.card.id == press.card
        if press is None or known is None or not live or known.draft.owner != body["user"]["id"]:
            await clicked(intake, body, action, client)
        else:
            view = build_entry(known.form, known.draft, press, known.today)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.action(ids.ACTIONS)
    async def on_click(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        if press is None or press.act != "edit" or not await _edits(intake, press, body, client):
            await clicked(intake, body, action, client)
        await ack()

    _modals(app, intake)


def _modals(app: AsyncApp, intake: Intake) -> None:
    @app.view(ids.ENTRY)
    async def on_entry(ack: AsyncAck, body: Payload, view: Payload) -> None:
        press, entry = read_entry(view) or (None, "")
        known = await intake.clicked_on(press, body)
        if press is None or known is None:
            await ack()
            return
        user = str(body["user"]["id"])
        errors = _errors(intake, known, press.field, entry) if known.draft.owner == user else {}
        if errors:
            await ack(response_action="errors", errors=errors)
            return
        label = (", ".join(entry) if isinstance(entry, tuple) else str(entry))[:300]
        act = "amend" if press.act == "amend" else "enter"
        click = {"act": act, "field": press.field, "value": entry, "card": press.card, "label": label}
        await intake.acted(known.there, user, f"{view['id']}:{view.get('hash')}", click, press.draft)
        await ack()

    @app.view_closed(ids.ENTRY)
    async def on_closed(ack: AsyncAck, body: Payload, view: Payload) -> None:
        """A box of the Edit menu was closed without an answer."""
        press = ids.read_press(view.get("private_metadata"))
        known = await intake.clicked_on(press, body)
        if press is not None and known is not None and press.act == "amend":
            click = {"act": "box_closed", "field": press.field, "card": press.card}
            await intake.acted(known.there, str(body["user"]["id"]), f"{view['id']}:closed", click, press.draft)
        await ack()

    @app.options(ids.FOUND)
    async def on_search(ack: AsyncAck, body: Payload) -> None:
        """Answered from the draft, at once; another person's menu is empty."""
        press = ids.read_press(body.get("block_id"))
        known = await intake.clicked_on(press, body)
        if press is None or known is None or known.draft.owner != body["user"]["id"]:
            await ack(options=[])
        else:
            await ack(**build_options(known.form, known.draft, press, str(body.get("value") or ""), known.today))


async def _edits(intake: Intake, press: ids.Press, body: Payload, client: AsyncWebClient) -> bool:
    """Open the modal that edits an answer of the owner's open draft; False where it is asked anew instead."""
    known = await intake.clicked_on(press, body)
    if known is None or not known.draft.open or known.draft.handed or known.draft.owner != body["user"]["id"]:
        return False
    view = build_edit(known.form, known.draft, replace(press, act="amend"), known.today)
    if view is None:
        return False
    await client.views_open(trigger_id=body["trigger_id"], view=view)
    return True


async def clicked(intake: Intake, body: Payload, action: Payload, client: AsyncWebClient) -> None:
    """Hand a click to the engine: its value and what the person saw on it; of Done, what is ticked above it."""
    press = ids.press_of(action)
    if press is None:
        return
    user, team = str(body["user"]["id"]), team_of(body)
    there = await intake.place_of(press.draft, team)
    if there is None:
        if press.draft:
            return
        there = await _place(body, team, user, client)
    channel = str((body.get("container") or {}).get("channel_id") or there.channel)
    value, label = press.value, label_of(action)
    if press.act == "answer" and value is None:
        boxes, labels = ids.ticked(body.get("state") or {})
        value, label = (boxes, labels) if boxes else (value, label)
    click = {
        "act": press.act, "field": press.field, "value": value, "card": press.card, "hash": press.hash,
        "label": label, "message": str((body.get("container") or {}).get("message_ts") or ""), "where": "" if channel == there.channel else channel,
        **times_of(body, action),
    }  # fmt: skip
    moment = action.get("action_ts") or body.get("trigger_id")
    way = str(body.get("response_url") or "")
    await intake.acted(there, user, f"{moment}:{action['action_id']}", click, press.draft, response_url=way)


def times_of(body: Payload, action: Payload) -> dict[str, str]:
    """Return when a click was, by Slack's clock, and in a view, when that was built, from its hash. Empty where Slack does not say."""
    at, view = str(action.get("action_ts") or ""), body.get("view")
    built = str((view or {}).get("hash") or "").partition(".")[0]
    if not TS.fullmatch(at) or (view and not SECOND.fullmatch(built)):
        return {}
    return {"clicked_at": at, "shown": f"{int(built) + 1}.000000" if view else ""}


async def _place(body: Payload, team: str, user: str, client: AsyncWebClient) -> Place:
    """Return where a card without a draft was clicked; from the Home tab, the direct message."""
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


log = structlog.get_logger("holdfast.views")


def _read_currency(form: Form, field: Field, entry: Data, context: Context) -> None:
    """Check that what names a currency beside an amount names one that can be taken. Raises Unreadable: "$" would leave the one before."""
    beside = currency_field(form, field)
    if beside is None or not isinstance(entry, str):
        return
    for mark in marks(entry, context):
        kind_of(beside).parse(beside, entry[mark.start : mark.end], context)


def _errors(intake: Intake, known: Subject, name: str, entry: Data) -> dict[str, str]:
    """Return the sentence that says why an entry cannot be read, or what the field's own rules have against it; nothing where it can count."""
    form, draft, rules = known.form, known.draft, intake.workflows[known.draft.form].of(known.draft).rules
    field, context = form.fields.get(name), Context(form.language, known.today)
    if field is None:
        return {}
    try:
        data = kind_of(field).parse(field, entry, context)
        _read_currency(form, field, entry, context)
    except Unreadable as problem:
        return entry_error(form, problem.key, problem.args_)
    check = rules.checks.get(field.base)
    try:
        sentence = check(draft, name, data) if check else ""
    except FormFault as fault:
        log.error("form_failed", form=draft.form, what=fault.what, exc_info=fault)
        return entry_error(form, "form_fault", {})
    return {ids.ENTRY_BLOCK: sentence} if sentence else {}
