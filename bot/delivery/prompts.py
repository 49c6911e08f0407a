"""The suggested prompts of a conversation, in the words of what is being filled in there, or of the person: a courtesy."""

from collections.abc import Mapping

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError

from blocks.phrases import Phrasebook, spoken
from blocks.thinking import suggested_prompts
from bot.clients import ClientFor
from bot.keys import place
from bot.people import People
from state.stores.rows import OutboxRow
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.prompts")


class Prompts:
    """Where Slack does not take them, nothing is lost, and nothing is tried again."""

    def __init__(self, client_for: ClientFor, workflows: Mapping[str, Workflow], people: People) -> None:
        self._client_for, self._workflows, self._people = client_for, workflows, people

    async def serve(self, row: OutboxRow) -> None:
        """Perform one row."""
        user = row.person.partition(":")[2]
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
