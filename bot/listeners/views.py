"""Modals and searched menus: an entry that cannot be read is refused in the modal itself; any other becomes an event."""

from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp

from blocks import ids
from blocks.inputs import build_options
from blocks.modal import entry_error, read_entry
from bot.listeners.actions import team_of
from bot.listeners.intake import Intake, Payload
from bot.slack.places import place
from state.draft.display import currency_field
from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.fields.values.marks import marks
from state.form import Field, Form
from state.form.field import Data
from state.rules import FormFault

log = structlog.get_logger("holdfast.views")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to entries written in a modal."""

    @app.view(ids.ENTRY)
    async def on_entry(ack: AsyncAck, body: Payload, view: Payload) -> None:
        written = read_entry(view)
        known = await intake.draft(written[0].draft, team_of(body)) if written else None
        if written is None or known is None:
            await ack()
            return
        press, entry = written
        mine = known[1].owner == body["user"]["id"]
        errors = _errors(intake, known[1], press.field, entry, await intake.today(known[1])) if mine else {}
        if errors:
            await ack(response_action="errors", errors=errors)
            return
        act, label = ("amend" if press.act == "amend" else "enter"), shown_entry(entry)[:300]
        click = {"act": act, "field": press.field, "value": entry, "card": press.card, "label": label}
        there, user = place(known[0].conversation), str(body["user"]["id"])
        await intake.clicked(there, user, f"{view['id']}:{view.get('hash')}", click, press.draft)
        await ack()

    @app.view_closed(ids.ENTRY)
    async def on_closed(ack: AsyncAck, body: Payload, view: Payload) -> None:
        await _closed(intake, body, view)
        await ack()


async def _closed(intake: Intake, body: Payload, view: Payload) -> None:
    """A box of the Edit menu was closed without an answer."""
    press = ids.read_press(view.get("private_metadata"))
    known = await intake.draft(press.draft, team_of(body)) if press else None
    if press is None or known is None or press.act != "amend":
        return
    click = {"act": "box_closed", "field": press.field, "card": press.card}
    there, user = place(known[0].conversation), str(body["user"]["id"])
    await intake.clicked(there, user, f"{view['id']}:closed", click, press.draft)


def shown_entry(entry: Data) -> str:
    """Return what was written or chosen, as the words that the answer rests on."""
    return ", ".join(entry) if isinstance(entry, tuple) else str(entry)


def _read_currency(form: Form, field: Field, entry: Data, context: Context) -> None:
    """What names a currency beside an amount must name one that can be taken. Raises Unreadable: "$" would leave the one before."""
    beside = currency_field(form, field)
    if beside is None or not isinstance(entry, str):
        return
    for mark in marks(entry, context):
        kind_of(beside).parse(beside, entry[mark.start : mark.end], context)


def _errors(intake: Intake, draft: Draft, name: str, entry: Data, today: str) -> dict[str, str]:
    """Return the sentence that says why an entry cannot be read, or what the field's own rules have against it; nothing where it can count."""
    form, rules = intake.workflows[draft.form].form_of(draft), intake.workflows[draft.form].rules
    field, context = form.fields.get(name), Context(form.language, today)
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


NONE: dict[str, Any] = {"options": []}


def register_options(app: AsyncApp, intake: Intake) -> None:
    """Listen to menus being searched."""

    @app.options(ids.FOUND)
    async def on_search(ack: AsyncAck, body: Payload) -> None:
        """Answered from the draft, at once; another person's menu is empty."""
        press = ids.read_press(body.get("block_id"))
        known = await intake.draft(press.draft, team_of(body)) if press else None
        if press is None or known is None or known[1].owner != body["user"]["id"]:
            await ack(**NONE)
            return
        form, today = intake.workflows[known[1].form].form_of(known[1]), await intake.today(known[1])
        await ack(**build_options(form, known[1], press, str(body.get("value") or ""), today))
