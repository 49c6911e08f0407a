"""The thinking status beside a conversation: shown while a model call runs, a courtesy where Slack does not take it."""

from collections.abc import Mapping

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError

from blocks.phrases import Phrasebook
from blocks.thinking import thinking
from bot.slack.budget import STATUS, Budget
from bot.slack.client import ClientFor
from bot.slack.errors import Later
from bot.slack.places import place
from state.draft.draft import Draft
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
