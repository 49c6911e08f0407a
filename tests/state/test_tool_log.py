"""What `advance` says of the calls that it judged, and what the setting about finalising changes."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import Outcome, advance
from state.draft.draft import Draft, Status, with_record
from state.draft.reply import Reply, ToolCall
from state.engine.context import Policy
from state.engine.events import MessageReceived, ModelReplied
from tests.state.forms import AT, FORM, OWNER, RULES, new_draft


def after(draft: Draft, *calls: ToolCall, turn: int | None = None, policy: Policy | None = None) -> Outcome:
    """A model's reply with these calls, judged."""
    event = ModelReplied(
        "e9", AT, "model", Reply(calls=calls), draft.turn if turn is None else turn, reader="some-model"
    )
    return advance(FORM, RULES, draft, event, policy=policy or Policy())


def heard(text: str) -> Draft:
    """A draft whose owner has just said this."""
    return advance(FORM, RULES, new_draft(), MessageReceived("e1", AT, OWNER, text, "1.0")).draft


def filed() -> Draft:
    """A draft that is submitted."""
    return with_record(replace(new_draft(), status=Status.SUBMITTED), number="SM-2026-000001")


def call(tool: str, **arguments: Any) -> ToolCall:
    """A call."""
    return ToolCall(f"c-{tool}", tool, arguments)


def test_every_call_of_a_reply_is_logged_with_what_it_came_to() -> None:
    """A call that counts and one that is refused are both logged, with reader, turn, step and the refusal's code."""
    draft = heard("200 shares")
    outcome = after(
        draft, call("set_trade", quantity=200, words="200 shares"), call("set_trade", quantity=9, words="9")
    )
    good, bad = [c for c in outcome.calls if c.reader == "some-model"]
    assert (good.tool, good.status, good.reason, good.step, good.turn) == ("set_trade", "ok", "", 1, draft.turn)
    assert (bad.status, bad.reason) == ("rejected", "filled")
    assert bad.arguments["given"] == {"quantity": 9, "words": "9"} and bad.result["reason"].startswith("REJECTED")


def test_calls_of_the_rule_based_reader_are_marked() -> None:
    """What the rule-based reader proposes beside a model is logged under its own name."""
    outcome = after(heard("buy 200 of it"))
    assert {c.reader for c in outcome.calls} == {"rules"}


def test_calls_of_a_late_reply_are_logged_and_not_looked_at() -> None:
    """A reply to an earlier turn changes nothing, and its calls stand in the log as late."""
    draft = heard("200 shares")
    outcome = after(draft, call("set_trade", quantity=200, words="200 shares"), turn=draft.turn - 1)
    assert outcome.draft == draft
    assert [(c.status, c.reason) for c in outcome.calls] == [("rejected", "late")]


@pytest.mark.parametrize("name", ["my-secret-plan", "set_7f3a_canary"])
def test_a_name_that_no_tool_has_never_stands_in_plain(name: str) -> None:
    """Whatever a model calls a tool, the plain column holds a name of the form's, or "unknown"."""
    draft = heard("buy 200 of it")
    (first, *_) = after(draft, call(name, words="x")).calls
    (late, *_) = after(draft, call(name, words="x"), turn=draft.turn - 1).calls
    assert (first.tool, first.reason, late.tool) == ("unknown", "tool", "unknown")
    assert first.arguments["tool"] == name


@pytest.mark.parametrize("tool", ["submit", "finalize", "submit_request"])
def test_finalising_again_is_idempotent(tool: str) -> None:
    """After submission a call to finalise succeeds, is marked idempotent, and changes nothing."""
    outcome = after(filed(), call(tool))
    (logged,) = outcome.calls
    assert (logged.status, logged.idempotent, logged.finalizes) == ("success", True, True)
    assert logged.result["already_finalized"] is True and outcome.draft.status is Status.SUBMITTED


def test_without_the_friendly_answer_it_is_refused_and_still_filed_once() -> None:
    """With the setting off, the repeated call is told that it is filed already; nothing is written either way."""
    outcome = after(filed(), call("submit"), policy=Policy(friendly_repeat=False))
    (logged,) = outcome.calls
    assert (logged.status, logged.reason, logged.idempotent, logged.finalizes) == ("rejected", "filed", False, True)
    assert not any(type(e).__name__ == "File" for e in outcome.effects)
    assert after(filed(), call("submit")).changes == outcome.changes


def test_the_model_never_reads_a_refusals_code() -> None:
    """Codes are for the log; what goes back to the model has status, reason and hint."""
    outcome = after(heard("hello"), call("set_trade", quantity=9, words="9"))
    (again,) = [e for e in outcome.effects if type(e).__name__ == "CallModel"]
    results = [result for one in again.exchange for result in one.results.values()]
    assert results and all(set(r) == {"status", "reason", "instructional_hint"} for r in results)
