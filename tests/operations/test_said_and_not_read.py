"""What was said of an operation and not read stops it: ranges, categories and rows, read from what is recorded and never guessed away."""

from pathlib import Path

import pytest

from state.draft.reply import Reply, ToolCall
from state.engine.effects import Operate
from state.fields.base import Context
from state.guards.operations import judge_reply
from state.understanding.operations import faced, read_operations
from tests.operations.test_advance_operating import of, replied, said, workflow
from tests.world import world

FRIDAY = Context("en-GB", "2026-11-20")


def asked(line: str, *calls: ToolCall) -> str:
    """The words that are asked about, by the rules or of a model's calls."""
    draft = said(line)
    reply = Reply(calls=calls) if calls else read_operations(workflow().form, draft, line, "m1", FRIDAY)
    return "".join(saying.words for saying in judge_reply(workflow().form, draft, reply, FRIDAY).said)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("how much have I spent since easter?", "since easter"), ("show last weeks expenses", "last weeks"),
        ("list everything before Friday", "before"), ("list the last 5", "last 5"), ("balance until Tuesday", "until"),
        ("show the expenses of the Leeds trip", "Leeds trip"), ("export all but food", "food"), ("total of the first week", "first week"),
        ("how much did I spend next week", "next week"), ("summary of the second quarter", "second quarter"),
        ("lunch 12 tomorrow", "tomorrow"), ("in 3 days taxi 9 EUR", "in 3 days"),
    ],
)  # fmt: skip
def test_a_parameter_that_is_not_read_is_asked_about(line: str, words: str) -> None:
    """Nothing is told of another range than the one that was said: the very words are quoted."""
    assert asked(line) == words


@pytest.mark.parametrize(
    ("line", "range_"),
    [
        ("how much have I spent since Monday?", "2026-11-16/2026-11-20"), ("show last week's expenses", "2026-11-09/2026-11-15"),
        ("list since 5 April", "2026-04-05/2026-11-20"), ("balance from 1 October to 30 November", "2026-10-01/2026-11-30"),
        ("how much did I spend on Friday", "2026-11-13/2026-11-13"), ("total since October please", "2026-10-01/2026-11-20"),
        ("show me yesterday's expenses", "2026-11-19/2026-11-19"), ("could you list December", "2025-12-01/2025-12-31"),
        ("hi, export last month, thanks", "2026-10-01/2026-10-31"), ("how much was it on the 3rd?", "2026-11-03/2026-11-03"),
    ],
)  # fmt: skip
def test_a_range_lies_behind(line: str, range_: str) -> None:
    """A day by its name or without its year is the last one: what was spent lies behind."""
    (call,) = read_operations(workflow().form, said(line), line, "m1", FRIDAY).calls
    assert (call.arguments or {})["range"] == range_ and asked(line) == ""


def test_a_model_drops_no_range() -> None:
    """What words say in so many words is the range, whatever a model makes of it; what only it understands, it may tell."""

    def range_of(line: str, **given: str) -> object:
        (effect,) = of(replied(said(line), Reply(calls=(ToolCall("1", "get_balance", dict(given)),))), Operate)
        return effect.calls[0].arguments.get("range")

    assert range_of("how much since Monday?") == "2026-11-16/2026-11-20"
    assert range_of("how much since Monday?", range="2026-11-23/2026-11-23") == "2026-11-16/2026-11-20"
    assert range_of("quanto ho speso il mese scorso?") == "2026-10-01/2026-10-31"
    assert range_of("how much since easter?", range="2026-04-05/2026-11-20") == "2026-04-05/2026-11-20"
    assert asked("how much since easter?", ToolCall("1", "get_balance", {})) == "since easter"


async def test_the_answer_to_that_question_is_what_was_asked_for(tmp_path: Path) -> None:
    """Behind "Which days?" a range alone goes on with the balance; a purchase is a purchase."""
    async with world(tmp_path) as w:
        await w.say("/expenses")
        await w.say("how much have I spent since easter?")
        assert "“since easter”" in w.last() and "Which days?" in w.last()
        await w.say("since 5 April")
        assert "No expenses in" in w.last() and "04-05" in w.last()
        await w.say("how much have I spent since easter?")
        await w.say("coffee 3,50")
        assert "Add: coffee" in w.last()


NAMED = (
    "make the train 40", "the train was actually 40", "the train should be 40 euros", "il treno: train era 40", "der train war 40",
    "no wait, the train was 40", "train was 40", "bump the train up to 40", "the train cost 40 EUR today", "el train fue 40",
)  # fmt: skip


@pytest.mark.parametrize("line", NAMED)
async def test_a_row_that_is_named_is_changed_by_a_click_and_nothing_is_added(tmp_path: Path, line: str) -> None:
    """A sentence that holds a recorded name and another sum adds nothing by itself: the row is on a button, and its press changes it."""
    async with world(tmp_path) as w:
        await w.say("/expenses")
        await w.say("train 38 EUR today")
        await w.say(line)
        assert len(await w.bot.store.entries("T0HOLDFAST", "expenses")) == 1
        await w.click("1 · train")
        (entry,) = await w.bot.store.entries("T0HOLDFAST", "expenses")
        assert (entry.body["item"], entry.body["amount"]) == ("train", "40.00")


async def test_of_several_rows_the_person_picks_one(tmp_path: Path) -> None:
    """Each likely row has its button, a yes in words picks none, and a press ends the others."""
    async with world(tmp_path) as w:
        await w.say("/expenses")
        for line in ("taxi 10 EUR yesterday", "taxi 11 EUR today", "tea 2 EUR today"):
            await w.say(line)
        await w.say("change the taxi to 12")
        assert "1 · taxi" in w.last() and "2 · taxi" in w.last() and "tea" not in w.last()
        await w.say("yes")
        await w.click("2 · taxi")
        amounts = {e.number: e.body["amount"] for e in await w.bot.store.entries("T0HOLDFAST", "expenses")}
        assert amounts == {1: "10.00", 2: "12.00", 3: "2.00"}
        await w.say("delete the taxi")
        assert "Delete 1" in w.last() and "Delete 2" in w.last() and "Confirm" not in w.last()


async def test_a_name_that_nothing_has_changes_nothing(tmp_path: Path) -> None:
    """ "Change the bus to 12" is no change of number 12."""
    async with world(tmp_path) as w:
        await w.say("/expenses")
        await w.say("tea 2 EUR today")
        await w.say("change the bus to 1")
        assert "“bus”" in w.last() and "Confirm" not in w.last()


@pytest.mark.parametrize(
    "line", ["make the bus 40 EUR today", "lunch was actually 13 EUR today", "I had the soup for 9 EUR today"]
)
def test_a_sentence_is_never_added_without_a_click(line: str) -> None:
    """What is told as a label is added at once; what reads as a sentence waits, though everything was said."""
    draft = said(line)
    (wanted,) = judge_reply(
        workflow().form, draft, read_operations(workflow().form, draft, line, "m1", FRIDAY), FRIDAY
    ).wanted
    assert wanted.suggested


def test_the_operations_days_lie_on_one_side() -> None:
    """Figures of a line are read beside its days as these are meant: "5 April" is no sum of 5."""
    assert faced(workflow().form, FRIDAY).lies == "behind"
    assert read_operations(workflow().form, said("since 5 April"), "since 5 April", "m1", FRIDAY).calls == ()
