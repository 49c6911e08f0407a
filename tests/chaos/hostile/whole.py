"""The same people beside the same models, through the whole bot: its queue, its database, Slack's SDK and a model behind HTTP."""

import random
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from blocks import ids
from bot.sandbox.models.answers import Answer, Slow, text
from bot.sandbox.models.scripts import Body
from bot.sandbox.scenarios.staging import paper
from bot.sandbox.talk import Upload
from state.draft.draft import Draft, Status
from state.stores.opener import memory_store
from tests.chaos.hostile.desk import AT, OFFICER, Desk, Late, Step
from tests.chaos.hostile.judging import untrue
from tests.chaos.hostile.models import Model
from tests.chaos.hostile.people import Person, Someone
from tests.chaos.invariants import broken_in
from tests.stored.finishing import DECIDERS, clickable, press
from tests.world import World, world


class Door(Desk):
    """What a person sees and does in Slack; see `Desk`."""

    def __init__(self, here: World, someone: Someone) -> None:
        self.here, self.workflow, self.steps, self.filed = here, someone.workflow, list[Step](), 0
        self.draft = Draft("", "", "", "", "")

    async def start(self) -> None:
        """Begin the form by its command."""
        await self.here.alex.command(self.workflow.form.command)
        await self.rest()

    async def say(self, text: str, names: tuple[str, ...] = ()) -> None:
        """Send a message, with files of these names."""
        if names:
            await self.here.alex.share([Upload(name, paper(name, "")) for name in names], text)
        else:
            await self.here.alex.say(text)

    async def press(self, made: ids.Press, label: str, who: str = "") -> None:
        """Click what carries this press; a box is a line of words here."""
        if who == OFFICER:
            await press(self.here, "hand_back", self.draft.id, DECIDERS)
        elif made.act == "enter":
            await self.say(str(made.value))
        else:
            message, action = next((m, e["action_id"]) for m, e, p in self._live() if p == made)
            await self.here.alex.click(action, message)

    def presses(self) -> Iterator[tuple[str, ids.Press]]:
        """Every button on screen with its words, the newest message's first."""
        return ((str((e.get("text") or {}).get("text", "")), p) for _, e, p in self._live())

    def _live(self) -> Iterator[tuple[Any, Any, ids.Press]]:
        for message in reversed(self.here.screen()):
            for element in clickable(message):
                made = ids.press_of(element) if element["type"] == "button" else None
                if made is not None and made.draft == self.draft.id:
                    yield message, element, made

    async def rest(self) -> None:
        """Wait until everything is handled and posted."""
        await self.here.settled()
        self.draft = await self.here.draft()
        self.form = self.workflow.form_of(self.draft)
        self.filed = int(self.draft.status is Status.SUBMITTED)


async def through_the_door(someone: Someone, kind: str, seed: int) -> tuple[int, list[str]]:
    """Play one conversation; return how many turns the model had, and what was wrong."""
    model = Model(kind, random.Random(f"{kind} {seed}"))

    def script(body: Body) -> Answer:
        try:
            return model(body)
        except Late:
            return Slow(0.1, text("All right."))

    began = monotonic()
    store = memory_store(lambda: datetime.fromisoformat(AT) + timedelta(seconds=monotonic() - began))
    with tempfile.TemporaryDirectory() as var:
        async with world(Path(var), script, {"only": someone.workflow.form.name, "store": store}) as here:
            person = Person(someone, Door(here, someone), seed)
            model.person = person
            why = await person.run()
            records = await here.records()
            wrong = [
                f"invariant 2: {name} holds {held['data']!r}, which nobody said"
                for record in records
                for name, held in record.body["values"].items()
                if not someone.means(name, _data(held["data"])) and not _by_rule(here, person, name)
            ]
            wrong += [f"invariant 5: {len(records)} records"] if len(records) != 1 else []
            wrong += [*untrue(here.transcript()), *await broken_in(store, here.sandbox)]
            return len(here.model.requests) if here.model else 0, [*filter(None, (why,)), *wrong]


def _data(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


def _by_rule(_here: World, person: Person, name: str) -> bool:
    value = person.desk.draft.values.get(name)
    return value is not None and value.provenance.how == "rule"
