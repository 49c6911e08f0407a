"""Acts on a record: verdicts of officers, reports of its owner, cases judged, an auditor's dossier. Each becomes one event."""

from contextlib import suppress

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids, modal
from blocks.page import Page
from blocks.request import build_origins
from bot.listeners.actions import clicked, direct_channel, times_of
from bot.listeners.desk import Opening, opened_view, opening, show, shown_again, where_told
from bot.listeners.intake import Intake, Payload, Subject, team_of
from bot.officers.queue import View, why_not
from bot.officers.roles import AUDITOR
from bot.slack.places import Place
from state.draft.display import read_entries
from state.draft.draft import Draft
from state.draft.route import decision_wanted, may_report
from state.engine.events import CaseJudged, DecisionMade, ReportMade
from state.fields.base import Context
from state.form import Form


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to verdicts, reports, cases and dossiers."""
    _verdicts(app, intake)
    _reports(app, intake)
    _cases(app, intake)

    @app.action(ids.DOSSIER)
    async def on_dossier(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """It comes into their direct message; who may have it is looked up when it is made."""
        team, user, number = team_of(body), str(body["user"]["id"]), str(action.get("value") or "")
        there = Place(team, await direct_channel(client, user))
        click = {"act": "dossier", "field": intake.language, "card": number}
        await intake.acted(there, user, f"{action.get('action_ts')}:{number}", click)
        view, record = body.get("view") or {}, (await opening(intake, body, number)).record
        # the modal says that the dossier is on its way
        asked = record is not None and view.get("callback_id") == ids.ORIGINS
        known = await intake.draft(record.draft, team_of(body)) if record and asked else None
        if known is not None:
            shown = build_origins(Page(known.form.house, known.draft, known.draft.began[:10]), asked=True)
            with suppress(SlackApiError):  # it was closed meanwhile: the file comes all the same
                await client.views_update(view_id=view["id"], view=shown)
        await ack()


def _verdicts(app: AsyncApp, intake: Intake) -> None:
    @app.action(ids.DECIDE)
    async def on_verdict(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        if press is None:
            await ack()
            return
        given = {"verdict": str(press.value or ""), "where": await where_told(body, client), **times_of(body, action)}
        await _decided(intake, ack, body, client, press, f"{action.get('action_ts')}:{action['action_id']}", given)

    @app.action(ids.DECIDE_IN_WORDS)
    async def on_words(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the draft, without queue or model."""
        press = ids.press_of(action)
        known = await intake.clicked_on(press, body)
        if press is not None and known is not None:
            asks = await opening(intake, body, known.draft.filed.number)
            view = await _verdict(
                intake, body, asks, known.form.house, known.draft, press, await where_told(body, client)
            )
            await show(client, body, view)
        else:
            await gone(intake, body, client)
        await ack()

    @app.action(ids.ORIGINS)
    async def on_origins(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """Show where the answers come from: at once, and by no event of the draft."""
        known = await intake.clicked_on(ids.press_of(action), body)
        if known is not None:
            asks = await opening(intake, body, known.draft.filed.number)
            view = build_origins(Page(known.form.house, known.draft, known.draft.began[:10]))
            await show(client, body, await (asks.shows(view, part="origins") if asks.record else asks.refuses()))
        else:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.VERDICT)
    async def on_entry(ack: AsyncAck, body: Payload, view: Payload, client: AsyncWebClient) -> None:
        written = modal.read_verdict(view)
        if written is None:
            await ack()
            return
        press, given = written
        await _decided(intake, ack, body, client, press, f"{view['id']}:{view.get('hash')}", given)


async def _verdict(
    intake: Intake, body: Payload, asks: Opening, form: Form, draft: Draft, press: ids.Press, channel: str
) -> View:
    """Return the box for a verdict's words; why not, for whoever may not decide; the request as it is, where nothing waits any more."""
    if asks.record is None:
        return await asks.refuses()
    if not (draft.filed.pending.card and decision_wanted(form, draft).waits):
        return await opened_view(intake, body, draft.filed.number)
    if why := why_not(asks.duties, form, draft, asks.user):
        said = {"role": Page(form, draft, "").role(decision_wanted(form, draft).by)}
        return await asks.refuses(why, **said, person=next(iter(draft.filed.pending.named), ""))
    return await asks.shows(modal.build_verdict(form, draft, press, channel), part="verdict")


