"""Verdicts on a filed request: who may give them, on what, and what follows. Nobody decides their own request, or two stages of one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.draft.changes import fold
from state.draft.draft import Draft
from state.draft.record import WITHDRAW
from state.draft.utterance import Phrase
from state.engine.cards import Confirm, DecisionCard, Receipt
from state.engine.codec import decode_change, decode_draft, decode_event, encode
from state.engine.effects import Amend, Announce, Post, Repaint, Whisper
from state.engine.events import DecisionMade
from tests.state.deciding import (
    DEPUTY,
    HELD,
    MANAGER,
    OFFICER,
    ROUTE,
    SENIOR,
    decided,
    filed,
    routed,
    verdict,
    withdrawn,
)
from tests.state.forms import OTHER, OWNER, click, gathered, reviewing, said

PEOPLE = (OWNER, MANAGER, OFFICER, SENIOR, DEPUTY, OTHER)


def refused(draft: Draft, event: DecisionMade) -> str:
    """The key of the private note with which a verdict is refused; nothing has changed then."""
    outcome = routed(draft, event)
    assert outcome.changes == () and outcome.draft == draft
    (note,) = (e for e in outcome.effects if isinstance(e, Whisper))
    assert (note.who, note.channel) == (event.who, "C1")
    return note.line.key


def test_a_filed_request_is_put_before_its_first_stage() -> None:
    """The record's state, its receipt with a way back, and a decision card in the place of the announcement."""
    draft = reviewing()
    outcome = routed(draft, gathered(draft))
    (card,) = (e for e in outcome.effects if isinstance(e, Announce))
    (receipt,) = (e.card for e in outcome.effects if isinstance(e, Repaint) and isinstance(e.card, Receipt))
    assert outcome.draft.filed.state == "pending_manager" and outcome.draft.filed.pending.card == card.id != ""
    assert receipt.waits and outcome.draft.filed.pending.background == ("Risk: LOW.",)


def test_the_route_is_walked_to_its_end() -> None:
    """The manager approves, compliance approves under conditions: the record follows, the person is told by role and not by name."""
    first = routed(filed(), verdict(filed(), MANAGER))
    assert [e.state for e in first.effects if isinstance(e, Amend)] == ["pending_compliance"]
    event = verdict(first.draft, OFFICER, conditions="Not before Monday", reason="")
    second = routed(first.draft, event)
    assert (second.draft.filed.state, second.draft.filed.valid_until) == ("approved", "2026-11-24")
    (post,) = (e for e in second.effects if isinstance(e, Post))
    told = str(post.card)
    assert "Not before Monday" in told and "compliance" in told and OFFICER not in told
    assert [(d.who, d.role, d.state, d.to) for d in second.draft.filed.decisions] == [
        (MANAGER, "manager", "pending_manager", "pending_compliance"),
        (OFFICER, "compliance", "pending_compliance", "approved"),
    ]
    assert second.draft.filed.pending.card == "" and not any(isinstance(e, Announce) for e in second.effects)


