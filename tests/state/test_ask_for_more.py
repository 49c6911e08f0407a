"""Ask for more: the same record goes back to its owner with the named fields open again, and comes back to its first stage, never as a second one."""

from typing import Any

import pytest

from state.advance import advance
from state.draft.draft import Draft, Status
from state.engine.cards import DecisionCard, Notice, Question, Receipt
from state.engine.effects import Amend, File, Post, Remind, Repaint
from state.engine.events import TimerFired
from state.form.filing import FilingTable
from tests.state.deciding import (
    DEPUTY,
    JUDGED,
    MANAGER,
    OFFICER,
    ROUTE,
    ROUTED,
    asked,
    decided,
    filed,
    refiled,
    refused,
    routed,
    verdict,
)
from tests.state.forms import AT, OWNER, call, click, gathered, replied, said


def answered(draft: Draft, words: str = "I expect steady dividends from it") -> Draft:
    """The draft once its owner has given the reason anew, in the box of the open question."""
    assert draft.asked == "reason" and draft.card is not None
    return routed(draft, click("enter", field="reason", value=words, card=draft.card.id)).draft


def posted(effects: Any) -> list[Any]:
    """The cards that are put up."""
    return [e.card for e in effects if isinstance(e, Post)]


def test_only_the_named_fields_are_open_again() -> None:
    """The draft is its owner's again, under its number; the first question follows; all else is locked as it was submitted."""
    before = filed()
    outcome = routed(before, asked(before, MANAGER, "reason", "leveraged"))
    after = outcome.draft
    assert (after.status, after.filed.state, after.filed.number) == (Status.OPEN, "asked", before.filed.number)
    assert after.reopened == ("leveraged", "reason") and after.asked == "leveraged"
    assert after.locked_fields == before.locked_fields - {"leveraged", "reason"}
    assert after.values == before.values == after.submitted
    assert [e.state for e in outcome.effects if isinstance(e, Amend)] == ["asked"]


def test_the_owner_reads_at_once_what_is_wanted_in_the_officers_own_words() -> None:
    """By role and not by name, above the first question; the decision card turns into how it stands, the receipt too."""
    before = filed()
    outcome = routed(before, asked(before, MANAGER, "reason", note="Which dividends?"))
    (question,) = posted(outcome.effects)
    assert isinstance(question, Question) and question.field == "reason"
    told = str(question.lead_in)
    assert "Which dividends?" in told and "manager" in told and MANAGER not in told
    painted = {type(e.card) for e in outcome.effects if isinstance(e, Repaint)}
    assert {DecisionCard, Receipt} <= painted and outcome.draft.filed.pending.card == ""


def test_what_was_decided_is_history() -> None:
    """Earlier verdicts are void and kept; the new submission is before the first stage, where the same manager decides again."""
    second = decided(filed(), MANAGER)
    back = refiled(answered(routed(second, asked(second, OFFICER, "reason")).draft))
    assert [(d.verdict, d.void) for d in back.filed.decisions] == [("approve", True), ("ask", True)]
    assert back.filed.state == "pending_manager" and decided(back, MANAGER).filed.state == "pending_compliance"
    assert decided(decided(back, MANAGER), OFFICER).filed.state == "approved"


def test_the_same_record_is_filed_again() -> None:
    """The same number, a new body and hash, judged anew; the old receipt points to the new one, a second record is never filed."""
    back = answered(routed(filed(), asked(filed(), MANAGER, "reason")).draft)
    outcome = routed(back, gathered(back))
    (again,) = (e for e in outcome.effects if isinstance(e, File))
    assert again.again == back.filed.number == outcome.draft.filed.number
    assert again.body["values"]["reason"]["data"] == "I expect steady dividends from it"
    assert again.body["submission"] == 2
    cards = {e.id: e.card for e in outcome.effects if isinstance(e, Repaint)}
    assert isinstance(cards[back.filed.receipt], Notice) and isinstance(cards[outcome.draft.filed.receipt], Receipt)
    assert (
        outcome.draft.filed.pending.card != "" and outcome.draft.submitted["reason"] != outcome.draft.values["reason"]
    )


