"""Show the thinking status and the suggested prompts of a conversation: courtesies, which wait like paint and are never tried again."""

from collections.abc import Mapping

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError

from blocks.messages import suggested_prompts, thinking
from blocks.phrases import Phrasebook, spoken
from bot.slack.budget import PROMPTS, STATUS, Budget
from bot.slack.client import ClientFor
from bot.slack.errors import Later
from bot.slack.people import People
from bot.slack.places import place
from state.draft.draft import Draft
from state.stores.rows import OutboxRow
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.status")


class ThreadStatus:
    """Slack ends a status by itself when the bot posts; taking it away after a call makes sure of it."""

    def __init__(self, client_for: ClientFor, workflows: Mapping[str, Workflow], budget: Budget) -> None:
        self._client_for, self._workflows, self._budget = client_for, workflows, budget

    async def show(self, conversation: str, message: str, draft: Draft | None) -> None:
        """Show that this message is being thought about, in the draft's language; without a draft, no longer."""
        there = place(conversation)
        words = thinking(Phrasebook(self._workflows[draft.form].form_of(draft).language)) if draft else None
        shown = {"status": words.status, "loading_messages": list(words.loading_messages)} if words else {"status": ""}
        client = await self._client_for(there.team)
        if client.reach.holding:
            return  # nobody waits for a courtesy while Slack does not answer
        try:
            self._budget.spend_spare(there.team, STATUS)
            await client.assistant_threads_setStatus(
                channel_id=there.channel, thread_ts=there.thread or message, **shown
            )
        except (Later, SlackApiError, aiohttp.ClientError, TimeoutError) as problem:
            log.info("status_refused", kind=type(problem).__name__)


class Prompts:
    """Where Slack does not take them, nothing is lost, and nothing is tried again."""

    def __init__(
        self, client_for: ClientFor, workflows: Mapping[str, Workflow], people: People, budget: Budget | None = None
    ) -> None:
        self._client_for, self._workflows, self._people, self._budget = client_for, workflows, people, budget

    async def serve(self, row: OutboxRow) -> None:
        """Perform one row: a courtesy, which waits like paint."""
        team, _, user = row.person.partition(":")
        if self._budget is not None:
            self._budget.spend_spare(team, PROMPTS, row.key)
        await self.show(str(row.body["conversation"]), user, str(row.body["form"]), str(row.body.get("language", "")))

    async def show(self, conversation: str, user: str, form: str, language: str = "") -> None:
        """Suggest what may be said while this form is filled in, in this language or the person's; with an empty one, which may be begun."""
        there = place(conversation)
        prompts = await self._prompts(there.team, user, form, language)
        thread = {"thread_ts": there.thread} if there.thread else {}
        client = await self._client_for(there.team)
        try:
            await client.assistant_threads_setSuggestedPrompts(channel_id=there.channel, prompts=prompts, **thread)
        except (SlackApiError, aiohttp.ClientError, TimeoutError) as problem:
            log.info("prompts_refused", kind=type(problem).__name__)

    async def _prompts(self, team: str, user: str, name: str, language: str) -> list[dict[str, str]]:
        locale = await self._people.locale(team, user)
        forms = [w.spoken_in(locale) for w in self._workflows.values()]
        if name in self._workflows:
            form = self._workflows[name].spoken_in(language or locale)
            return suggested_prompts(Phrasebook(form.language, form.says), forms, filling=True)
        return suggested_prompts(Phrasebook(spoken(locale, next(iter(self._workflows.values())).form.language)), forms)
