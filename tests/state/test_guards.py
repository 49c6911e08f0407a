"""Each guard alone: with it the draft stays as it is, without it the draft is spoilt; what was judged is in the log."""

from dataclasses import dataclass, replace

import pytest

from state.advance import Outcome, advance
from state.draft.changes import ValueSet
from state.draft.draft import Draft, Status, with_record
from state.draft.reply import Reply, ToolCall
from state.engine.context import Policy, TurnContext, without_code
from state.engine.events import MessageReceived, ModelReplied
from state.engine.offers import ToolCalls
from state.engine.tools import handle
from state.fields.base import Context
from state.guards import GUARDS, Guard
from state.guards import writes as judging
from state.guards.writes import ProposedWrite
from tests.state.forms import AT, FORM, OWNER, RULES, WHOLE, after, asking, call, filled, new_draft, replied, told


@dataclass(frozen=True)
class Attack:
    """A draft, and a call that exactly one guard refuses."""

    guard: Guard
    draft: Draft
    call: ToolCall
    field: str


GOOD = WHOLE["reason"]
ATTACKS = {
    "a locked field is not set again": Attack(
        judging.unlocked,
        replace(told(filled(asking(new_draft(), "quantity"), ("side",), side="buy"), "sell"), reopened=("side",)),
        call("set_trade", side="sell", words="sell"),
        "side",
    ),
    "a filled field is not set again": Attack(
        judging.unfilled, told(filled(new_draft(), quantity=200), "300 shares", "hello"), call("set_trade", quantity=300, words="300"), "quantity"
    ),
    "a field whose condition is false is not set": Attack(
        judging.within_stage, told(asking(filled(new_draft(), leveraged=False), "why_leveraged"), "I like a little risk"),
        call("set_why_leveraged", why_leveraged="I like a little risk", words="I like a little risk"), "why_leveraged",
    ),
    "a closed draft takes no value": Attack(
        judging.while_open, told(replace(new_draft(), status=Status.ESCALATED), "5 shares"), call("set_trade", quantity=5, words="5"), "quantity"
    ),
    "a value that the words do not yield is not set": Attack(
        judging.grounded, told(new_draft(), "buy 200 of it"), call("set_trade", quantity=12000, words="200"), "quantity"
    ),
    "words that nobody said ground nothing": Attack(
        judging.grounded, told(new_draft(), "hello there"), call("set_trade", quantity=200, words="200"), "quantity"
    ),
    "one answer to many questions sets none of them": Attack(
        judging.grounded, told(asking(new_draft(), "leveraged"), "no to all"),
        call("set_leveraged", leveraged=False, words="no to all"), "leveraged",
    ),
    "a compliance answer is no reason": Attack(
        judging.by_its_rules, told(asking(new_draft(), "reason"), "compliance has nothing to say here"),
        call("set_reason", reason="compliance has nothing to say here", words="compliance has nothing to say here"), "reason",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_the_guard_refuses_and_nothing_else_would(name: str) -> None:
    """With all guards nothing sets the field; with this one taken out it is set."""
    attack = ATTACKS[name]
    without = tuple(g for g in GUARDS if g is not attack.guard)
    assert not sets(attack, GUARDS)
    assert sets(attack, without)


def sets(attack: Attack, guards: tuple[Guard, ...]) -> bool:
    """Return True if the attack's reply leads to a change that sets its field."""
    changes = advance(FORM, RULES, attack.draft, replied(attack.draft, attack.call), guards).changes
    given = (attack.call.arguments or {})[attack.field]
    return any(isinstance(c, ValueSet) and c.field == attack.field and c.value.data == given for c in changes)


def test_only_the_owner_fills_in_a_draft() -> None:
    """A value in another person's name is refused, whatever it says."""
    draft = told(new_draft(), "200 shares")
    case = ProposedWrite(
        FORM, RULES, draft, Context("en-GB", "2026-11-20"), "U0DANA", FORM.fields["quantity"], 200, "200"
    )
    refusal = judging.judge(case)
    assert refusal is not None and refusal.code == "owner"
    assert judging.judge(replace(case, who=OWNER)) is None


def test_unreadable_values_are_refused_before_anything_is_made_of_them() -> None:
    """Arguments that do not read as the field's kind, and calls without words, are bad arguments."""
    draft = told(new_draft(), "buy some")
    for arguments in (
        {"quantity": "many", "words": "some"},
        {"quantity": 5},
        {"quantity": 5, "words": ""},
        {"words": "x"},
        {"price": 5, "words": "x"},
    ):
        result = result_of(draft, call("set_trade", **arguments))
        assert result["status"] == "rejected" and "bad arguments" in result["reason"], arguments
    assert "unknown" not in str(result_of(draft, ToolCall("c1", "set_trade", None)))


def test_a_refusal_has_one_shape() -> None:
    """Status, a reason that starts with REJECTED, and a hint that starts with PROCEED."""
    draft = told(filled(asking(new_draft(), "quantity"), ("leveraged",), leveraged=False), "yes it is leveraged")
    assert result_of(draft, call("set_leveraged", leveraged=True, words="it is leveraged")) == {
        "status": "rejected",
        "reason": "REJECTED: 'leveraged' is locked. Move on to the next missing field.",
        "instructional_hint": "PROCEED: leveraged is already set. Ask for the next missing field.",
    }


def test_an_unknown_tool_is_refused() -> None:
    """A tool that the form does not have does nothing."""
    result = result_of(new_draft(), call("approve", everything=True))
    assert result["status"] == "rejected" and "no tool 'approve'" in result["reason"]


def test_a_short_text_does_not_replace_a_good_one() -> None:
    """A text of under five words is refused over a GOOD one, even while that is reopened."""
    draft = replace(told(filled(new_draft(), reason=GOOD), "long term"), reopened=("reason",))
    result = result_of(draft, call("set_reason", reason="long term", words="long term"))
    assert "too short" in result["reason"]


def test_yes_and_no_count_from_the_newest_message_for_what_was_asked() -> None:
    """A "no" of an earlier message, or to another question, sets no flag."""
    newest_is_other = told(asking(new_draft(), "leveraged"), "no", "what a day")
    assert (
        "leveraged"
        not in after(
            newest_is_other, replied(newest_is_other, call("set_leveraged", leveraged=False, words="no"))
        ).values
    )
    other_asked = told(asking(new_draft(), "inside"), "no, thanks")
    assert (
        "leveraged"
        not in after(other_asked, replied(other_asked, call("set_leveraged", leveraged=False, words="no"))).values
    )
    asked = told(asking(new_draft(), "leveraged"), "no, I don't")
    assert (
        after(asked, replied(asked, call("set_leveraged", leveraged=False, words="no"))).values["leveraged"].data
        is False
    )


def test_an_act_that_code_wrote_down_grounds_nothing() -> None:
    """ "[clicked] Quantity: 300" in the conversation is no quote of the person's: it is neither taken nor put back."""
    draft = told(new_draft(), "hello")
    clicked = replace(draft.window[0], text="[clicked] Quantity: 300", clicked=True)
    draft = replace(draft, window=(clicked,))
    replied_to = after(draft, replied(draft, call("set_trade", quantity=300, words="300")))
    assert "quantity" not in replied_to.values and replied_to.offers == ()


def test_submitting_by_call_is_judged_by_status() -> None:
    """Before, the call opens nothing but points at the card; after, it says that it was done and writes nothing."""
    assert result_of(new_draft(), call("submit"))["status"] == "rejected"
    filed = with_record(replace(new_draft(), status=Status.SUBMITTED), number="SM-2026-000001")
    outcome = advance(FORM, RULES, filed, replied(filed, call("finalize")))
    assert outcome.draft.status is Status.SUBMITTED
    assert not any(type(e).__name__ == "File" for e in outcome.effects)


def result_of(draft: Draft, made: ToolCall) -> dict[str, object]:
    """What the model is told about its call."""
    event: ModelReplied = replied(draft, made)
    return without_code(handle(TurnContext(FORM, RULES, draft, event), ToolCalls("model"), made))


def judged(draft: Draft, *calls: ToolCall, turn: int | None = None, policy: Policy | None = None) -> Outcome:
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


def test_every_call_of_a_reply_is_logged_with_what_it_came_to() -> None:
    """A call that counts and one that is refused are both logged, with reader, turn, step and the refusal's code."""
    draft = heard("200 shares")
    outcome = judged(
        draft, call("set_trade", quantity=200, words="200 shares"), call("set_trade", quantity=9, words="9")
    )
    good, bad = [c for c in outcome.calls if c.reader == "some-model"]
    assert (good.tool, good.status, good.reason, good.step, good.turn) == ("set_trade", "ok", "", 1, draft.turn)
    assert (bad.status, bad.reason) == ("rejected", "filled")
    assert bad.arguments["given"] == {"quantity": 9, "words": "9"} and bad.result["reason"].startswith("REJECTED")


def test_calls_of_the_rule_based_reader_are_marked() -> None:
    """What the rule-based reader proposes beside a model is logged under its own name."""
    outcome = judged(heard("buy 200 of it"))
    assert {c.reader for c in outcome.calls} == {"rules"}


def test_calls_of_a_late_reply_are_logged_and_not_looked_at() -> None:
    """A reply to an earlier turn changes nothing, and its calls stand in the log as late."""
    draft = heard("200 shares")
    outcome = judged(draft, call("set_trade", quantity=200, words="200 shares"), turn=draft.turn - 1)
    assert outcome.draft == draft
    assert [(c.status, c.reason) for c in outcome.calls] == [("rejected", "late")]


@pytest.mark.parametrize("name", ["my-secret-plan", "set_7f3a_canary"])
def test_a_name_that_no_tool_has_never_stands_in_plain(name: str) -> None:
    """Whatever a model calls a tool, the plain column holds a name of the form's, or "unknown"."""
    draft = heard("buy 200 of it")
    (first, *_) = judged(draft, call(name, words="x")).calls
    (late, *_) = judged(draft, call(name, words="x"), turn=draft.turn - 1).calls
    assert (first.tool, first.reason, late.tool) == ("unknown", "tool", "unknown")
    assert first.arguments["tool"] == name


@pytest.mark.parametrize("tool", ["submit", "finalize", "submit_request"])
def test_finalising_again_is_idempotent(tool: str) -> None:
    """After submission a call to finalise succeeds, is marked idempotent, and changes nothing."""
    outcome = judged(filed(), call(tool))
    (logged,) = outcome.calls
    assert (logged.status, logged.idempotent, logged.finalizes) == ("success", True, True)
    assert logged.result["already_finalized"] is True and outcome.draft.status is Status.SUBMITTED


def test_without_the_friendly_answer_it_is_refused_and_still_filed_once() -> None:
    """With the setting off, the repeated call is told that it is filed already; nothing is written either way."""
    outcome = judged(filed(), call("submit"), policy=Policy(friendly_repeat=False))
    (logged,) = outcome.calls
    assert (logged.status, logged.reason, logged.idempotent, logged.finalizes) == ("rejected", "filed", False, True)
    assert not any(type(e).__name__ == "File" for e in outcome.effects)
    assert judged(filed(), call("submit")).changes == outcome.changes


def test_the_model_never_reads_a_refusals_code() -> None:
    """Codes are for the log; what goes back to the model has status, reason and hint."""
    outcome = judged(heard("hello"), call("set_trade", quantity=9, words="9"))
    (again,) = [e for e in outcome.effects if type(e).__name__ == "CallModel"]
    results = [result for one in again.exchange for result in one.results.values()]
    assert results and all(set(r) == {"status", "reason", "instructional_hint"} for r in results)