def test_the_confirmed_review_is_void() -> None:
    """A press of Submit on the review that was confirmed before files nothing."""
    before = filed()
    after = routed(before, asked(before, MANAGER, "reason")).draft
    late = routed(after, click("submit", card="card-review", hash=before.hash))
    assert not any(isinstance(e, File) for e in late.effects) and late.draft.status is Status.OPEN


ASKED_WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a field that there is not": ({"fields": ("colour",)}, "decide_fields"),
    "a field that does not apply": ({"fields": ("reason", "why_leveraged")}, "decide_fields"),
    "neither a field nor words": ({"fields": (), "note": " \n"}, "decide_words"),
}


@pytest.mark.parametrize("case", ASKED_WRONG)
def test_asking_says_what_and_why(case: str) -> None:
    """Fields that can be answered, or words; else nothing changes and the officer reads what was lacking."""
    more, key = ASKED_WRONG[case]
    assert refused(filed(), verdict(filed(), MANAGER, "ask", **{"fields": ("reason",), "note": "Why?", **more})) == key


def test_asking_is_judged_as_any_verdict() -> None:
    """Not the owner, not without the role, not on an old card, not where the state does not allow it."""
    before = filed()
    assert refused(before, asked(before, OWNER, "reason", own=True)) == "decide_own"
    assert refused(before, asked(before, OFFICER, "reason")) == "decide_role"
    assert refused(before, asked(before, MANAGER, "reason", card="old")) == "decide_over"
    senior = decided(decided(before, MANAGER), "U0OFF2", "refer")
    assert refused(senior, asked(senior, OFFICER, "reason")) == "decide_changed"


def test_of_two_officers_at_once_the_first_wins() -> None:
    """An approval finds the request with its owner; a question finds it approved; each officer is told."""
    before = filed()
    after = routed(before, asked(before, MANAGER, "reason")).draft
    assert refused(after, verdict(before, DEPUTY, own=True)) == "decide_over"
    assert refused(after, asked(before, DEPUTY, "side", own=True)) == "decide_over"
    assert refused(decided(before, MANAGER), asked(before, DEPUTY, "reason", own=True)) == "decide_over"


def test_who_asked_may_decide_there_and_nowhere_else() -> None:
    """Asking is no decision of its stage; it counts as one towards every other stage of the request."""
    second = decided(filed(), MANAGER)
    back = refiled(answered(routed(second, asked(second, OFFICER, "reason")).draft))
    assert refused(back, verdict(back, OFFICER, own=True)) == "decide_twice"
    again = decided(back, MANAGER)
    assert decided(again, OFFICER).filed.state == "approved"
    assert refused(again, verdict(again, MANAGER, own=True)) == "decide_twice"


def test_more_is_asked_as_often_as_it_takes() -> None:
    """Each time the same record comes back, and the history grows."""
    draft = filed()
    for n in range(3):
        draft = routed(draft, asked(draft, MANAGER, "reason", note=f"{n}?")).draft
        draft = refiled(answered(draft, f"I expect steady dividends for {n + 2} years"))
    assert draft.filed.number == filed().filed.number and [d.verdict for d in draft.filed.decisions] == ["ask"] * 3


def test_a_reply_to_words_from_before_changes_nothing() -> None:
    """A model that was asked while the request was filed answers late: its call is of another turn."""
    before = filed()
    late = replied(before, call("trade", side="sell", words="sell"))
    after = routed(before, asked(before, MANAGER, "side")).draft
    assert routed(after, late).draft.values == before.values