def test_a_reason_stays_with_those_who_decide() -> None:
    """The person reads the officer's words to them, and nothing of the reason."""
    outcome = routed(
        filed(), verdict(filed(), MANAGER, "decline", reason="On the restricted list", note="Not now, sorry.")
    )
    shown = str([e for e in outcome.effects if isinstance(e, Post | Repaint)])
    assert "restricted" not in shown and "Not now, sorry." in shown
    assert (
        outcome.draft.filed.decisions[0].reason == "On the restricted list" and outcome.draft.filed.state == "declined"
    )


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another card": ({"card": "old"}, "decide_over"),
    "another revision": ({"hash": "old"}, "decide_changed"),
    "roles that nobody knows": ({"known": False}, "decide_unknown"),
    "without the role": ({"own": False}, "decide_role"),
    "with the role of another state": ({"role": "compliance"}, "decide_role"),
    "as an auditor who holds the role as well": ({"audits": True}, "decide_auditor"),
    "in the place of nobody who has it": ({"own": False, "deputy_of": ()}, "decide_role"),
    "in the place of the requester": ({"own": False, "deputy_of": (OWNER,)}, "decide_role"),
    "conditions that the state does not allow": ({"conditions": "Slowly"}, "decide_conditions"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_verdict_that_does_not_hold_is_refused_in_private(case: str) -> None:
    """Nothing changes, the officer reads why, and the card shows how things stand."""
    more, key = REFUSED[case]
    assert refused(filed(), verdict(filed(), MANAGER, **more)) == key


def test_nobody_decides_on_their_own_request() -> None:
    """Not even who holds the role."""
    assert refused(filed(), verdict(filed(), OWNER, own=True)) == "decide_own"


def test_nobody_decides_two_stages() -> None:
    """Neither in person, nor in another's place, nor through somebody who stands in for them."""
    second = decided(filed(), MANAGER)
    assert refused(second, verdict(second, MANAGER, own=True)) == "decide_twice"
    assert refused(second, verdict(second, DEPUTY, own=False, deputy_of=(MANAGER,))) == "decide_role"
    by_deputy = decided(filed(), DEPUTY, own=False, deputy_of=(MANAGER,))
    assert by_deputy.filed.decisions[0].deputy_of == MANAGER
    assert refused(by_deputy, verdict(by_deputy, DEPUTY, own=True)) == "decide_twice"
    assert refused(by_deputy, verdict(by_deputy, MANAGER, own=True)) == "decide_twice"


def test_a_verdict_is_one_of_the_states_own() -> None:
    """What the present state does not list leads nowhere."""
    assert refused(filed(), verdict(filed(), MANAGER, "refer")) == "decide_changed"


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_verdict_that_wants_a_reason_has_one(reason: str) -> None:
    """White space is none."""
    assert refused(filed(), verdict(filed(), MANAGER, "decline", reason=reason)) == "decide_reason"


def test_several_people_approve_where_several_are_needed() -> None:
    """The first approval leaves the record where it is; another person's moves it; the same person's does not count twice."""
    senior = decided(decided(filed(), MANAGER), "U0OFF2", "refer")
    one = routed(senior, verdict(senior, SENIOR))
    assert one.draft.filed.state == "pending_senior" and not any(isinstance(e, Amend | Post) for e in one.effects)
    assert refused(one.draft, verdict(one.draft, SENIOR)) == "decide_twice"
    assert decided(one.draft, OFFICER).filed.state == "approved"
    assert decided(one.draft, OFFICER, "decline").filed.state == "declined"


def test_of_approval_and_withdrawal_the_first_wins() -> None:
    """Whoever comes second, with the card as it was, is told so, and nothing changes any more."""
    press = verdict(filed(), MANAGER)
    gone = withdrawn(filed())
    assert gone.filed.state == "withdrawn" and refused(gone, press) == "decide_over"
    over = decided(decided(filed(), MANAGER), OFFICER)
    late = routed(over, click("withdraw_confirmed", card="c"))
    assert late.draft.filed.state == "approved" and late.changes == ()
    assert "withdraw_over" in str([e for e in late.effects if isinstance(e, Post)])


def test_only_the_owner_takes_a_request_back() -> None:
    """Anybody else's click is told off in private."""
    outcome = routed(filed(), click("withdraw_confirmed", who=MANAGER, card="c"))
    assert outcome.changes == () and outcome.effects == (Whisper(MANAGER, Phrase("not_yours")),)


@pytest.mark.parametrize("words", ["withdraw my request", "cancel", "Please withdraw it"])
def test_taking_back_in_words_wants_a_click(words: str) -> None:
    """The order puts up the card that asks; nothing is withdrawn by words."""
    outcome = routed(filed(), said(words))
    assert outcome.draft.filed.state == "pending_manager"
    assert any(isinstance(e, Post) and e.card == Confirm("withdraw") for e in outcome.effects)


def test_a_later_disclosure_takes_the_request_out_of_their_hands() -> None:
    """What was decided is void, the card says so, and a press on it changes nothing."""
    second = decided(filed(), MANAGER)
    press = verdict(second, OFFICER)
    outcome = routed(second, said("I heard something"))
    assert outcome.draft.filed.state == "escalated" and all(d.void for d in outcome.draft.filed.decisions)
    assert any(isinstance(e, Repaint) and isinstance(e.card, DecisionCard) for e in outcome.effects)
    assert refused(outcome.draft, press) == "decide_over"


def test_decisions_are_stored_and_read_back() -> None:
    """Event, changes and draft come back as they were; a draft from before knows no decisions."""
    before = decided(filed(), MANAGER)
    event = verdict(before, OFFICER, "decline")
    outcome = routed(before, event)
    assert decode_event(encode(event)) == event
    assert fold(before, (decode_change(encode(c)) for c in outcome.changes)) == outcome.draft
    stored = encode(outcome.draft)
    assert decode_draft(stored) == outcome.draft
    old = {k: v for k, v in stored.items() if k != "filed"}
    assert decode_draft(old).filed.decisions == ()


ACTS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from(("approve", "decline", "refer", "withdraw")),
        st.booleans(),  # a card as it was one act ago
        st.lists(st.sampled_from(PEOPLE), max_size=2).map(tuple),
        st.sampled_from((None, *HELD)),  # a role that is held beside the listed ones
    ),
    max_size=8,
)


@given(ACTS)
def test_no_sequence_of_acts_lets_anybody_decide_twice_or_their_own(acts: Any) -> None:
    """Whoever presses what, on which card, in whose place: a request has one decider a stage, never its owner, and walks its route alone."""
    before = now = filed()
    for who, word, stale, deputy_of, extra in acts:
        shown = before if stale else now
        role = ROUTE.states[now.filed.state].by if now.filed.state in ROUTE.states else ""
        own = who in HELD.get(role, ()) or extra == role
        act = verdict(shown, who, word, role=role, own=own, deputy_of=deputy_of)
        outcome = routed(now, click("withdraw_confirmed", who=who, card="c") if word == WITHDRAW else act)
        before, now = now, outcome.draft
        steps = {to for state in ROUTE.states.values() for to in (*state.decide.values(), state.withdraw)}
        assert now.filed.state == before.filed.state or now.filed.state in steps
    given = [d for d in now.filed.decisions if d.verdict != WITHDRAW]
    taking_part = [one for d in given for one in {d.who, d.deputy_of} if one]
    assert OWNER not in taking_part
    assert len(taking_part) == len(set(taking_part))