async def _decided(
    intake: Intake, ack: AsyncAck, body: Payload, client: AsyncWebClient, press: ids.Press, key: str, given: Payload
) -> None:
    """Store a verdict, then acknowledge it. `given`: verdict and words, and where a refusal is told.

    Whoever gave it from a modal, or acted from their Home, sees there how the request is now; on a card it shows by itself.
    """
    known = await intake.clicked_on(press, body)
    if known is None:
        await gone(intake, body, client)
        await ack()
        return
    verdict = {**given, "card": press.card, "hash": press.hash}
    await intake.acted(known.there, str(body["user"]["id"]), key, verdict, press.draft, DecisionMade)
    await ack()
    if (body.get("view") or {}).get("type") == "modal" or intake.desk.looking(team_of(body)):
        await shown_again(intake, body, client, press.draft, known.last)


def channel_of(body: Payload) -> str:
    """Return the channel in which a card was clicked; empty on the Home tab."""
    container = body.get("container") or {}
    return str(container.get("channel_id") or (body.get("channel") or {}).get("id") or "")


async def gone(intake: Intake, body: Payload, client: AsyncWebClient) -> None:
    """The request was erased with its person, or is another workspace's: whoever acts on it is told, and nothing else happens."""
    user = str(body["user"]["id"])
    words = await intake.words_for(team_of(body), user)
    with suppress(SlackApiError):
        channel = await where_told(body, client)
        await client.chat_postEphemeral(channel=channel, user=user, text=words.say("decide_gone"))


def _reports(app: AsyncApp, intake: Intake) -> None:
    @app.action(ids.REPORT)
    async def on_box(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the draft, without queue or model."""
        press = ids.press_of(action)
        known = await intake.clicked_on(press, body)
        if press is None or known is None:
            await gone(intake, body, client)
        elif known.draft.owner != body["user"]["id"] or not may_report(known.form, known.draft):
            await clicked(intake, body, action, client)
        else:
            view = modal.build_report_box(known.form, known.draft, press, known.today)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.action(ids.REPORTED)
    async def on_read(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        known = await intake.clicked_on(press, body)
        if press is not None and known is not None:
            key = f"{action.get('action_ts')}:{action['action_id']}"
            await _reported(intake, body, known, press, key, {}, **times_of(body, action))
        elif press is not None:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.REPORT_BOX)
    async def on_report(ack: AsyncAck, body: Payload, view: Payload) -> None:
        press, entries = modal.read_report_box(view) or (None, {})
        known = await intake.clicked_on(press, body)
        if press is None or known is None:
            await ack()
            return
        form = known.form
        wrong = read_entries(form, entries, Context(form.language, known.today))[1] if form.filing.report else {}
        if wrong:
            await ack(response_action="errors", errors=modal.report_errors(form, wrong))
            return
        await _reported(intake, body, known, press, f"{view['id']}:{view.get('hash')}", entries)
        await ack()


async def _reported(
    intake: Intake, body: Payload, known: Subject, press: ids.Press, key: str, entries: Payload, **times: str
) -> None:
    given = {"entries": entries, "mark": press.hash, "card": press.card, "where": channel_of(body), **times}
    await intake.acted(known.there, str(body["user"]["id"]), key, given, press.draft, ReportMade)


def _cases(app: AsyncApp, intake: Intake) -> None:
    @app.action(ids.CASE)
    async def on_case(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        known = await intake.clicked_on(press, body)
        if press is not None and known is not None:
            asks = await opening(intake, body, known.draft.filed.number)
            await show(client, body, await _box(asks, known.form.house, known.draft, press, channel_of(body)))
        else:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.CASE_BOX)
    async def on_judged(ack: AsyncAck, body: Payload, view: Payload, client: AsyncWebClient) -> None:
        written = modal.read_case_box(view)
        known = await intake.clicked_on(written[0], body) if written else None
        if written is not None and known is not None:
            press, words = written
            given = {"case": press.field, "verdict": str(press.value or ""), "hash": press.hash, **words}
            key = f"{view['id']}:{view.get('hash')}"
            await intake.acted(known.there, str(body["user"]["id"]), key, given, press.draft, CaseJudged)
        elif written is not None:
            await gone(intake, body, client)
        await ack()


async def _box(asks: Opening, form: Form, draft: Draft, press: ids.Press, channel: str) -> View:
    """Return the box for the words, for whoever judges cases of this form; why not, for anybody else."""
    if asks.record is None:
        return await asks.refuses()
    if form.name in asks.duties.cases or form.filing.breaches is None:
        return await asks.shows(modal.build_case_box(form, draft, press, channel), part="case")
    role = Page(form, draft, "").role(form.filing.breaches.by)
    return await asks.refuses("decide_auditor" if AUDITOR in asks.duties.roles else "decide_role", role=role)
