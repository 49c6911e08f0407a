"""What follows an approval: the box of the report, and a click on what was read of a person's words."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.modal import build_report_box, read_report_box, report_errors
from bot.keys import place
from bot.listeners.actions import clicked, team_of, times_of
from bot.listeners.decisions import channel_of, gone
from bot.listeners.intake import Intake
from state.draft.reporting import read_entries
from state.engine.on_report import may_report
from state.fields.base import Context


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to reports of what was done."""

    @app.action(ids.REPORT)
    async def on_box(ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the draft, without queue or model."""
        press = ids.press_of(action)
        known = await intake.draft(press.draft, team_of(body)) if press else None
        mine = known is not None and known[1].owner == body["user"]["id"]
        form = intake.workflows[known[1].form].form_of(known[1]) if known is not None and mine else None
        if press is None or known is None:
            await gone(intake, body, client)
        elif form is None or not may_report(form, known[1]):
            await clicked(intake, body, action, client)
        else:
            view = build_report_box(form, known[1], press, await intake.today(known[1]))
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.action(ids.REPORTED)
    async def on_read(
        ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        press = ids.press_of(action)
        key = f"{action.get('action_ts')}:{action['action_id']}"
        if press is not None and not await _reported(intake, body, press, key, {}, **times_of(body, action)):
            await gone(intake, body, client)
        await ack()

    @app.view(ids.REPORT_BOX)
    async def on_report(ack: AsyncAck, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
        written = read_report_box(view)
        known = await intake.draft(written[0].draft, team_of(body)) if written else None
        if written is None or known is None:
            await ack()
            return
        form = intake.workflows[known[1].form].form_of(known[1])
        context = Context(form.language, await intake.today(known[1]))
        wrong = read_entries(form, written[1], context)[1] if form.filing.report else {}
        if wrong:
            await ack(response_action="errors", errors=report_errors(form, wrong))
            return
        await _reported(intake, body, written[0], f"{view['id']}:{view.get('hash')}", written[1])
        await ack()


async def _reported(
    intake: Intake, body: Mapping[str, Any], press: ids.Press, key: str, entries: Mapping[str, Any], **times: str
) -> bool:
    """False where the request is there no more."""
    known = await intake.draft(press.draft, team_of(body))
    if known is None:
        return False
    given = {"entries": entries, "mark": press.hash, "card": press.card, "where": channel_of(body), **times}
    await intake.reported(place(known[0].conversation), str(body["user"]["id"]), key, given, press.draft)
    return True
