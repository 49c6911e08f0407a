"""Those who play a conversation in a simulated world, and what they see after each act."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from types import SimpleNamespace

from blocks.phrases import NAME, catalogue
from bot.root.installation import HERE
from bot.sandbox.people import Person
from bot.sandbox.scenarios.player import ACTS, Stage, words_of
from bot.sandbox.workspace import ActError, Profile
from state.stores.store import Store
from state.stores.vault import Vault
from state.workflow.load import Workflow
from state.workflow.scenario import PERSON, Scenario, Step, read_scenario
from tests.chaos.fabric import KEY, World, free, workflows
from tests.chaos.replicas import Ways

PATIENCE, QUIET, LATE = 600.0, 8.0, 22.0
"""Seconds that a step may take; in which nothing more happens where all has come to rest; and after which nobody comes to it who stood still."""
TO_READ, TRIES = 1.6, 40
"""Seconds in which a person reads before they act; and how often they act again where they are told that it did not count."""
OFFICERS = "#compliance"
"""The one place in which all verdicts are given."""
UNREAD = ("not_understood", "line_not_understood")
"""The phrases that say so."""
WORDING = re.compile(r"_[a-d]$")
"""How the key of a phrase ends that is said in several ways, one after the other."""
VARYING = re.compile(r"\b[A-Z]{2,4}-\d{4}-\d{6}\b|\b\d{1,2}:\d{2}\b(?: UTC\b)?|<!date\^[^>]*>")
"""Numbers of records and times of day, which depend on who was first; and the words of a value, which may be offered and taken by a click."""


@dataclass(frozen=True)
class Script:
    """A conversation of a workflow's scenarios, by name ("gifts/plain")."""

    name: str

    @property
    def workflow(self) -> Workflow:
        """Return the workflow that it is about."""
        return workflows()[self.name.partition("/")[0]]

    @property
    def scenario(self) -> Scenario:
        """Return its steps."""
        return _scenario(self.name)

    @property
    def said(self) -> set[str]:
        """Return the person's words, and that a reviewer acts."""
        steps = self.scenario.steps
        return {step.say for step in steps if step.say} | {OFFICERS for step in steps if step.by != PERSON}


