"""Questions that begin no form: "can I trade X", "my requests". Answered at once from the person's records and the lists in force."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import structlog

from blocks.note import build_answer
from blocks.phrases import Phrasebook
from blocks.text import literal
from bot.delivery.facts import LIMIT, OwnRecords
from bot.delivery.posts import Poster
from bot.keys import person_key
from bot.lists import Lists
from bot.people import People
from state.engine import begin
from state.stores.protocol import OutboxRow, Posted, Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.answers")


class Answers:
    """Answers for one person alone. Trouble in a workflow's own code is logged, and told as "could not be asked"."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow], people: People, lists: Lists) -> None:
        self._store, self._workflows, self._people, self._lists = store, workflows, people, lists

    async def sentences(self, team: str, user: str, form: str, command: str, rest: str) -> tuple[str, ...]:
        """What a command of a form says to this person."""
        try:
            return await asyncio.wait_for(self._asked(team, user, form, command, rest), LIMIT)
        except Exception:
            log.exception("answer_failed", command=command)
            return (Phrasebook(self._workflows[form].form.language).say("error_sorry"),)

    async def _asked(self, team: str, user: str, form: str, command: str, rest: str) -> tuple[str, ...]:
        workflow, now = self._workflows[form], (await self._store.now()).isoformat()
        zone, person = await self._people.zone(team, user), person_key(team, user)
        empty = begin(workflow.form, "", team, user, "", now)
        sources = OwnRecords(
            self._store, person, workflow.form, now, zone, self._people, lists=self._lists, asked=(command, rest)
        )
        facts = await workflow.rules.gather(replace(empty, zone=zone), sources)
        return workflow.rules.commands[command](rest, facts)


class AnswerPosts:
    """Posts answers that were asked for in Slack."""

    def __init__(self, answers: Answers, poster: Poster, workflows: Mapping[str, Workflow]) -> None:
        self._answers, self._poster, self._workflows = answers, poster, workflows

    async def serve(self, row: OutboxRow) -> Posted | None:
        """In the direct message as a message; elsewhere as a note that only whoever asked sees."""
        body, form = row.body, str(row.body["form"])
        told = await self._answers.sentences(
            str(body["team"]), str(body["user"]), form, str(body["command"]), str(body["rest"])
        )
        if not body["direct"]:
            note: dict[str, Any] = {**body, "text": "\n".join(map(literal, told))}
            await self._poster.whisper(replace(row, body=note))
            return None
        message = build_answer(self._workflows[form].form, told)
        shown: dict[str, Any] = {**body, "card": "", "text": message.text, "blocks": list(message.blocks)}
        return await self._poster.post(replace(row, body=shown))
