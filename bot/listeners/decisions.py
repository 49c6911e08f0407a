"""Verdicts: a button of the decision card, or a modal where a verdict wants words. Either becomes one event in the request's conversation."""

from contextlib import suppress

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.opened import build_origins
from blocks.page import Page
from blocks.verdict import build_verdict, read_verdict
from bot.listeners.actions import team_of, times_of
from bot.listeners.desk import Opening, opened_view, opening, show, shown_again, where_told
from bot.listeners.intake import Intake, Payload
from bot.officers.desk import View, why_not
from bot.slack.places import place
from state.draft.draft import Draft
from state.draft.route import decision_wanted
from state.form import Form


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to verdicts."""

    @app.action(ids.DECIDE)
    async def on_verdict(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        press = ids.press_of(action)
        if press is None:
            await ack()
            return
        given = {"verdict": str(press.value or ""), "where": await where_told(body, client), **times_of(body, action)}
        await _taken(intake, ack, body, client, press, f"{action.get('action_ts')}:{action['action_id']}", given)

    @app.action(ids.DECIDE_IN_WORDS)
    async def on_words(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the draft, without queue or model."""
        press = ids.press_of(action)
        asked = await asked_about(intake, body, press)
        if press is not None and asked is not None:
            await show(client, body, await _verdict(intake, body, *asked, press, await where_told(body, client)))
        else:
            await gone(intake, body, client)
        await ack()

    @app.action(ids.ORIGINS)
    async def on_origins(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """Where the answers come from: answered at once, and no event of the draft."""
        asked = await asked_about(intake, body, ids.press_of(action))
        if asked is not None:
            asks, form, draft = asked
            view = build_origins(Page(form, draft, draft.began[:10]))
            await show(client, body, await (asks.shows(view, part="origins") if asks.record else asks.refuses()))
        else:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.VERDICT)
    async def on_entry(ack: AsyncAck, body: Payload, view: Payload, client: AsyncWebClient) -> None:
        written = read_verdict(view)
        if written is None:
            await ack()
            return
        press, given = written
        await _taken(intake, ack, body, client, press, f"{view['id']}:{view.get('hash')}", given)


async def asked_about(intake: Intake, body: Payload, press: ids.Press | None) -> tuple[Opening, Form, Draft] | None:
    """Return the request that a button is about, in the house's language, before whoever clicked; None where it is there no more."""
    known = await intake.draft(press.draft, team_of(body)) if press else None
    if known is None:
        return None
    return await opening(intake, body, known[1].filed.number), intake.workflows[known[1].form].form, known[1]


async def _verdict(
    intake: Intake, body: Payload, asks: Opening, form: Form, draft: Draft, press: ids.Press, channel: str
) -> View:
    """Return the box for a verdict's words; why not, for whoever may not decide; the request as it is, where nothing waits any more."""
    if asks.record is None:
        return await asks.refuses()
    if not (draft.filed.pending.card and decision_wanted(form, draft).waits):
        return await opened_view(intake, body, draft.filed.number)
    if why := why_not(asks.duties, form, draft, asks.user):
        return await asks.refuses(why, role=Page(form, draft, "").role(decision_wanted(form, draft).by))
    return await asks.shows(build_verdict(form, draft, press, channel), part="verdict")


async def _taken(
    intake: Intake, ack: AsyncAck, body: Payload, client: AsyncWebClient, press: ids.Press, key: str,
    given: Payload,
) -> None:  # fmt: skip
    """A verdict is stored, then acknowledged; whoever gave it from a modal sees there how the request stands."""
    last = await _decided(intake, body, client, press, key, given)
    await ack()
    await _see(intake, body, client, press.draft, last)


def channel_of(body: Payload) -> str:
    """Return the channel in which a card was clicked; empty on the Home tab."""
    container = body.get("container") or {}
    return str(container.get("channel_id") or (body.get("channel") or {}).get("id") or "")


async def _decided(
    intake: Intake, body: Payload, client: AsyncWebClient, press: ids.Press, key: str, given: Payload
) -> int | None:
    """`given`: verdict and words, and where a refusal is told. How many events the request had; None where it is there no more."""
    known = await intake.draft(press.draft, team_of(body))
    if known is None:
        await gone(intake, body, client)
        return None
    there = place(known[0].conversation)
    verdict = {**given, "card": press.card, "hash": press.hash}
    await intake.decided(there, str(body["user"]["id"]), key, verdict, press.draft)
    return known[0].last


async def _see(intake: Intake, body: Payload, client: AsyncWebClient, draft: str, last: int | None) -> None:
    """Whoever acted from their Home sees its outcome in the same modal; on a card it shows by itself."""
    if last is not None and ((body.get("view") or {}).get("type") == "modal" or intake.desk.looking(team_of(body))):
        await shown_again(intake, body, client, draft, last)


async def gone(intake: Intake, body: Payload, client: AsyncWebClient) -> None:
    """The request was erased with its person, or is another workspace's: whoever acts on it is told, and nothing else happens."""
    user = str(body["user"]["id"])
    words = await intake.words_for(team_of(body), user)
    with suppress(SlackApiError):
        channel = await where_told(body, client)
        await client.chat_postEphemeral(channel=channel, user=user, text=words.say("decide_gone"))
