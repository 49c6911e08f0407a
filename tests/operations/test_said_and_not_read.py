"""What was said of an operation and not read stops it: ranges, categories and rows, read from what is recorded and never guessed away."""

from pathlib import Path

import pytest

from state.draft.reply import Reply, ToolCall
from state.engine.effects import Operate
from state.fields.base import Context
from state.guards.operations import judge_reply
from tests.operations.test_advance_operating import of, replied, said, workflow
from tests.world import World, world

FRIDAY = Context("en-GB", "2026-11-20")


def asked(line: str, *calls: ToolCall) -> str:
    """The words of a line that a model's calls leave to be asked about."""
    verdict = judge_reply(workflow().form, said(line), Reply(calls=calls), FRIDAY)
    return "".join(saying.words for saying in verdict.said)


def range_of(line: str, **given: str) -> object:
    """The range of which a balance is told that a model calls for."""
    (effect,) = of(replied(said(line), Reply(calls=(ToolCall("1", "get_balance", dict(given)),))), Operate)
    return effect.calls[0].arguments.get("range")


def test_a_model_drops_no_range() -> None:
    """What words say in so many words is the range, whatever a model makes of it; what only it understands, it may tell."""
    assert range_of("how much since Monday?") == "2026-11-16/2026-11-20"
    assert range_of("how much since Monday?", range="2026-11-23/2026-11-23") == "2026-11-16/2026-11-20"
    assert range_of("quanto ho speso il mese scorso?") == "2026-10-01/2026-10-31"
    assert range_of("how much since easter?", range="2026-04-05/2026-11-20") == "2026-04-05/2026-11-20"


@pytest.mark.parametrize(("line", "tool", "given", "words"), [
    ("how much since easter?", "get_balance", {}, "since easter"), ("list food since easter", "list_expenses", {"category": "food"}, "since easter"),
    ("show last weeks expenses", "list_expenses", {}, "last weeks"), ("list the last 5", "list_expenses", {}, "last 5"),
    ("how much this month, roughly?", "get_balance", {"range": "2026-11"}, ""), ("so how are we doing", "get_balance", {}, ""),
])  # fmt: skip
def test_words_beside_an_operations_own_stop_a_model_that_left_something_open(
    line: str, tool: str, given: dict[str, str], words: str
) -> None:
    """Beside "how much", or where a figure is among them, words that nothing explains are asked about; else the model understood them."""
    assert asked(line, ToolCall("1", tool, dict(given))) == words


async def begun(w: World, *lines: str) -> None:
    """The conversation about expenses is open, and these lines are recorded."""
    await w.say("/expenses")
    for line in lines:
        await w.say(line)
        await w.click("Confirm")


async def test_the_answer_to_that_question_is_what_was_asked_for(tmp_path: Path) -> None:
    """Behind "Which days?" a range alone goes on with the balance; a purchase is a purchase."""
    async with world(tmp_path) as w:
        await begun(w)
        await w.say("how much have I spent since easter?")
        assert "“since easter”" in w.last() and "Which days?" in w.last()
        await w.say("since 5 April")
        assert "No expenses for 5 Apr" in w.last()
        await w.say("how much have I spent since easter?")
        await w.say("coffee 3,50")
        assert "Add: coffee" in w.last()


@pytest.mark.parametrize(("lines", "card"), [
    (("3.50", "coffee"), "Add: coffee · EUR 3.50"), (("bread x2 at 12", "24"), "Add: bread x2 at 12 · EUR 24.00"),
    (("dinner 60 or 70 quid", "65"), "Add: dinner 60 or 70 quid"),
])  # fmt: skip
async def test_the_answer_to_what_an_addition_lacks_completes_it(
    tmp_path: Path, lines: tuple[str, ...], card: str
) -> None:
    """What it was for, or how much it was: the two lines are one thing, in the person's own words, and nothing is asked again."""
    async with world(tmp_path) as w:
        await begun(w, *())
        for line in lines:
            await w.say(line)
        assert card in w.last() and "Please confirm" in w.last()


@pytest.mark.parametrize("answer", ["1", "the tea", "number 1 please"])
async def test_which_row_is_meant_is_answered_by_its_number_or_its_name(tmp_path: Path, answer: str) -> None:
    """Behind "Which one?" either names the row of what was asked for, as "that" does what was done just now; a purchase names none."""
    async with world(tmp_path) as w:
        await begun(w, "tea 2 EUR today")
        await w.say("change it to 3")
        assert "Change 1: tea · EUR 2.00" in w.last()
        await w.say("delete")
        assert "Which one?" in w.last()
        await w.say(answer)
        assert "Delete 1: tea" in w.last() and "Confirm" in w.last()
        await w.say("delete")
        await w.say("tea 2.40")
        assert "Add: tea · EUR 2.40" in w.last()


async def test_of_several_rows_the_person_picks_one(tmp_path: Path) -> None:
    """Each likely row has its button, a yes in words picks none, and a press ends the others; one that is named alone gets its card."""
    async with world(tmp_path) as w:
        await begun(w, "taxi 10 EUR yesterday", "taxi 11 EUR today", "tea 2 EUR today")
        await w.say("change the taxi to 12")
        assert "1 · taxi" in w.last() and "2 · taxi" in w.last() and "tea" not in w.last()
        await w.say("yes")
        await w.click("2 · taxi")
        amounts = {e.number: e.body["amount"] for e in await w.bot.store.entries("T0HOLDFAST", "expenses")}
        assert amounts == {1: "10.00", 2: "12.00", 3: "2.00"}
        await w.say("delete the taxi")
        assert "Delete 1" in w.last() and "Delete 2" in w.last() and "Confirm" not in w.last()
        await w.say("delete the tea")
        assert "Delete 3" in w.last() and "Confirm" in w.last()


async def test_a_name_that_nothing_has_changes_nothing(tmp_path: Path) -> None:
    """ "Change the bus to 12" is no change of number 12."""
    async with world(tmp_path) as w:
        await begun(w, "tea 2 EUR today")
        await w.say("change the bus to 1")
        assert "“bus”" in w.last() and "Confirm" not in w.last()
