"""The dialogues on a whole bot: sandbox, real SDKs, and a model behind HTTP; one person after another joins and speaks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from blocks import ids
from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import offered as tools_of
from bot.sandbox.models.scripts import tool_results
from bot.sandbox.workspace import Profile
from state.draft.draft import Draft, Offer
from state.form import Form
from state.stores.opener import memory_store
from tests.replay.actor import Actor
from tests.replay.data import folder
from tests.replay.folders import command, write_forms
from tests.replay.outcomes import on_screen
from tests.world import World, world

DAY = datetime(2019, 3, 1, 12, tzinfo=UTC)
"""Every dialogue takes place on this day: the data set counts its "today" and "next Friday" from it."""
KEPT = 40
"""Requests that the model server remembers while many dialogues are played."""


@dataclass
class Whole:
    """See `stages.Stage`."""

    world: World
    actor: Actor
    person: str = "U0ALEX"
    played: int = 0

    def join(self) -> None:
        self.played += 1
        workspace = self.world.sandbox.slack.workspace
        workspace.channels.pop(f"D{self.person}", None)
        workspace.people.pop(self.person, None)
        self.person = f"U{self.played:06d}"
        workspace.add_person(Profile(self.person, f"p{self.played}", f"Person {self.played}"), f"D{self.person}")
        if self.world.model:
            del self.world.model.requests[:-KEPT]

    @property
    def keyboard(self) -> Any:
        """The person at the sandbox."""
        return self.world.sandbox.person(self.person)

    def form(self, name: str) -> Form:
        return self.world.bot.workflows[folder(name)].form

    async def begin(self, form: str) -> None:
        await self.keyboard.command(command(form))
        await self.world.settled()

    async def say(self, words: str) -> None:
        await self.world.say(words, self.keyboard)

    async def accept(self, offer: Offer) -> None:
        draft = await self.draft()
        place = on_screen(self.world.bot.workflows[draft.form].form, draft).index(offer)
        await self._click(ids.action_id("accept", place + 1))

    async def use_all(self) -> None:
        await self._click(ids.action_id("take_all"))

    async def leave_out(self, offer: Offer) -> None:
        await self._click(ids.action_id("leave", offer.field))

    async def change(self) -> None:
        await self.keyboard.click(ids.action_id("change"))
        await self.world.settled()

    async def keep(self) -> None:
        await self.keyboard.click(ids.action_id("keep"))
        await self.world.settled()

    async def edit(self, field: str) -> None:
        await self.keyboard.choose("Edit an answer", field, message=self._card())
        await self.world.settled()

    async def choose(self, label: str) -> None:
        await self._click(label)

    async def submit(self, *, twice: bool = False) -> None:
        card = self._card()
        await self._click("Submit")
        if twice:
            await self.keyboard.click("Submit", card, stale=True)
            await self.world.settled()

    async def draft(self) -> Draft:
        return await self.world.draft(self.keyboard)

    async def filed(self) -> int:
        return len(await self.world.records(self.keyboard))

    async def _click(self, wanted: str) -> None:
        await self.keyboard.click(wanted, self._card())
        await self.world.settled()

    def _card(self) -> dict[str, Any]:
        return self.world.screen(self.keyboard)[-1]


@asynccontextmanager
async def whole(var: Path, actor: Actor, *, model: bool = True) -> AsyncIterator[Whole]:
    """A world with the thirteen forms, on the data set's day; without a model the bot's own rule-based reader answers."""
    began = monotonic()
    store = memory_store(lambda: DAY + timedelta(seconds=monotonic() - began))
    made: list[Whole] = []

    async def script(body: dict[str, Any]) -> Answer:
        return await _answer(made[0], body)

    folders = write_forms(var / "forms")
    async with world(var / "var", script if model else None, {"store": store}, holdfast_workflows=str(folders)) as w:
        made.append(Whole(w, actor))
        yield made[0]


async def _answer(here: Whole, body: dict[str, Any]) -> Answer:
    """What the actor says to one request of the bot."""
    values = {name: value.data for name, value in (await here.draft()).values.items()}
    refused = any("REJECTED" in str(result.get("content", "")) for result in tool_results(body))
    calls, words = here.actor.answer(tools_of(body).__contains__, values, refused=refused)
    made = [call(name, **arguments) for name, arguments in calls]
    return tools(*made, text=words) if made else text(words)
