"""Questions that begin no form: "can I trade X", "my requests". Answered at once from the person's records and the lists in force."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import structlog

from blocks.note import build_answer, listed_lines
from blocks.phrases import Phrasebook, spoken
from blocks.text import literal
from bot.effects.look_ups import LIMIT, OwnRecords
from bot.officers.lists import Lists
from bot.slack.people import People
from bot.slack.places import person_key
from bot.slack.posts import Poster
from state.advance import begin
from state.draft.draft import Draft
from state.engine.on_facts import MY_REQUESTS
from state.rules import FormFault
from state.stores.rows import OutboxRow, Posted
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.answers")


@dataclass(frozen=True)
class Asked:
    """A command of a form and what it is about; without a form, `my_requests` of all of them."""

    form: str
    command: str
    rest: str = ""


class Answers:
    """Answers for one person alone. Trouble in a workflow's own code is logged, and told as "could not be asked"."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow], people: People, lists: Lists) -> None:
        self._store, self.workflows, self._people, self._lists = store, workflows, people, lists

    async def sentences(self, team: str, user: str, asked: Asked, locale: str = "") -> tuple[str, ...]:
        """Return what a command says to this person, in sentences. `locale` is theirs, for what belongs to no form."""
        words = self.words(asked, locale)
        try:
            found = self._all(team, user, words) if not asked.form else self._asked(team, user, asked)
            return await asyncio.wait_for(found, LIMIT)
        except FormFault as fault:
            log.error("form_failed", form=asked.form, what=fault.what, exc_info=fault)
            return (words.say("form_fault"),)
        except Exception:
            log.exception("answer_failed", command=asked.command)
            return (words.say("error_sorry"),)

    def words(self, asked: Asked, locale: str) -> Phrasebook:
        """Return the sentences of the form that was asked, else of the person."""
        first = next(iter(self.workflows.values())).form.language
        return Phrasebook(self.workflows[asked.form].form.language if asked.form else spoken(locale or first, first))

    async def _asked(self, team: str, user: str, asked: Asked) -> tuple[str, ...]:
        workflow, sources, draft = await self._sources(team, user, asked)
        facts = await workflow.rules.gather(draft, sources)
        return workflow.rules.commands[asked.command](asked.rest, facts)

    async def _all(self, team: str, user: str, words: Phrasebook) -> tuple[str, ...]:
        """Return the newest requests of every form, each in its form's own words."""
        told: list[str] = []
        for form, workflow in self.workflows.items():
            asked = Asked(form, MY_REQUESTS)
            _, sources, _ = await self._sources(team, user, asked)
            if not await sources.own_records(1):
                continue
            if MY_REQUESTS in workflow.rules.commands:
                told += await self._asked(team, user, asked)
            else:
                told += listed_lines(workflow.form, (await sources.listed())["requests"])
        return tuple(told) or (words.say("no_requests"),)

    async def _sources(self, team: str, user: str, asked: Asked) -> tuple[Workflow, OwnRecords, Draft]:
        workflow, now = self.workflows[asked.form], (await self._store.now()).isoformat()
        zone, person = await self._people.zone(team, user), person_key(team, user)
        empty = replace(begin(workflow.form, "", team, user, "", now), zone=zone)
        of = (asked.command, asked.rest)
        sources = OwnRecords(self._store, person, workflow.form, now, zone, self._people, lists=self._lists, asked=of)
        return workflow, sources, empty


class AnswerPosts:
    """Posts answers that were asked for in Slack."""

    def __init__(self, answers: Answers, poster: Poster) -> None:
        self._answers, self._poster = answers, poster

    async def serve(self, row: OutboxRow) -> Posted | None:
        """In the direct message as a message; elsewhere as a note that only whoever asked sees."""
        body, locale = row.body, str(row.body.get("language") or "")
        asked = Asked(str(body["form"]), str(body["command"]), str(body["rest"]))
        told = await self._answers.sentences(str(body["team"]), str(body["user"]), asked, locale)
        if not body["direct"]:
            note: dict[str, Any] = {**body, "text": "\n".join(map(literal, told))}
            await self._poster.whisper(replace(row, body=note))
            return None
        form = self._answers.workflows[asked.form].form if asked.form else None
        message = build_answer(form, told)
        shown: dict[str, Any] = {**body, "card": "", "text": message.text, "blocks": list(message.blocks)}
        return await self._poster.post(replace(row, body=shown))
