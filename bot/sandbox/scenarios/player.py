"""One scenario from its first step to its last: acts on the screen, then looks at the screen and at the draft."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten

from blocks import ids
from blocks.modal import FIELDS
from blocks.phrases import Phrasebook
from bot.model.protocol import Model
from bot.root.lifecycle import Bot
from bot.sandbox.edits import COMPLIANCE
from bot.sandbox.local import officers_of, sandboxed
from bot.sandbox.people import Person
from bot.sandbox.scenarios.expectations import Observation, shortfalls
from bot.sandbox.scenarios.staging import TEAM, AwayModel, Calls, Clock, PlayedModel, introduce, paper, set_up
from bot.sandbox.scenarios.transcript import Transcript
from bot.sandbox.server import Sandbox
from bot.sandbox.talk import Upload
from bot.sandbox.workspace import Json
from bot.settings import Settings
from bot.slack.places import Place, person_key
from state.draft.draft import Draft
from state.engine.codec import decode_draft
from state.form import Field, Form
from state.stores.opener import memory_store
from state.workflow.load import Workflow
from state.workflow.scenario import PEOPLE, Name, Scenario, Step
from state.workflow.scenario import PERSON as BY_PERSON

COLLEAGUE = "U0DANA"


class Fell(Exception):
    """A step that could not be taken or did not come out as expected; the text is for the form's author."""


async def play(settings: Settings, workflow: Workflow, scenario: Scenario, model: Model | None = None) -> str:
    """Play a scenario on a fresh bot with a store in memory; gives its transcript. Raises Fell at the first step that falls short.

    `model` is another one than the scenario's own.
    """
    model = model or {"absent": None, "away": AwayModel(), "scripted": PlayedModel()}[scenario.model]
    with tempfile.TemporaryDirectory() as var:
        here = set_up(settings, workflow, scenario, Path(var))
        clock = Clock(scenario)
        calls = any(step.chat for step in scenario.steps)
        options: Json = {"clock": lambda: clock().timestamp(), **({"serves": 0} if calls else {})}
        async with sandboxed(here, store=memory_store(clock), model=model, only=workflow.form.name, **options) as (
            sandbox,
            bot,
        ):
            await sandbox.until(lambda: sandbox.connected)
            introduce(sandbox, scenario, clock())
            scripted = model if isinstance(model, PlayedModel) else None
            page = Transcript(workflow.form, scenario)
            called = Calls(bot) if calls else None
            stage = Stage(sandbox, bot, workflow, scripted, clock, page, called)
            page.began()
            stage.screens = stage.on_screen()
            for n, step in enumerate(scenario.steps, 1):
                await stage.take(n, step)
            return await stage.end()


