"""Whatever the model does, the draft is right, the person sees the right question, and one record stands at the end."""

import random
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, broken_json, call, text, tools
from bot.sandbox.models.hostile import hostile
from tests.whole.steps import FILED, file_request, open_request
from tests.world import world

MISDEEDS: dict[str, Any] = {
    "asks again": lambda _: text("How many shares do you want to buy? And what is your account?"),
    "overwrites": lambda _: tools(
        call("set_trade", direction="sell", quantity=9, value="1", currency="USD", account="x", words="9")
    ),
    "invents": lambda _: tools(
        call("set_justification", justification="I want it all for my cousin's firm", words="I want it all")
    ),
    "calls unknown tools": lambda _: tools(call("approve_request", number=1), call("unlock", field="quantity")),
    "sends broken JSON": lambda _: broken_json("set_trade"),
    "loops": lambda _: tools(call("set_quantity", quantity=12000, words="2,000 units")),
    "claims it submitted": lambda _: text("All done. I have submitted your request and it was approved."),
    "answers in fifty blocks": lambda _: text(*["I am thinking about it."] * 50),
    "speaks of tools": lambda _: text("I will call set_justification with JSON {}."),
    "submits": lambda _: tools(call("submit"), call("finalize", confirm=True)),
    "discloses": lambda _: tools(call("disclose", field="has_inside_info", words="No")),
    "hands over": lambda _: tools(call("hand_over", reason="I want a rest")),
}


@pytest.mark.parametrize("name", MISDEEDS)
async def test_a_misbehaving_model_changes_nothing(name: str, tmp_path: Path) -> None:
    """A request made beside a model that misbehaves all along is the request that the person made."""
    async with world(tmp_path, MISDEEDS[name]) as w:
        await file_request(w)
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert w.model is not None and len(w.model.requests) > 5


@pytest.mark.parametrize("seed", range(4))
async def test_a_model_that_does_everything_wrong_at_random(seed: int, tmp_path: Path) -> None:
    """Random misdeeds, request after request, still end in the one right record."""
    async with world(tmp_path, hostile(random.Random(seed))) as w:
        await file_request(w)
        (record,) = await w.records()
        values = {n: v["data"] for n, v in record.body["values"].items()}
        assert values == FILED


async def test_a_loop_ends_after_the_same_call_three_times(tmp_path: Path) -> None:
    """The same call three times ends the turn's loop; the person sees the written question."""

    def model(_: dict[str, Any]) -> Answer:
        return tools(
            call("set_justification", justification="made up out of thin air entirely", words="nothing of this")
        )

    async with world(tmp_path, model) as w:
        await open_request(w)
        assert w.model is not None
        before = len(w.model.requests)
        await w.say("what a fine day")
        assert len(w.model.requests) - before == 3
        assert (await w.draft()).asked == "is_derivative"
        assert "derivative" in w.last().casefold()


async def test_at_most_eight_model_calls_a_turn(tmp_path: Path) -> None:
    """A model that never comes to an end is asked eight times and no more."""
    counter = iter(range(1000))

    def model(_: dict[str, Any]) -> Answer:
        return tools(call("set_justification", justification=f"made up {next(counter)} times", words="nothing of this"))

    async with world(tmp_path, model) as w:
        await open_request(w)
        assert w.model is not None
        before = len(w.model.requests)
        await w.say("what a fine day")
        assert len(w.model.requests) - before == 8
