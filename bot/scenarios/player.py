"""One scenario from its first step to its last: acts on the screen, then looks at the screen and at the draft."""

import tempfile
from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from blocks import ids
from blocks.phrases import Phrasebook
from bot.keys import Place, person_key
from bot.local import COMPLIANCE, OFFICERS, sandboxed
from bot.model.protocol import Model
from bot.root import Bot
from bot.sandbox.acts.talk import Upload
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json
from bot.scenarios.expecting import Seen, shortfalls
from bot.scenarios.model import AwayModel, PlayedModel
from bot.scenarios.paper import paper
from bot.settings import Settings
from state.draft.draft import Draft
from state.engine.codec import decode_draft
from state.form import Form
from state.stores.opener import memory_store
from state.workflow.load import Workflow
from state.workflow.scenario import PERSON as BY_PERSON
from state.workflow.scenario import Scenario, Step

PERSON, COLLEAGUE = "U0ALEX", "U0DANA"
TEAM = "T0HOLDFAST"


class Fell(Exception):
    """A step that could not be taken or did not come out as expected; the text is for the form's author."""


async def play(settings: Settings, workflow: Workflow, scenario: Scenario) -> None:
    """Play a scenario on a fresh bot with a store in memory. Raises Fell at the first step that falls short."""
    model: Model | None = {"absent": None, "away": AwayModel(), "scripted": PlayedModel()}[scenario.model]
    with tempfile.TemporaryDirectory() as var:
        here = settings.model_copy(
            update={
                "holdfast_var": Path(var),
                "anthropic_api_key": None,
                "anthropic_base_url": None,
                "holdfast_pace": 0,  # it is played faster than any rate limit would let people be answered
            }
        )
        store = memory_store(_clock(scenario))
        async with sandboxed(here, store=store, model=model, only=workflow.form.name) as (sandbox, bot):
            await sandbox.until(lambda: sandbox.connected)
            if scenario.language:
                people = sandbox.slack.workspace.people
                people[PERSON] = replace(people[PERSON], locale=scenario.language)
            played = model if isinstance(model, PlayedModel) else None
            stage = _Stage(sandbox, bot, workflow, played, _cast(workflow))
            for n, step in enumerate(scenario.steps, 1):
                await stage.take(n, step)


def _clock(scenario: Scenario) -> Callable[[], datetime]:
    """The scenario's day, at the present time of day; or simply now."""
    day = scenario.today
    return lambda: datetime.combine(day, datetime.now(UTC).timetz()) if day else datetime.now(UTC)


def _cast(workflow: Workflow) -> Mapping[str, str]:
    """A person of the sandbox for each role of the form, another one for each; further roles are the colleague's."""
    roles = dict.fromkeys(state.by for state in workflow.form.filing.states.values() if state.waits)
    return {role: OFFICERS.get(role, COLLEAGUE) for role in roles}