@dataclass
class Stage:
    """Plays the steps of a scenario, one after the other."""

    sandbox: Sandbox
    bot: Bot
    workflow: Workflow
    model: PlayedModel | None
    clock: Clock
    page: Transcript
    calls: Calls | None = None
    who: Name = PEOPLE[0]
    """The person who acts in the current step."""
    known: dict[str, int] = field(default_factory=dict)
    """How many of a draft's changes earlier steps have seen."""
    screens: dict[tuple[str, str], Json] = field(default_factory=dict)
    """The messages of each conversation after the previous step."""
    refused: list[str] = field(default_factory=list)
    """Sentences that came instead of the box of a verdict."""
    asked: Field | None = None
    """The question that stood when the step began."""
    heard: str = ""
    """The bot's last words."""

    @property
    def person(self) -> Person:
        """Whoever acts."""
        return self.sandbox.person(f"U0{self.who.upper()}")

    def officer(self, step: Step) -> Person:
        """Return who plays a reviewer's role in the sandbox; any colleague is the same one."""
        return self.sandbox.person(officers_of(self.workflow.form).get(step.by, COLLEAGUE))

    async def end(self) -> str:
        """Return the transcript, with the records of whoever acted."""
        if self.calls:
            await self.calls.close()
        self.who = PEOPLE[0]
        self.page.form = self._form(await self._draft())
        self.page.ended(await self._records())
        return self.page.text

    async def take(self, n: int, step: Step) -> None:
        """Take one step and look."""
        self.who = step.who
        self.clock.tick()
        if self.model:
            self.model.play(step.model)
        self.page.acted(self._named(step), step)
        self.refused.clear()
        channel, notes = self._channel(), len(self._notes(step))
        try:
            await ACTS[step.act](self, step)
        except LookupError as missing:
            raise Fell(f"step {n}: {missing.args[0]}{self._stood()}") from None
        await settled(self.sandbox, self.bot)
        fresh = self._fresh()
        draft = await self._draft()
        changes, records = await self._changes(draft), await self._records()
        texts, shown = tuple(map(words_of, fresh)), tuple(words_of(m.get("blocks") or m.get("text")) for m in fresh)
        code, answer = self.calls.last if self.calls else (0, {})
        read = tuple(text for ts, text in self._channel().items() if channel.get(ts) != text)
        noted = tuple(self._notes(step)[notes:])
        seen = Observation(self._form(draft), draft, texts, changes, records, shown, code, answer, read, noted)
        self.heard = " ".join(shown)
        if wrong := shortfalls(step.expect, seen):
            raise Fell(f"step {n}: {'; '.join(wrong)}{self._stood()}")
        self.asked = seen.form.fields.get(seen.of_draft("asked", ""))

    def _stood(self) -> str:
        """Return the question that stood and what the bot said last, for the end of a sentence."""
        asked = f". The question was {self.asked.name}: “{self.asked.ask}”" if self.asked else ""
        return asked + (f". The bot said: “{shorten(self.heard, 300, placeholder=' …')}”" if self.heard else "")

    def _fresh(self) -> list[Json]:
        """Return the messages of whoever acts that are new or say something else; everybody's go into the transcript."""
        before, self.screens = self.screens, self.on_screen()
        changed = {key: m for key, m in self.screens.items() if before.get(key) != m}
        fresh = {key: m for key, m in changed.items() if key not in before or words_of(before[key]) != words_of(m)}
        for (place, ts), message in fresh.items():
            self.page.shown(self._heading(place), before.get((place, ts)), message)
            for file in message.get("files") or ():  # documents that are text for people
                kept = self.sandbox.workspace.files.get(file.get("id", ""))
                if kept is not None and kept.name.endswith(".md"):
                    self.page.attached(kept.name, kept.content.decode())
        for key in {*fresh} & {*before}:
            if {block["type"] for block in fresh[key].get("blocks") or ()} == {"context"}:  # what a card said before
                del fresh[key]
        return [m for (place, _), m in fresh.items() if place == self.person.dm and m.get("bot_id")]

    def on_screen(self) -> dict[tuple[str, str], Json]:
        """Return what the bot has posted, by conversation and time; what only one person sees among it."""
        people = [self.sandbox.person(f"U0{name.upper()}") for name in PEOPLE]
        said = {(p.dm, m["ts"]): m for p in people for m in p.messages() if m.get("bot_id")}
        board = {(COMPLIANCE, m["ts"]): m for m in people[0].messages(COMPLIANCE) if m.get("bot_id")}
        private = {(f"{p.dm} {p.id}", m["ts"]): m for p in people for m in p.ephemerals()}
        return {**said, **board, **private}

    def _heading(self, place: str) -> str:
        if place == COMPLIANCE:
            return "In #compliance:"
        dm, _, only = place.partition(" ")
        owner = next(n for n in PEOPLE if self.sandbox.person(f"U0{n.upper()}").dm == dm)
        to = "" if owner == self.who else f" to {owner.title()}"
        return f"Holdfast{to}{' (only visible to them)' if only else ''}:"

    def _named(self, step: Step) -> str:
        if step.by == BY_PERSON:
            return self.who.title()
        return f"{self.officer(step).id.removeprefix('U0').title()}, in #compliance,"

    async def say(self, step: Step) -> None:
        """One line, or several in a row."""
        for line in step.lines or (step.say or "",):
            await self.person.say(line)

    async def click(self, step: Step) -> None:
        """A button of the newest card that has it, of a field's card, or of a colleague's."""
        wanted = step.click or ""
        if step.by != BY_PERSON:
            await self._decide(step, wanted)
        elif step.on and (menu := self._listing(step.on, wanted)):
            await self.person.choose(menu, wanted)
        else:
            await self.person.click(wanted, self._card(step) if step.on else None)

    def _listing(self, field: str, wanted: str) -> str:
        """Return the menu of a field's answers, or its answers beside others' on one card, that has this one; the empty string for none."""
        for _, element in self._clickables():
            press = ids.read_press(element.get("block_id"))
            texts = [option["text"]["text"] for option in element.get("options", ())]
            if press and press.field == field and wanted in texts:
                return str(element["action_id"])
        return ""

    async def _decide(self, step: Step, wanted: str) -> None:
        """A button in the channel of reviewers, and what its box asks for. Raises LookupError where that is not as the step says."""
        who = self.officer(step)
        await who.click(wanted, channel=COMPLIANCE)
        if who.modal and not who.modal.get("submit"):  # a sentence instead of a box
            self.refused.append(words_of(who.modal["blocks"]))
            await who.close()
        elif step.write is not None:
            written = {n: list(v) if isinstance(v, tuple) else [v] if n == FIELDS else v for n, v in step.write.items()}
            await who.submit(values=written)

    async def pick(self, step: Step) -> None:
        """A result by its place."""
        await self.person.click(*self._result(step.pick or 1))

    async def enter(self, step: Step) -> None:
        """The open question's box, filled in."""
        await self.person.click(ids.OPEN_BOX)
        await self.person.submit(values={ids.ENTRY_BLOCK: step.enter})

    async def tick(self, step: Step) -> None:
        """Boxes, and Done."""
        await self.person.choose(ids.TICK, *(step.tick or ()))
        form = self._form(await self._draft())
        await self.person.click(Phrasebook(form.language, form.says).say("done"))

    async def edit(self, step: Step) -> None:
        """Choose answers in the Edit menu of the living card, and fill in the box where one opens."""
        for name, entry in (step.edit or {}).items():
            menu = next((e["action_id"] for _, e in self._clickables() if ids.is_edit_menu(e)), "")
            if not menu:
                raise LookupError("there is no menu to edit an answer")
            try:
                await self.person.choose(menu, name)
            except LookupError:  # a menu in which one searches knows labels alone
                await self.person.choose(menu, self._form(await self._draft()).fields[name].label)
            if entry:
                await self.person.submit(values={ids.ENTRY_BLOCK: self._entered(entry)})

    async def report(self, step: Step) -> None:
        """The box of the report, by the newest button for it."""
        found = next(((e["action_id"], m) for m, e in self._clickables() if ids.REPORT.match(e["action_id"])), None)
        if found is None:
            raise LookupError("there is no button that opens the box of a report")
        await self.person.click(*found)
        await self.person.submit(values=dict(step.report or {}))

    async def send(self, step: Step) -> None:
        """Files of one message."""
        await self.person.share([Upload(name, paper(name, text)) for name, text in (step.send or {}).items()])

    async def chat(self, step: Step) -> None:
        """A call over HTTP."""
        if self.calls and step.chat:
            self.page.answered(*await self.calls.call(self.who, step.chat))

    async def wait(self, step: Step) -> None:
        """Time passes; what was waiting for it comes."""
        self.clock.hours += step.wait or 0

    def _entered(self, entry: str) -> str | list[str]:
        """Return what is written, or the values of the options that read so."""
        modal = self.person.modal
        if modal is None:
            raise LookupError("the answer is not edited in a box")
        element: Json = next(b["element"] for b in modal["blocks"] if b["type"] == "input")
        values: dict[str, str] = {o["text"]["text"]: o["value"] for o in element.get("options", ())}
        if element["type"] in ("checkboxes", "multi_static_select"):
            return [values.get(part.strip(), part.strip()) for part in entry.split(",")]
        return values.get(entry, entry)

    def _card(self, step: Step) -> Json:
        for message in reversed(self.person.messages()):
            presses = [ids.press_of(e) for e in _clickable(message)]
            if any(p and p.field == step.on for p in presses) and (step.click or "") in words_of(message):
                return message
        raise LookupError(f"there is no card of {step.on} with {step.click!r} on it")

    def _result(self, place: int) -> tuple[str, Json]:
        for message in reversed(self.person.messages()):
            picks = [e["action_id"] for e in _clickable(message) if (p := ids.press_of(e)) and p.act == "pick"]
            if len(picks) >= place:
                return picks[place - 1], message
        raise LookupError(f"there is no result {place} to pick")

    def _clickables(self) -> Iterator[tuple[Json, Json]]:
        """Yield what can be clicked, with its message, the newest message first."""
        for message in reversed(self.person.messages()):
            yield from ((message, element) for element in _clickable(message))

    def _channel(self) -> dict[str, str]:
        """Return what is in the channel of reviewers."""
        return {m["ts"]: words_of(m) for m in self.person.messages(COMPLIANCE) if m.get("bot_id")}

    def _notes(self, step: Step) -> list[str]:
        """Return what only the one who clicks reads there."""
        who = self.officer(step)
        return [*(words_of(note) for note in who.ephemerals(COMPLIANCE)), *self.refused]

    async def _draft(self) -> Draft | None:
        current = await self.bot.store.current(Place(TEAM, self.person.dm).key)
        stored = await self.bot.store.draft(current.draft) if current else None
        return decode_draft(stored.body) if stored else None

    def _form(self, draft: Draft | None) -> Form:
        """Return the form in the draft's language."""
        return self.workflow.form_of(draft) if draft else self.workflow.form

    async def _changes(self, draft: Draft | None) -> list[Json]:
        """Return the draft's changes since the step before."""
        events = await self.bot.store.events(draft.id) if draft else []
        changes = [c for e in events for c in e.changes]
        known = self.known.get(draft.id, 0) if draft else 0
        self.known |= {draft.id: len(changes)} if draft else {}
        return changes[known:]

    async def _records(self) -> list[Json]:
        records = await self.bot.store.records_of(person_key(TEAM, self.person.id), self.workflow.form.name)
        return [{"state": r.state, "number": r.number, **r.body} for r in records]


