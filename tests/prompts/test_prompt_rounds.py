"""The rounds of a turn's tool loop, sent back."""

import json
from typing import Any

from prompt_cases import DEALING, TODAY, draft_of, system_message, user

from prompts.build import build_request
from prompts.conversation import tool_results
from state.draft.reply import Reply, Round, ToolCall
from state.engine.effects import CallModel

CALL = ToolCall("toolu_1", "set_trade", {"quantity": 200, "words": "200"})
BLOCK = {
    "type": "tool_use",
    "id": "toolu_1",
    "name": "set_trade",
    "input": {"quantity": 200, "words": "200"},
    "caller": "direct",
}
OK = {"status": "ok", "set": ["quantity"]}
REFUSED = {"status": "rejected", "reason": "REJECTED: 'quantity' is locked.", "instructional_hint": "PROCEED: go on."}
DRAFT = draft_of(window=(user("200", "m1"),))


def roles(*rounds: Round) -> list[str]:
    """Roles of the request's messages."""
    return [m["role"] for m in build_request(DEALING, DRAFT, CallModel(1, 2, exchange=rounds), TODAY).messages]


def test_calls_go_back_as_they_came() -> None:
    """The assistant's blocks are sent back exactly as received, with a result for each call."""
    said, answered = tool_results(
        Reply("Fine.", (CALL,), content=({"type": "text", "text": "Fine."}, BLOCK)), {"toolu_1": OK}
    )
    assert said == {"role": "assistant", "content": [{"type": "text", "text": "Fine."}, BLOCK]}
    (result,) = answered["content"]
    assert result["tool_use_id"] == "toolu_1"
    assert json.loads(result["content"]) == OK
    assert " " not in result["content"]


def test_thoughts_do_not_go_back() -> None:
    """A thought that stood before an older draft is left out, and so is whatever block is not words or a call."""
    content: tuple[dict[str, Any], ...] = (
        {"type": "thinking", "thinking": "…", "signature": "s"},
        {"type": "redacted_thinking", "data": "…"},
        {"type": "hologram"},
        BLOCK,
    )
    said, _ = tool_results(Reply("", (CALL,), content=content), {"toolu_1": OK})
    assert said["content"] == [BLOCK]


def test_a_reply_without_blocks_is_built_from_its_calls() -> None:
    """A reply that came in another dialect is sent back as words and calls; broken arguments as none."""
    said, _ = tool_results(Reply("Fine.", (ToolCall("a", "correct", None),)), {"a": REFUSED})
    call = {"type": "tool_use", "id": "a", "name": "correct", "input": {}}
    assert said["content"] == [{"type": "text", "text": "Fine."}, call]


def test_a_refusal_is_marked_as_an_error() -> None:
    """A rejected call's result says so to the API, and gives reason and hint to the model."""
    _, answered = tool_results(Reply("", (CALL,)), {"toolu_1": REFUSED})
    assert answered["content"][0]["is_error"] is True
    assert json.loads(answered["content"][0]["content"]) == REFUSED


def test_a_call_that_nobody_judged_still_has_a_result() -> None:
    """The API wants a result for every call; one without is told as refused."""
    _, answered = tool_results(Reply("", (CALL, ToolCall("b", "correct", {}))), {"toolu_1": OK})
    assert json.loads(answered["content"][1]["content"])["status"] == "rejected"


def test_refused_words_are_not_sent_again() -> None:
    """Of a text that was refused the model hears what was wrong, at the end of the request."""
    flawed = Round(Reply("Is it leveraged?"), flaw="it asks about 'Leveraged product', which is answered already")
    assert roles(flawed) == ["user", "system"]
    told = system_message(build_request(DEALING, DRAFT, CallModel(1, 2, exchange=(flawed,)), TODAY))
    assert told.endswith(
        "[FLAW]\nYour last words were not shown: it asks about 'Leveraged product', which is answered already. "
        "Mend that."
    )


def test_an_older_flaw_is_forgotten() -> None:
    """Only what was wrong with the newest words is told."""
    rounds = (Round(Reply("Submitted!"), flaw="it claims a submission"), Round(Reply("", (CALL,)), {"toolu_1": OK}))
    assert roles(*rounds) == ["user", "assistant", "user", "system"]
    assert "[FLAW]" not in system_message(build_request(DEALING, DRAFT, CallModel(1, 3, exchange=rounds), TODAY))


def test_long_loops_lose_their_oldest_rounds() -> None:
    """A loop that would outgrow the budget keeps its newest rounds: what the older ones did stands in the draft."""
    rounds = tuple(Round(Reply("y" * 2000, (ToolCall(f"c{i}", "correct", {}),)), {f"c{i}": REFUSED}) for i in range(6))
    messages = build_request(DEALING, DRAFT, CallModel(1, 7, exchange=rounds), TODAY).messages
    sent = [
        block["id"]
        for m in messages
        if m["role"] == "assistant"
        for block in m["content"]
        if block["type"] == "tool_use"
    ]
    assert sent == ["c5"]
