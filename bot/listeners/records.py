"""What is done about a record: its owner reports what they did, officers judge a breach or a note, an auditor asks for the dossier."""

from contextlib import suppress

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.modal import build_report_box, read_report_box, report_errors
from blocks.opened import build_origins
from blocks.page import Page
from blocks.verdict import build_case_box, read_case_box
from bot.listeners.actions import clicked, direct_channel, team_of, times_of
from bot.listeners.decisions import asked_about, channel_of, gone
from bot.listeners.desk import Opening, opening, show
from bot.listeners.intake import Intake, Payload
from bot.officers.desk import View
from bot.officers.roles import AUDITOR
from bot.slack.places import Place, place
from state.draft.draft import Draft
from state.draft.reporting import read_entries
from state.draft.route import may_report
from state.fields.base import Context
from state.form import Form


def register_reports(app: AsyncApp, intake: Intake) -> None:
    """Listen to reports of what was done."""

    @app.action(ids.REPORT)
    async def on_box(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
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
    async def on_read(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        key = f"{action.get('action_ts')}:{action['action_id']}"
        if press is not None and not await _reported(intake, body, press, key, {}, **times_of(body, action)):
            await gone(intake, body, client)
        await ack()

    @app.view(ids.REPORT_BOX)
    async def on_report(ack: AsyncAck, body: Payload, view: Payload) -> None:
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


async def _reported(intake: Intake, body: Payload, press: ids.Press, key: str, entries: Payload, **times: str) -> bool:
    """False where the request is there no more."""
    known = await intake.draft(press.draft, team_of(body))
    if known is None:
        return False
    given = {"entries": entries, "mark": press.hash, "card": press.card, "where": channel_of(body), **times}
    await intake.reported(place(known[0].conversation), str(body["user"]["id"]), key, given, press.draft)
    return True


def register_cases(app: AsyncApp, intake: Intake) -> None:
    """Listen to judgements of cases."""

    @app.action(ids.CASE)
    async def on_case(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        asked = await asked_about(intake, body, press)
        if press is not None and asked is not None:
            await show(client, body, await _box(*asked, press, channel_of(body)))
        else:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.CASE_BOX)
    async def on_judged(ack: AsyncAck, body: Payload, view: Payload, client: AsyncWebClient) -> None:
        written = read_case_box(view)
        known = await intake.draft(written[0].draft, team_of(body)) if written else None
        if written is not None and known is not None:
            press, words = written
            given = {"case": press.field, "verdict": str(press.value or ""), "hash": press.hash, **words}
            there, key = place(known[0].conversation), f"{view['id']}:{view.get('hash')}"
            await intake.judged(there, str(body["user"]["id"]), key, given, press.draft)
        elif written is not None:
            await gone(intake, body, client)
        await ack()


async def _box(asks: Opening, form: Form, draft: Draft, press: ids.Press, channel: str) -> View:
    """Return the box for the words, for whoever judges cases of this form; why not, for anybody else."""
    if asks.record is None:
        return await asks.refuses()
    if form.name in asks.duties.cases or form.filing.breaches is None:
        return await asks.shows(build_case_box(form, draft, press, channel), part="case")
    role = Page(form, draft, "").role(form.filing.breaches.by)
    return await asks.refuses("decide_auditor" if AUDITOR in asks.duties.roles else "decide_role", role=role)


def register_dossiers(app: AsyncApp, intake: Intake) -> None:
    """Listen to the button."""

    @app.action(ids.DOSSIER)
    async def on_dossier(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """It comes into their direct message; who may have it is looked up when it is made."""
        team, user, number = team_of(body), str(body["user"]["id"]), str(action.get("value") or "")
        there = Place(team, await direct_channel(client, user))
        click = {"act": "dossier", "field": intake.language, "card": number}
        await intake.clicked(there, user, f"{action.get('action_ts')}:{number}", click)
        await _asked(intake, body, client, team, number)
        await ack()


async def _asked(intake: Intake, body: Payload, client: AsyncWebClient, team: str, number: str) -> None:
    """Their modal says that it is on its way."""
    view, record = body.get("view") or {}, (await opening(intake, body, number)).record
    known = await intake.draft(record.draft, team) if record and view.get("callback_id") == ids.ORIGINS else None
    if known is not None:
        house = intake.workflows[known[1].form].form
        shown = build_origins(Page(house, known[1], known[1].began[:10]), asked=True)
        with suppress(SlackApiError):  # it was closed meanwhile: the file comes all the same
            await client.views_update(view_id=view["id"], view=shown)