ACTS: Mapping[str, Callable[[Stage, Step], Awaitable[None]]] = {
    "say": Stage.say, "lines": Stage.say, "click": Stage.click, "pick": Stage.pick, "enter": Stage.enter,
    "tick": Stage.tick, "edit": Stage.edit, "send": Stage.send, "chat": Stage.chat, "wait": Stage.wait,
    "report": Stage.report,
}  # fmt: skip
"""The acts of a person, by the step's key."""


async def settled(sandbox: Sandbox, bot: Bot) -> None:
    """Wait until every event is handled and every post is out."""
    await sandbox.until(lambda: not sandbox.under_way)
    await bot.engine.idle()


def _clickable(message: Json) -> list[Json]:
    """Return every element of a message that can be clicked, with its block's id where it has none of its own."""
    found: list[Json] = []
    for block in message.get("blocks") or ():
        inner = [*block.get("elements", ()), *([block["accessory"]] if "accessory" in block else [])]
        found += [{"block_id": block.get("block_id"), **e} for e in inner if "action_id" in e]
    return found


WORDY = (
    "title", "subtitle", "body", "text", "blocks", "elements", "accessory", "fields", "options", "rows", "files", "name",
)  # fmt: skip
"""Keys that hold words in a message, in reading order."""


def words_of(thing: object) -> str:
    """Return every text in a message, in order."""
    if isinstance(thing, dict):
        return "\n".join(filter(None, (words_of(thing[k]) for k in WORDY if k in thing)))
    if isinstance(thing, list):
        return "\n".join(filter(None, map(words_of, thing)))
    return thing if isinstance(thing, str) else ""