def test_a_model_reaches_only_what_is_open_again() -> None:
    """What was not named is locked as ever: a call for it is refused, whatever the words."""
    after = routed(filed(), asked(filed(), MANAGER, "reason")).draft
    heard = routed(after, said("quantity 900 because I want more of it now")).draft
    outcome = routed(heard, replied(heard, call("trade", quantity=900, words="quantity 900")))
    assert outcome.draft.values["quantity"].data == 200


@pytest.mark.parametrize("act", ["cancel", "restart", "withdraw"])
def test_what_is_given_up_is_withdrawn(act: Any) -> None:
    """Cancel, Start over and Withdraw ask once; the click withdraws the record, which does not vanish, and nothing is filed anew."""
    after = routed(filed(), asked(filed(), MANAGER, "reason")).draft
    waits = routed(after, click(act)).draft
    assert waits.proposal is not None and waits.filed.state == "asked"
    gone = routed(waits, click("cancel_confirmed", card=waits.proposal.card))
    assert (gone.draft.status, gone.draft.filed.state) == (Status.SUBMITTED, "withdrawn")
    assert [e.state for e in gone.effects if isinstance(e, Amend)] == ["withdrawn"]
    assert "withdrawn" in str(posted(gone.effects)) and "cancelled" not in str(posted(gone.effects))
    assert gone.draft.filed.decisions[-1].verdict == "withdraw"


def test_a_withdrawal_that_was_asked_before_holds() -> None:
    """Who pressed Withdraw before the question came, and says yes after it, has withdrawn."""
    after = routed(filed(), asked(filed(), MANAGER, "reason")).draft
    assert routed(after, click("withdraw_confirmed", card="c")).draft.filed.state == "withdrawn"


def test_a_disclosure_meanwhile_stops_it() -> None:
    """What is told that is worse ends the way of the record; nobody is asked any more."""
    after = routed(filed(), asked(filed(), MANAGER, "quantity")).draft
    heard = routed(after, said("I heard something")).draft
    outcome = routed(heard, replied(heard, call("disclose", field="inside", words="I heard something")))
    assert (outcome.draft.status, outcome.draft.filed.state) == (Status.ESCALATED, "escalated")
    assert not any(isinstance(e, File) for e in outcome.effects)


def test_timers_of_the_former_state_do_not_fire() -> None:
    """Neither while its owner has it, nor once it waits in the same state again with another card."""
    before = filed()
    due = TimerFired("t1", AT, "timer", "overdue", before.filed.state, before.filed.pending.card, AT)
    after = routed(before, asked(before, MANAGER, "reason"))
    assert not any(isinstance(e, Remind) for e in after.effects)
    assert routed(after.draft, due).changes == ()
    assert routed(refiled(answered(after.draft)), due).changes == ()


def test_who_does_not_answer_is_reminded() -> None:
    """After as long as there was to decide, with the words of the question; once it is answered, no more."""
    states = {name: state.model_dump(exclude_unset=True) for name, state in ROUTE.states.items()}
    states["pending_manager"]["hours"] = 24
    form = ROUTED.model_copy(update={"filing": FilingTable.model_validate({"states": states})})
    outcome = advance(form, JUDGED, filed(), asked(filed(), MANAGER, "reason"))
    (one,) = (e for e in outcome.effects if isinstance(e, Remind))
    assert (one.what, one.at) == ("unanswered", "2026-11-23T12:00:00+00:00")
    due = TimerFired("t1", one.at, "timer", one.what, one.state, one.mark, one.at)
    told = advance(form, JUDGED, outcome.draft, due)
    assert "Please say more." in str(posted(told.effects)) and told.draft.asked == "reason"
    assert [e.what for e in told.effects if isinstance(e, Remind)] == ["unanswered"]
    bare = advance(form, JUDGED, filed(), asked(filed(), MANAGER, "reason", note=""))
    assert "asked_again" in str(posted(advance(form, JUDGED, bare.draft, due).effects))
    assert advance(form, JUDGED, refiled(answered(outcome.draft)), due).changes == ()
