"""App Home: a person's drafts and requests, any of which opens; for officers what waits for them; in the messages tab the prompts."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.elements import Block
from blocks.home import BESIDE, REQUESTS, Request, build_home
from blocks.ids import read_private
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.policy import build_section
from blocks.queue import At, build_queue, view_of
from blocks.request import Filed, build_gone, build_request
from bot.listeners.intake import Intake, Payload, team_of, team_of_event
from bot.officers.index import draft_of_record, filing_of, history
from bot.officers.lists import Officer
from bot.slack.errors import code_of
from bot.slack.people import Prompts
from bot.slack.places import Place, person_key
from state.draft.draft import Draft
from state.draft.record import ASK, WITHDRAW, Decision
from state.draft.route import conditions_of
from state.engine.codec import decode_draft
from state.stores.rows import Record
from state.understanding.wishes import likeliest

log = structlog.get_logger("holdfast.home")

SOON = 1.0
"""Seconds; Slack warns whoever clicked after three."""
SHOWING: set[asyncio.Future[None]] = set()
"""The calls that are still under way."""


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to App Home being opened, to its pages being turned, and to a request being opened."""
    prompts = Prompts(intake.people, intake.workflows, intake.store.forms_used)

    @app.event("app_home_opened")
    async def on_home(body: Payload, event: Payload, client: AsyncWebClient) -> None:
        team, user = team_of_event(body), str(event["user"])
        if event.get("tab") == "home":
            await publish(intake, team, user, client, At(), opened=True)
        elif event.get("tab") == "messages" and event.get("channel"):
            there = Place(team, str(event["channel"]))
            await prompts.show(there.key, user, **await intake.prompted(there))

    @app.action(ids.HOME_PAGE)
    async def on_page(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        at = replace(at_of(body), own=number_of(action))
        await publish(intake, team_of(body), str(body["user"]["id"]), client, at, opened=True)
        await ack()

    @app.action(ids.OPEN_REQUEST)
    async def on_open(ack: AsyncAck, body: Payload, action: Payload, client: AsyncWebClient) -> None:
        """`trigger_id` lives three seconds: the modal is built from the record, without queue or model."""
        team, user = team_of(body), str(body["user"]["id"])
        record = await intake.own_record(team, user, str(action.get("value") or ""))
        words = await intake.words_for(team, user)
        view = await _opened(intake, record, words) if record else build_gone(words, "")
        await shown(client.views_open(trigger_id=body["trigger_id"], view=view))
        await ack()


async def shown(call: Awaitable[Any]) -> None:
    """Show something, or go on showing it: whoever clicked is acknowledged soon, also where Slack lets us wait."""
    showing = asyncio.ensure_future(_shown(call))
    SHOWING.add(showing)
    showing.add_done_callback(SHOWING.discard)
    done, _ = await asyncio.wait([showing], timeout=SOON)
    for one in done:
        one.result()


async def _shown(call: Awaitable[Any]) -> None:
    """Nothing is lost where Slack does not show it, because it came too late or too often: the button can be pressed again."""
    try:
        await call
    except SlackApiError as problem:
        log.info("view_refused", error=code_of(problem))


async def publish(
    intake: Intake, team: str, user: str, client: AsyncWebClient, at: At, *, opened: bool = False
) -> None:
    """Show somebody their Home from here on; `opened`: they have turned to this page, and it is not only repainted."""
    await shown(client.views_publish(user_id=user, view=await home_view(intake, team, user, at, opened=opened)))


def at_of(body: Payload) -> At:
    """Return where somebody is in their Home, as it was published."""
    return read_private(At, (body.get("view") or {}).get("private_metadata")) or At()


def number_of(action: Payload) -> int:
    """Return how many to skip, as a button that turns a page says it."""
    value = str(action.get("value") or "")
    return int(value) if value.isdecimal() else 0


async def home_view(
    intake: Intake, team: str, user: str, at: At = At(), *, opened: bool = False  # noqa: B008  it is frozen
) -> dict[str, Any]:  # fmt: skip
    """One page of what waits for somebody, and one of what they filed themselves; beyond the last one there is the first page."""
    person = person_key(team, user)
    words, duties = await intake.words_for(team, user), await intake.desk.duties(team, user)
    queue = await intake.desk.queue(team, user, duties, at) if duties.any or not duties.known else None
    desk = build_queue(words, queue) if queue else []
    if queue and queue.decides:
        intake.desk.looks(team, user, queue.at)
    every = [w.spoken_in(words.language) for w in intake.workflows.values()]
    forms = likeliest(every, "", await intake.store.forms_used(person), words.language)
    count = await intake.store.count_records(person)
    at = replace(queue.at if queue else at, own=at.own if at.own < count else 0)
    records = await intake.store.records_of(person, limit=BESIDE if desk else REQUESTS, skip=at.own)
    drafts = [(intake.workflows[d.form].form_of(d), d) for d in await intake.open_drafts(team, user)]
    requests = await _requests(intake, [record for record in records if record.filed_at])
    policy = await policy_section(intake, team, user)
    shown_ = build_home(words, drafts, requests, forms, skipped=at.own, count=count, desk=desk, policy=policy)
    if not (opened and queue and queue.rows):
        return view_of(at, shown_)
    asked = {"form": at.form, "state": at.state, "role": at.role, "late": at.late, "from": str(at.skip)}
    return await intake.desk.noted(team, user, "queue", len(queue.rows), view_of(at, shown_), **asked)


async def _requests(intake: Intake, records: list[Record]) -> list[Request]:
    """Return the rows; of forms on which somebody decides, with what was decided."""
    routed = [
        r.draft
        for r in records
        if (w := intake.workflows.get(r.form)) and any(s.waits for s in w.form.filing.states.values())
    ]
    stored = await intake.store.drafts_named(routed)
    known = {s.id: decode_draft(s.body) for s in stored if s.body and not s.erased}
    return [_request(intake, record, known.get(record.draft)) for record in records]


def _request(intake: Intake, record: Record, now: Draft | None) -> Request:
    """Return a row; of a form that is loaded no more, or of a record that was emptied, only that it was filed."""
    workflow = intake.workflows.get(record.form)
    at = record.filed_at.isoformat() if record.filed_at else ""
    draft = None if record.erased else draft_of_record(record)
    form = (workflow.form_of(draft) if draft else workflow.form) if workflow else None
    until = (now.filed.valid_until if now else "") or str(filing_of(record).get("until") or "")
    conditions = conditions_of(now) if now else ""
    return Request(form, record.number, record.state, at, draft, until, conditions)


def _given(draft: Draft | None) -> tuple[Decision, ...]:
    """Return the verdicts that count, and every query."""
    given = draft.filed.decisions if draft else ()
    return tuple(d for d in given if d.verdict == ASK or not (d.void or d.verdict == WITHDRAW))


async def _opened(intake: Intake, record: Record, words: Phrasebook) -> dict[str, Any]:
    """Return a record whole: its answers, its files by name, its state with what the person read of it, and what happened to its draft."""
    held, kept = draft_of_record(record), filing_of(record)
    form = intake.workflows[record.form].form_of(held)
    at = record.filed_at.isoformat() if record.filed_at else ""
    known = await intake.draft(record.draft, record.tenant)
    now = known.draft if known else None
    page = Page(form, replace(held, documents=now.documents if now else {}), at[:10])
    until = (now.filed.valid_until if now else "") or str(kept.get("until") or "")
    files = tuple(str(name).replace("{number}", record.number) for name in kept.get("files", ()))
    told, ending = tuple(kept.get("told", ())), str(kept.get("ending") or "")
    filed = Filed(record.number, record.state, at, told, until, files, ending, _given(now), as_filed="state" in kept)
    return build_request(words, page, filed, history(await intake.store.events(record.draft)))


async def policy_section(intake: Intake, team: str, user: str) -> list[Block]:
    """The section of the App Home for whoever keeps lists; nothing for anybody else."""
    lists = await intake.uploads.kept_by(await officer_of(intake, team, user))
    return build_section(await intake.words_for(team, user), lists) if lists else []


async def officer_of(intake: Intake, team: str, user: str) -> Officer:
    """Somebody with their time zone, by which days begin for them."""
    return Officer(team, user, await intake.people.zone(team, user))
