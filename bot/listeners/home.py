"""App Home: a person's drafts and requests, and in the messages tab the suggested prompts."""

from collections.abc import Mapping
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.home import Request, build_home
from blocks.phrases import Phrasebook
from blocks.thinking import suggested_prompts
from bot.listeners.intake import Intake
from bot.listeners.messages import team_of_event
from state.draft.draft import Draft
from state.form import Form

log = structlog.get_logger("holdfast.home")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to App Home being opened."""

    @app.event("app_home_opened")
    async def on_home(body: Mapping[str, Any], event: Mapping[str, Any], client: AsyncWebClient) -> None:
        team, user = team_of_event(body), str(event["user"])
        if event.get("tab") == "home":
            await client.views_publish(user_id=user, view=await _view(intake, team, user))
        elif event.get("tab") == "messages" and event.get("channel"):
            await _suggest(intake, client, str(event["channel"]))


async def _view(intake: Intake, team: str, user: str) -> dict[str, Any]:
    forms = {name: w.form for name, w in intake.workflows.items()}
    drafts = [(forms[d.form], d) for d in await intake.drafts_of(team, user) if _shows(d, forms)]
    requests = [
        Request(forms[r.form], r.number, r.state, r.filed_at.isoformat())
        for r in await intake.records_of(team, user)
        if r.form in forms and r.filed_at
    ]
    return build_home(_words(intake), drafts, requests, list(forms.values()))


def _shows(draft: Draft, forms: Mapping[str, Form]) -> bool:
    """What is being filled in; a conversation of operations is never in progress."""
    return draft.open and draft.form in forms and not forms[draft.form].conversational


def _words(intake: Intake) -> Phrasebook:
    """The words of the installation: those of its first form."""
    return Phrasebook(intake.language)


async def _suggest(intake: Intake, client: AsyncWebClient, channel: str) -> None:
    """Suggestions are a courtesy: where Slack does not take them, nothing is lost."""
    prompts = suggested_prompts(_words(intake), [w.form for w in intake.workflows.values()])
    try:
        await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=prompts)
    except SlackApiError as problem:
        log.info("prompts_refused", error=problem.response.get("error"))
