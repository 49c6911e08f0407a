"""App Home: a person's drafts and requests, any of which opens; and in the messages tab the suggested prompts."""

from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.home import REQUESTS, Request, build_home
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.request import Filed, build_request
from bot.delivery.prompts import Prompts
from bot.faults import code_of
from bot.filed import draft_of_record, filing_of, history
from bot.keys import Place, person_key
from bot.listeners.actions import team_of
from bot.listeners.intake import Intake
from bot.listeners.messages import team_of_event
from bot.listeners.policy import policy_section
from state.stores.protocol import Record

log = structlog.get_logger("holdfast.home")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to App Home being opened, to its pages being turned, and to a request being opened."""
    prompts = Prompts(intake.people.client_for, intake.workflows, intake.people)

    @app.event("app_home_opened")
    async def on_home(body: Mapping[str, Any], event: Mapping[str, Any], client: AsyncWebClient) -> None:
        team, user = team_of_event(body), str(event["user"])
        if event.get("tab") == "home":
            await client.views_publish(user_id=user, view=await _view(intake, team, user))
        elif event.get("tab") == "messages" and event.get("channel"):
            there = Place(team, str(event["channel"]))
            await prompts.show(there.key, user, await intake.filled_in(there))

    @app.action(ids.HOME_PAGE)
    async def on_page(
        ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        team, user, skip = team_of(body), str(body["user"]["id"]), str(action.get("value") or "")
        view = await _view(intake, team, user, int(skip) if skip.isdecimal() else 0)
        await _shown(client.views_publish(user_id=user, view=view))
        await ack()

    @app.action(ids.OPEN_REQUEST)
    async def on_open(
        ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        """`trigger_id` lives three seconds: the modal is built from the record, without queue or model."""
        team, user = team_of(body), str(body["user"]["id"])
        record = await intake.own_record(team, user, str(action.get("value") or ""))
        if record is not None and record.form in intake.workflows:
            view = await _opened(intake, record, await intake.words_for(team, user))
            await _shown(client.views_open(trigger_id=body["trigger_id"], view=view))
        await ack()


async def _shown(call: Awaitable[Any]) -> None:
    """Nothing is lost where Slack does not show it, because it came too late or too often: the button can be pressed again."""
    try:
        await call
    except SlackApiError as problem:
        log.info("view_refused", error=code_of(problem))


async def _view(intake: Intake, team: str, user: str, skip: int = 0) -> dict[str, Any]:
    """One page of what was filed, from the newest one on; beyond the last one there is the first page."""
    person, locale = person_key(team, user), await intake.people.locale(team, user)
    forms = [w.spoken_in(locale) for w in intake.workflows.values()]
    count = await intake.store.count_records(person)
    skip = skip if skip < count else 0
    records = await intake.store.records_of(person, limit=REQUESTS, skip=skip)
    drafts = [(intake.workflows[d.form].form_of(d), d) for d in await intake.open_drafts(team, user)]
    requests = [_request(intake, record) for record in records if record.filed_at]
    words = await intake.words_for(team, user)
    policy = await policy_section(intake, team, user)
    return build_home(words, drafts, requests, forms, skipped=skip, count=count, policy=policy)


def _request(intake: Intake, record: Record) -> Request:
    """A row; of a form that is loaded no more, or of a record that was emptied, only that it was filed."""
    workflow = intake.workflows.get(record.form)
    at = record.filed_at.isoformat() if record.filed_at else ""
    draft = None if record.erased else draft_of_record(record)
    form = (workflow.form_of(draft) if draft else workflow.form) if workflow else None
    return Request(form, record.number, record.state, at, draft, str(filing_of(record).get("until") or ""))


async def _opened(intake: Intake, record: Record, words: Phrasebook) -> dict[str, Any]:
    """A record whole: its answers, its files by name, and what happened to its draft."""
    told = draft_of_record(record)
    form = intake.workflows[record.form].form_of(told)
    at = record.filed_at.isoformat() if record.filed_at else ""
    known = await intake.draft(record.draft, record.tenant)
    documents = known[1].documents if known else {}
    page = Page(form, replace(told, documents=documents), at[:10])
    return build_request(words, page, _stands(record, at), history(await intake.store.events(record.draft)))


def _stands(record: Record, at: str) -> Filed:
    """How it stands, and what the person was told of it while that still holds."""
    filed = filing_of(record)
    told, until, ending = tuple(filed.get("told", ())), str(filed.get("until") or ""), str(filed.get("ending") or "")
    files = tuple(str(name).replace("{number}", record.number) for name in filed.get("files", ()))
    return Filed(record.number, record.state, at, told, until, files, ending, as_filed="state" in filed)