@cache
def _wordings(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    form = workflows()[name].form
    said = {**catalogue(form.language), **form.says}
    several = {key: key[:-2] for key in said if WORDING.search(key) and f"{key[:-1]}b" in said}
    made = {key: list(map(re.escape, NAME.split(said[key])[::2])) for key in several}
    told = (
        (key, f"<{phrase}>" + "".join(rf" \{n}" for n in range(1, len(made[key])))) for key, phrase in several.items()
    )
    return tuple((re.compile(f"(?m)^{'(.+)'.join(made[key])}$"), phrase) for key, phrase in told)


@lru_cache(4096)
def _steady(name: str, text: str) -> str:
    """A screen is looked at many times before it changes."""
    for wording, phrase in _wordings(name):
        text = wording.sub(phrase, text)
    return VARYING.sub("…", re.sub(r"(?m) (?:“[^”\n]*”|„[^“\n]*“|«[^»\n]*»)$", "", text))


@cache
def _scenario(name: str) -> Scenario:
    """Read a scenario; a form that asks nothing is begun by its command, since several forms are there."""
    folder, _, file = name.partition("/")
    form = workflows()[folder].form
    read = read_scenario(HERE / folder / "scenarios" / f"{file}.toml", form)
    begin = [read.steps[0].model_copy(update={"say": form.command})] if form.conversational else []
    return read.model_copy(update={"steps": [*begin, *read.steps]})


class Seat(Stage):
    """Somebody who plays a script in the world, at their own pace, and looks at the screen after each act."""

    def __init__(self, world: World, n: int, script: Script) -> None:
        people, name = world.sandbox.workspace, f"U0SEAT{n}"
        people.add_person(
            Profile(name, f"seat.{n}", f"Sam Seat{n}", locale=script.scenario.language or "en-GB"), f"D0SEAT{n}"
        )
        self.me, self.world, self.script, self.n = world.sandbox.person(name).hasty(), world, script, n
        store = Store(Ways(world.home.disk, free), Vault(KEY))
        super().__init__(world.sandbox, SimpleNamespace(store=store), script.workflow, None, None, None)
        self.screens: list[list[str]] = []
        self._looked, self._seen = -1, list[str]()

    @property
    def person(self) -> Person:
        """Whoever has the seat, and no other."""
        return self.me

    def officer(self, step: Step) -> Person:
        """Whoever holds the role, who reads before they act."""
        return super().officer(step).hasty()

    def screen(self) -> list[str]:
        """Return what the bot says last on their screen: what is above may tell how the faults were got over."""
        newest = self.sandbox.slack.changes.last
        if self._looked != newest:
            shown = [m for m in self.me.messages() if m.get("bot_id")][-1:]
            self._looked, self._seen = newest, [self._said(words_of(m.get("blocks") or m.get("text"))) for m in shown]
        return self._seen

    def _said(self, text: str) -> str:
        """Return what varies as a dot, and a line that may be worded in several ways as the one phrase that it is."""
        return _steady(self.script.workflow.form.name, text)

    async def play(self, expected: Sequence[Sequence[str]]) -> list[str]:
        """Take every step. Return what came out otherwise than `expected`; without that, learn what comes out."""
        for n, step in enumerate(self.script.scenario.steps):
            await asyncio.sleep(TO_READ + self.world.rng.random() * 2.4 * bool(expected))
            if wrong := await self._take(step, expected[n] if expected else None):
                return [f"{self.script.name}, step {n + 1}: {wrong}"]
            self.screens.append(self.screen())
        return []

    async def _take(self, step: Step, wanted: Sequence[str] | None) -> str:
        """Act and look; again where nothing has come of it, and Slack says that the app did not take it, or the bot does, to whoever acted
        alone, or they acted on a screen that had changed since they looked.
        """
        wrong = ""
        for _ in range(TRIES):
            told, failed, changed = self._told(step), False, [self.screen()] != (self.screens[-1:] or [self.screen()])
            lost = len(self.sandbox.slack.delivery.failed)
            try:
                await ACTS[step.act](self, step)
            except ActError:
                failed = True
            except LookupError as missing:  # a reviewer's card comes when it comes
                wrong = str(missing.args[0])
                if wanted is None:
                    raise
                await self._see(None)
                continue
            wrong = await self._see(wanted, LATE if failed else QUIET)
            if wrong and step.act == "say" and await self._accepted(wanted, step.say or ""):
                return ""  # the same answer, acknowledged as a click is
            if not wrong:
                break
            waits = step.by != PERSON or self._says(*UNREAD)  # a verdict that nobody took, words that nobody understood
            lost -= len(self.sandbox.slack.delivery.failed)  # what Slack has given up meanwhile
            if not (failed or changed or waits or lost or self._told(step) > told):
                break
        return wrong

    async def _accepted(self, wanted: Sequence[str] | None, said: str) -> bool:
        """Click on what was put back, again where Slack says that nobody took the click. Return False where nothing was, and it is not taken."""
        for n in range(TRIES):
            if not (offered := self._offered(said)):
                return n > 0 or self.screen() == wanted
            with suppress(ActError):
                await self.me.click(offered)
                await self._see(wanted)
                return True
            await self._see(None)
        return False

    def _told(self, step: Step) -> int:
        """Return how often the bot told whoever acts something that nobody else reads, or gave it up and has an operator see it."""
        return len(self.me.ephemerals()) + len(self._notes(step)) + self.world.home.disk.given_up("whisper")

    def _says(self, *keys: str) -> bool:
        """Return True if one of these phrases is in what the bot says last."""
        form = self.script.workflow.form
        said = {**catalogue(form.language), **form.says}
        told = [self._said(part) for key in keys for part in NAME.split(said[key])[::2] if len(part) > 1]
        return any(part in shown for part in told for shown in self.screen())

    def _offered(self, said: str) -> str:
        """Return the button that takes what was typed or reads so, where the bot cannot be sure which card it answers and so asks."""
        newest = next(self._clickables(), None)
        labels = (
            e["text"]["text"]
            for m, e in self._clickables()
            if newest and m["ts"] == newest[0]["ts"] and e["type"] == "button"
        )
        whole = catalogue(self.script.workflow.form.language)["words_use"]
        same = said.casefold() if self._says("press_one") else None
        return next((o for o in labels if o.startswith("✓") or o == whole or o.casefold() == same), "")

    async def _see(self, wanted: Sequence[str] | None, rest: float = QUIET) -> str:
        """Wait for what is expected, or until nothing has happened for so many seconds."""
        until, quiet = self.world.loop.now + PATIENCE, 0
        while self.world.loop.now < until and quiet < rest:
            same = self.screens[-1:] == [wanted] and self.world.busy  # the answer may be the one before it still
            if wanted is not None and self.screen() == wanted and not same:
                return ""
            coming = self.sandbox.slack.changes.next()
            quiet = 0 if self.world.busy else quiet + 1
            with suppress(TimeoutError):
                await asyncio.wait_for(coming.wait(), 1)
        if wanted is None:
            return ""
        return differs(wanted, self.screen())


def differs(wanted: Sequence[str], seen: Sequence[str]) -> str:
    """Return the first difference of two screens in a line."""
    if wanted == seen:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(wanted, seen, strict=False)) if a != b), min(len(wanted), len(seen)))
    told = [repr("\n".join(side[at : at + 1])) for side in (wanted, seen)]
    return f"message {at + 1} of {len(wanted)} should be {told[0]} and is {told[1]} ({len(seen)} messages)"
