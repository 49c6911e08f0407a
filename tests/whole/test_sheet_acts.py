"""Whatever a person does, in whatever order: one message of their draft is alive, it says what is true, and an act costs little."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from blocks import ids
from bot.sandbox.workspace import Json
from state.draft.draft import Draft
from tests.stored.finishing import clickable, step
from tests.thoroughness import examples
from tests.whole.sheet import alive, cost, faults, joined
from tests.world import EDIT, World, world

OPENINGS = {
    "pa_dealing": ("I'd like to buy 200 Tesco for my pension, about £720", "I want to buy Tesco", "a personal trade"),
    "vehicle_case": ("Quiero homologar los espejos de mi moto", "hola, quiero homologar el escape"),
}
WORDS = {
    "pa_dealing": (
        "actually make it 250", "it is leveraged after all", "it is a derivative after all", "what counts as inside information?",
        "what's missing?", "help", "the weather is fine", "undo", "cancel", "start over", "yes", "no", "1", "EUR 900", "no to everything",
        "good investment", "I did hear something from their CFO", "Barclays",
    ),
    "vehicle_case": (
        "es una moto", "ayuda", "¿qué falta?", "hace buen tiempo", "cancelar", "empezar de nuevo", "deshacer", "sí", "no", "2",
        "de dos lados", "perdón, el escape también",
    ),
}  # fmt: skip
NAMES = count()


class Stage:
    """One world for all examples, with a loop of its own; each example has a person of its own in it."""

    def __init__(self, runner: asyncio.Runner, made: World) -> None:
        self._runner, self._world = runner, made

    def play(self, form: str, numbers: list[int]) -> None:
        """A whole conversation."""
        self._runner.run(whole(joined(self._world, f"N{next(NAMES)}"), form, numbers))


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The stage, taken down after the last example."""
    with asyncio.Runner() as runner:
        made = world(tmp_path_factory.mktemp("sheet"))
        yield Stage(runner, runner.run(made.__aenter__()))
        runner.run(made.__aexit__(None, None, None))


class Hands:
    """A person who does as the numbers say; keeps every message as it once was."""

    def __init__(self, me: World, form: str, number: Callable[[int], int]) -> None:
        self.me, self.form, self.number = me, form, number
        self.before: list[Json] = []

    async def say(self, _draft: Draft) -> int:
        """Something open, or an order."""
        words = WORDS[self.form]
        await self.me.say(words[self.number(len(words))])
        return 1

    async def lead_on(self, draft: Draft) -> int:
        """The plain answer to what is asked, in words, by a click or with a file; what is put back of it is clicked."""
        if not draft.open:
            return 0
        with suppress(LookupError, StopIteration):  # the table of answers knows no word for some places
            await step(self.me, draft)
        return 2

    async def click(self, draft: Draft) -> int:
        """Anything that can be clicked on the living message, but what files."""
        return await self._click(draft, 1)

    async def double(self, draft: Draft) -> int:
        """The same, twice, before anything could change."""
        return await self._click(draft, 2)

    async def _click(self, draft: Draft, times: int) -> int:
        (message,) = alive(self.me, draft) or [None]
        found = (
            [e for e in clickable(message) if e["type"] == "button" and "hf.box" not in e["action_id"]]
            if message
            else []
        )
        if not found:
            return 0
        wanted = found[self.number(len(found))]["action_id"]
        for _ in range(times):
            await self.me.alex.click(wanted, message, stale=True)
        await self.me.settled()
        return times

    async def stale(self, _draft: Draft) -> int:
        """Something on a message as it was a while ago."""
        old = [m for m in self.before if any(e["type"] == "button" for e in clickable(m))]
        if not old:
            return 0
        message = old[self.number(len(old))]
        found = [e for e in clickable(message) if e["type"] == "button" and "hf.box" not in e["action_id"]]
        if not found:
            return 0
        await self.me.alex.click(found[self.number(len(found))]["action_id"], message, stale=True)
        await self.me.settled()
        return 1

    async def edit(self, draft: Draft) -> int:
        """An answer by the Edit menu; its box submitted as it stands or filled in anew, where it has one."""
        menus = [e for m in alive(self.me, draft) for e in clickable(m) if e["action_id"] == EDIT]
        if not menus:
            return 0
        options = menus[-1]["options"]
        await self.me.alex.choose(EDIT, options[self.number(len(options))]["value"])
        if self.me.alex.modal is not None:
            await self._submit(self.me.alex.modal)
        await self.me.settled()
        return 1

    async def _submit(self, modal: Json) -> None:
        element = next(b["element"] for b in modal["blocks"] if b["type"] == "input")
        options = element.get("options", ())
        entries = [o["value"] for o in options] or ["EUR 900", "300", "2026-11-25", "a reason of five good words"]
        entry = entries[self.number(len(entries))]
        many = element["type"] in ("checkboxes", "multi_static_select")
        answer = await self.me.alex.submit(values={ids.ENTRY_BLOCK: [entry] if many else entry})
        if answer.get("errors"):
            await self.me.alex.close()

    async def act(self, which: int) -> None:
        """One act; then the screen must be right, and the act cheap."""
        draft = await self.me.draft()
        self.before = [*self.before, *map(dict, self.me.screen())][-30:]
        since = len(self.me.sandbox.sent)
        name, do = ACTS[which % len(ACTS)]
        times = await do(self, draft)
        # A card that comes too late is painted as such; the second of two clicks may find a card that stays to be read above,
        # and a paint of the first one under way, which is put right behind it. What a busy machine looks up late is painted once more.
        late = {"stale": times, "double": 2, "say": 1, "lead on": 1}.get(name, 0)
        counted = times + (name in ("say", "lead on"))
        spent = cost(self.me, self.me.alex, since)
        assert await faults(self.me) == [], name
        assert spent.posts <= times and spent.counted <= counted and spent.updates <= times + late, (name, spent)


ACTS: tuple[tuple[str, Callable[[Hands, Draft], Awaitable[int]]], ...] = (
    ("lead on", Hands.lead_on), ("say", Hands.say), ("lead on", Hands.lead_on), ("click", Hands.click), ("stale", Hands.stale),
    ("edit", Hands.edit), ("double", Hands.double), ("lead on", Hands.lead_on),
)  # fmt: skip


async def whole(me: World, form: str, numbers: list[int]) -> None:
    """A conversation of as many acts as there are numbers."""
    drawn = iter(numbers)
    hands = Hands(me, form, lambda size: next(drawn, 0) % size)
    openings = OPENINGS[form]
    await me.say(openings[hands.number(len(openings))])
    assert await faults(me) == []
    for which in drawn:
        await hands.act(which)


@pytest.mark.parametrize("form", OPENINGS)
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(numbers=st.lists(st.integers(0, 1000), min_size=8, max_size=30))
@example(numbers=[0, 0, 0, 0, 1, 0, 1, 1])  # words beside a change that waits
@example(numbers=[0, 3, 205, 0, 1, 0, 1, 267])  # the same, that are looked up
@example(numbers=[0, 3, 2, 0, 1, 131, 0, 0])  # a way that was taken below a change that Undo takes back
def test_whatever_is_done_one_message_is_alive(stage: Stage, form: str, numbers: list[int]) -> None:
    """After every settled act one message of the draft can be clicked, it is the one that counts, and the act cost one post and one update."""
    stage.play(form, numbers)