@dataclass
class _Stage:
    sandbox: Sandbox
    bot: Bot
    workflow: Workflow
    model: PlayedModel | None
    officers: Mapping[str, str]
    """Who plays which role of those who decide."""
    known: int = 0
    """How many of the draft's changes earlier steps have seen."""

    @property
    def alex(self) -> Person:
        return self.sandbox.person(PERSON)

    async def take(self, n: int, step: Step) -> None:
        """Take one step and look."""
        if self.model:
            self.model.play(step.model)
        before, channel, notes = self._texts(), self._texts(COMPLIANCE), len(self._notes(step))
        try:
            await self._act(step)
        except LookupError as missing:
            raise Fell(f"step {n}: {missing.args[0]}") from None
        await settled(self.sandbox, self.bot)
        after = self._texts()
        fresh = {ts: text for ts, text in after.items() if before.get(ts) != text}
        draft = await self._draft()
        changes, records = await self._changes(draft), await self._records()
        read = tuple(text for ts, text in self._texts(COMPLIANCE).items() if channel.get(ts) != text)
        noted = tuple(self._notes(step)[notes:])
        shown = self._shown(fresh)
        seen = Seen(self._form(draft), draft, tuple(fresh.values()), changes, records, shown, read, noted)
        if wrong := shortfalls(step.expect, seen):
            raise Fell(f"step {n}: {'; '.join(wrong)}")

    async def _act(self, step: Step) -> None:
        """What the step says the person does."""
        await ACTS[next(act for act in ACTS if getattr(step, act) is not None)](self, step)

    async def say(self, step: Step) -> None:
        """One line, or several in a row."""
        for line in step.lines or (step.say or "",):
            await self.alex.say(line)

    async def click(self, step: Step) -> None:
        """A button of the newest card that has it, of a field's card, or of a colleague's."""
        wanted = step.click or ""
        if step.by != BY_PERSON:
            await self._decide(step, wanted)
        else:
            await self.alex.click(wanted, self._card(step) if step.on else None)

    async def _decide(self, step: Step, wanted: str) -> None:
        """A button in the channel of those who decide, and what its box asks for. Raises LookupError where that is not as the step says."""
        who = self.sandbox.person(self.officers.get(step.by, COLLEAGUE))
        await who.click(wanted, channel=COMPLIANCE)
        if step.write is not None:
            await who.submit(values=dict(step.write))

    async def pick(self, step: Step) -> None:
        """A result by its place."""
        await self.alex.click(*self._result(step.pick or 1))

    async def enter(self, step: Step) -> None:
        """The open question's box, filled in."""
        await self.alex.click(ids.OPEN_BOX)
        await self.alex.submit(values={ids.ENTRY_BLOCK: step.enter})

    async def tick(self, step: Step) -> None:
        """Boxes, and Done."""
        await self.alex.choose(ids.TICK, *(step.tick or ()))
        form = self._form(await self._draft())
        await self.alex.click(Phrasebook(form.language, form.says).say("done"))

    async def edit(self, step: Step) -> None:
        """Answers, by the Edit menu of the living card."""
        for name, entry in (step.edit or {}).items():
            await self._edit(name, entry)

    async def send(self, step: Step) -> None:
        """Files of one message."""
        await self.alex.share([Upload(name, paper(name, text)) for name, text in (step.send or {}).items()])

    async def _edit(self, name: str, entry: str) -> None:
        """Choose an answer in the Edit menu of the living card, and fill in its box where it has one."""
        menus = (e["action_id"] for m in reversed(self.alex.messages()) for e in _clickable(m) if ids.is_edit_menu(e))
        menu = next(menus, "")
        if not menu:
            raise LookupError("there is no menu to edit an answer")
        await self.alex.choose(menu, name)
        if entry:
            await self.alex.submit(values={ids.ENTRY_BLOCK: self._entered(entry)})

    def _entered(self, entry: str) -> str | list[str]:
        """What is written, or the values of the options that read so."""
        modal = self.alex.modal
        if modal is None:
            raise LookupError("the answer is not edited in a box")
        element: Json = next(b["element"] for b in modal["blocks"] if b["type"] == "input")
        values: dict[str, str] = {o["text"]["text"]: o["value"] for o in element.get("options", ())}
        if element["type"] in ("checkboxes", "multi_static_select"):
            return [values.get(part.strip(), part.strip()) for part in entry.split(",")]
        return values.get(entry, entry)

    def _card(self, step: Step) -> Json:
        for message in reversed(self.alex.messages()):
            presses = [ids.press_of(e) for e in _clickable(message)]
            if any(p and p.field == step.on for p in presses) and (step.click or "") in _words(message):
                return message
        raise LookupError(f"there is no card of {step.on} with {step.click!r} on it")

    def _result(self, place: int) -> tuple[str, Json]:
        for message in reversed(self.alex.messages()):
            picks = [e["action_id"] for e in _clickable(message) if (p := ids.press_of(e)) and p.act == "pick"]
            if len(picks) >= place:
                return picks[place - 1], message
        raise LookupError(f"there is no result {place} to pick")

    def _texts(self, channel: str | None = None) -> dict[str, str]:
        return {m["ts"]: _words(m) for m in self.alex.messages(channel) if m.get("bot_id")}

    def _notes(self, step: Step) -> list[str]:
        """What only the one who clicks reads in the channel of those who decide."""
        who = self.sandbox.person(self.officers.get(step.by, COLLEAGUE))
        return [_words(note) for note in who.ephemerals(COMPLIANCE)]

    def _shown(self, fresh: Container[str]) -> tuple[str, ...]:
        """What stands in these messages, by their times."""
        return tuple(_words(m.get("blocks") or m.get("text")) for m in self.alex.messages() if m["ts"] in fresh)

    async def _draft(self) -> Draft | None:
        current = await self.bot.store.current(Place(TEAM, self.alex.dm).key)
        stored = await self.bot.store.draft(current.draft) if current else None
        return decode_draft(stored.body) if stored else None

    def _form(self, draft: Draft | None) -> Form:
        """The form in the draft's language."""
        return self.workflow.form_of(draft) if draft else self.workflow.form

    async def _changes(self, draft: Draft | None) -> list[Json]:
        """The draft's changes since the step before."""
        events = await self.bot.store.events(draft.id) if draft else []
        changes = [c for e in events for c in e.changes]
        known, self.known = self.known, len(changes)
        return changes[known:]

    async def _records(self) -> list[Json]:
        records = await self.bot.store.records_of(person_key(TEAM, PERSON), self.workflow.form.name)
        return [{"state": r.state, **r.body} for r in records]


ACTS: Mapping[str, Callable[[_Stage, Step], Awaitable[None]]] = {
    "say": _Stage.say,
    "lines": _Stage.say,
    "click": _Stage.click,
    "pick": _Stage.pick,
    "enter": _Stage.enter,
    "tick": _Stage.tick,
    "edit": _Stage.edit,
    "send": _Stage.send,
}
"""What the person may do, by what a step calls it."""


async def settled(sandbox: Sandbox, bot: Bot) -> None:
    """Wait until every event is handled and every post is out."""
    await sandbox.until(lambda: not sandbox.under_way)
    await bot.engine.idle()


def _clickable(message: Json) -> list[Json]:
    """Every element of a message that can be clicked, with its block's id where it has none of its own."""
    found: list[Json] = []
    for block in message.get("blocks") or ():
        inner = [*block.get("elements", ()), *([block["accessory"]] if "accessory" in block else [])]
        found += [{"block_id": block.get("block_id"), **e} for e in inner if "action_id" in e]
    return found


def _words(thing: object) -> str:
    """Every text in a message, in order."""
    if isinstance(thing, dict):
        keys = (
            "title",
            "subtitle",
            "body",
            "text",
            "blocks",
            "elements",
            "accessory",
            "fields",
            "options",
            "rows",
            "files",
            "name",
        )
        return "\n".join(filter(None, (_words(thing.get(k)) for k in keys)))
    if isinstance(thing, list):
        return "\n".join(filter(None, map(_words, thing)))
    return thing if isinstance(thing, str) else ""
