""" "No to all declarations" through the running bot: with rules, beside a model that takes it for answers, and beside one that is quiet."""

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, call, text, tools
from tests.whole.steps import DECLARATIONS
from tests.world import World, world

BLANKET = "buy 200 Tesco for my pension, £720, no to all declarations"
NOT_UNDERSTOOD = "I could not find the answer in that."


async def check_opening(w: World) -> None:
    """What the sentence says is put back, and no declaration has a value or is put back with it."""
    draft = await w.draft()
    assert not set(DECLARATIONS) & set(draft.values)
    assert not set(DECLARATIONS) & {o.field for o in draft.offers}
    await w.click("Use all of it")
    told = {"quantity": 200, "account": "pension", "value": "720.00"}
    assert told.items() <= (await w.values()).items()


async def test_a_blanket_answer_is_none(plain: World) -> None:
    """Words that deny everything set no declaration: each is asked, and such an answer to one is named as not understood."""
    await plain.say(BLANKET)
    await check_opening(plain)
    await plain.click("Use this")
    for name in DECLARATIONS:
        assert (await plain.draft()).asked == name
        await plain.say("NO TO ALL!")
        assert name not in await plain.values() and NOT_UNDERSTOOD in plain.last()
        await plain.click("No")
    assert {n: d for n, d in (await plain.values()).items() if n in DECLARATIONS} == dict.fromkeys(DECLARATIONS, False)


@pytest.mark.parametrize("quote", ["no to all declarations", "no", BLANKET])
async def test_a_model_that_takes_the_clause_for_answers_is_refused(quote: str, tmp_path: Path) -> None:
    """A model that sets every declaration from the clause is told why not, and nothing is declared."""

    def eager(request: dict[str, Any]) -> Answer:
        told = "REJECTED" in str(request["messages"])
        return text("") if told else tools(call("set_declarations", **dict.fromkeys(DECLARATIONS, False), words=quote))

    async with world(tmp_path, eager) as w:
        await w.say(BLANKET)
        await check_opening(w)
        assert w.model is not None and "REJECTED" in str(w.model.requests)


async def test_a_quiet_model_leaves_the_opening_to_code(tmp_path: Path) -> None:
    """Beside a model that says something and calls for nothing, the opening is put back all the same."""
    async with world(tmp_path, lambda _: text("Thank you.")) as w:
        await w.say(BLANKET)
        await check_opening(w)
