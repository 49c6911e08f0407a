""" "No to all declarations" through the running bot: with rules, beside a model that takes it for answers, and beside one that is quiet."""

from pathlib import Path
from typing import Any

import pytest

from bot.model.answers import Answer, call, text, tools
from tests.whole.steps import DECLARATIONS
from tests.world import World, world

OPENING = "buy 200 Tesco for my pension, £720, no to all declarations"
SAID = "“no to all declarations”: each of these counts by itself, so I ask them one at a time."


async def check_opening(w: World) -> None:
    """The sentence is read for what it says, its last clause is named, and no declaration has a value."""
    values = await w.values()
    assert {"quantity": 200, "account": "pension", "value": "720.00"}.items() <= values.items()
    assert not set(DECLARATIONS) & set(values)
    assert not [o for o in (await w.draft()).offers if o.said]
    assert w.transcript().count(SAID) == 1


async def test_rules_answer_the_last_clause_of_the_opening(plain: World) -> None:
    """Without a model, the clause that denies everything is answered with a sentence, and every declaration is asked."""
    await plain.say(OPENING)
    await check_opening(plain)
    await plain.click("Use this")
    for name in DECLARATIONS:
        assert (await plain.draft()).asked == name
        await plain.say("NO TO ALL!")
        assert name not in await plain.values()
        await plain.click("No")
    assert {n: d for n, d in (await plain.values()).items() if n in DECLARATIONS} == dict.fromkeys(DECLARATIONS, False)


@pytest.mark.parametrize("quote", ["no to all declarations", "no", OPENING])
async def test_a_model_that_takes_the_clause_for_answers_is_refused(quote: str, tmp_path: Path) -> None:
    """A model that sets every declaration from the clause is told why not, and the person reads the sentence once."""

    def eager(request: dict[str, Any]) -> Answer:
        told = "REJECTED" in str(request["messages"])
        return text("") if told else tools(call("set_declarations", **dict.fromkeys(DECLARATIONS, False), words=quote))

    async with world(tmp_path, eager) as w:
        await w.say(OPENING)
        await check_opening(w)
        assert w.model is not None and "REJECTED" in str(w.model.requests)


async def test_a_quiet_model_leaves_the_clause_to_code(tmp_path: Path) -> None:
    """Beside a model that says something and calls for nothing, the clause is answered all the same."""
    async with world(tmp_path, lambda _: text("Thank you.")) as w:
        await w.say(OPENING)
        await check_opening(w)
