"""Tool calls in the log of a running bot, and the setting about finalising twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import by_newest_message
from state.draft.draft import Status
from tests.whole.steps import declare, file_request, open_request, own_form, play
from tests.world import World, shown, world


def finalises_on_thanks(request: dict[str, Any]) -> Answer:
    """A model that tries to file once more whenever it is thanked."""
    seen = json.dumps(request["messages"])
    return tools(call("finalize")) if "thanks" in seen and "tool_result" not in seen else text("You're welcome.")


async def logged(w: World) -> list[tuple[str, str, str, bool]]:
    """Tool, status, reason, idempotent of the finalising calls, oldest first."""
    calls = await w.bot.store.tool_calls((await w.draft()).id)
    return [(c.tool, c.status, c.reason, c.idempotent) for c in calls if c.finalizes]


@pytest.mark.parametrize(
    ("friendly", "expected"),
    [(True, ("finalize", "success", "", True)), (False, ("finalize", "rejected", "filed", False))],
)
async def test_finalising_again_on_a_thank_you_files_nothing(
    friendly: bool, expected: tuple[str, str, str, bool], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A model that files again when it is thanked is told so, kindly or not; one record stands, and the log says idempotent."""
    async with world(tmp_path, finalises_on_thanks, finalize_idempotency=friendly) as w:
        await file_request(w)
        before = (await w.draft()).hash
        await w.say("thanks")
        assert len(await w.records()) == 1
        assert ((await w.draft()).status, (await w.draft()).hash) == (Status.SUBMITTED, before)
        assert (await logged(w))[0] == expected
    lines = capfd.readouterr()
    assert ("idempotent=True" in _plain(lines.out + lines.err)) is friendly


def _plain(written: str) -> str:
    """Log lines without their colours."""
    return written.replace("\x1b[36m", "").replace("\x1b[35m", "").replace("\x1b[0m", "")


async def test_what_the_reader_did_is_in_the_log_with_its_words_sealed(w: World) -> None:
    """Without a model the rule-based reader's calls are logged: tool, result and the words it rested on."""
    await w.say("I'd like to buy 200 Tesco")
    calls = await w.bot.store.tool_calls((await w.draft()).id)
    trade = next(c for c in calls if c.tool == "set_trade")
    assert (trade.reader, trade.status, trade.tenant, trade.form) == ("rules", "put_back", "T0HOLDFAST", "pa_dealing")
    assert trade.body["arguments"]["given"] == {"direction": "buy", "words": "buy"}
    assert trade.body["result"]["status"] == "put_back"


CASE = """
name = "case"
title = "Case"
version = "1"
prefix = "CAS"
words = ["case"]
stuck = "hand_over"

[fields.size]
kind = "integer"
label = "Size"
ask = "Which size?"

[fields.colour]
kind = "choice"
label = "Colour"
ask = "Which colour?"
choices = ["red", "blue"]
"""


async def test_a_loop_that_hands_over_is_counted(tmp_path: Path) -> None:
    """A model that makes the same call three times is stopped, a person takes over, and the report counts one loop today."""
    loop = tools(call("set_size", size=9, words="nothing of this"))
    async with world(tmp_path / "var", lambda _: loop, holdfast_workflows=own_form(tmp_path, "case", CASE)) as w:
        await play(w, "I have a case for you to look at", "it is rather complicated to tell")
        (figures,), today = await w.bot.store.figures(), (await w.bot.store.now()).date().isoformat()
        assert figures.loops == {today: 1} and figures.looped.first[0].name == (await w.draft()).id
        assert figures.by_reason["grounding"] >= 3 and figures.by_tool["set_size"] >= 3
        assert any("talk" in shown(m) for m in w.alex.messages("C0COMPLIANCE"))


async def test_an_operation_that_fails_is_an_error_of_the_tool(w: World) -> None:
    """What an operation refuses counts as an error of the tool in the report."""
    await w.alex.command("/expenses", "delete 999")
    await w.settled()
    (figures,) = await w.bot.store.figures()
    assert (figures.form, figures.errors) == ("expenses", 1)


OVERWRITES = by_newest_message(
    {"leveraged product: no": tools(call("set_declarations", is_leveraged=True, words="No"))}, otherwise=text("")
)


async def test_a_refused_call_stands_beside_the_draft_that_it_left_alone(tmp_path: Path) -> None:
    """The page's panel shows what a model wanted and why it was refused, with the event in which it was, and the answer as it is."""
    async with world(tmp_path, OVERWRITES) as w:
        await open_request(w)
        await declare(w, upto="has_inside_info")
        seen = await w.bot.inspector.inspect("U0ALEX", w.alex.dm, None)
    assert seen is not None
    (refused,) = [e for e in seen["events"] if e["kind"] == "REJECTED"]
    assert refused["summary"].startswith(
        "set_declarations(is_leveraged: True, words: No) → REJECTED: 'is_leveraged' is locked"
    )
    (leverage,) = [f for f in seen["draft"]["fields"] if f["name"] == "is_leveraged"]
    assert (leverage["value"], leverage["locked"], leverage["how"]) == ("No", True, "clicked")
