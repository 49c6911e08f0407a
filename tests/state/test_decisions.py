"""Verdicts on a filed request: who may give them, on what, and what follows. Nobody decides their own request, or two stages of one."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.advance import with_number
from state.draft.draft import Draft, Status
from state.draft.record import ASK, WITHDRAW
from state.draft.route import decision_wanted
from state.draft.utterance import Phrase
from state.engine.cards import Confirm, DecisionCard, Receipt
from state.engine.effects import Amend, Announce, Ephemeral, File, Post, Repaint
from state.engine.events import TimerFired
from tests.state.deciding import (
    DEPUTY,
    HELD,
    MANAGER,
    OFFICER,
    ROUTED,
    SENIOR,
    UNTIL,
    approved,
    decided,
    filed,
    refused,
    routed,
    verdict,
    withdrawn,
)
from tests.state.forms import AT, OTHER, OWNER, click, gathered, reviewing, said


def test_a_filed_request_is_put_before_its_first_stage() -> None:
    """The record's state, its receipt with a way back, and a decision card in the place of the announcement."""
    draft = reviewing()
    outcome = routed(draft, gathered(draft))
    (card,) = (e for e in outcome.effects if isinstance(e, Announce))
    (receipt,) = (e.card for e in outcome.effects if isinstance(e, Repaint) and isinstance(e.card, Receipt))
    assert outcome.draft.filed.state == "pending_manager" and outcome.draft.filed.pending.card == card.id != ""
    assert receipt.waits and outcome.draft.filed.pending.background == ("Risk: LOW.",)


def test_the_receipt_offers_a_person_until_it_is_over() -> None:
    """While the request waits or is approved its receipt offers a person; once withdrawn, declined or expired it does not."""
    draft, second, good = reviewing(), decided(filed(), MANAGER), approved()
    ended = TimerFired("t1", AT, "timer", "expired", "approved", UNTIL, AT)
    steps = {
        "pending_manager": routed(draft, gathered(draft)),
        "pending_compliance": routed(filed(), verdict(filed(), MANAGER)),
        "approved": routed(second, verdict(second, OFFICER)),
        "declined": routed(second, verdict(second, OFFICER, "decline")),
        "withdrawn": routed(filed(), click("withdraw_confirmed", card="c")),
        "expired": routed(good, ended),
    }
    receipts = {
        e.card.state: e.card.calls
        for outcome in steps.values()
        for e in outcome.effects
        if isinstance(e, Repaint) and isinstance(e.card, Receipt)
    }
    assert receipts == {state: state in ("pending_manager", "pending_compliance", "approved") for state in steps}


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
    """The person reads the message, which a decline cannot do without, and nothing of the private reason."""
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
    "white space for conditions": ({"conditions": " \n\u200b"}, "decide_unwritten"),
    "by its owner, who holds the role": ({"who": OWNER, "own": True}, "decide_own"),
    "a verdict that the state does not list": ({"verdict": "refer"}, "decide_changed"),
    "a decline without a message": ({"verdict": "decline", "note": ""}, "decide_message"),
    "white space for a message": ({"verdict": "decline", "note": "  \n\u200b"}, "decide_message"),
    "fields, which only a question names": ({"fields": ("reason",)}, "decide_fields"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_verdict_that_does_not_hold_is_refused_in_private(case: str) -> None:
    """Nothing changes, the officer reads why, and the card shows how things stand."""
    more, key = REFUSED[case]
    assert refused(filed(), verdict(filed(), **{"who": MANAGER, **more})) == key


def test_nobody_decides_two_stages() -> None:
    """Neither in person, nor in another's place, nor through somebody who stands in for them."""
    second = decided(filed(), MANAGER)
    assert refused(second, verdict(second, MANAGER, own=True)) == "decide_twice"
    assert refused(second, verdict(second, DEPUTY, own=False, deputy_of=(MANAGER,))) == "decide_role"
    by_deputy = decided(filed(), DEPUTY, own=False, deputy_of=(MANAGER,))
    assert by_deputy.filed.decisions[0].deputy_of == MANAGER
    assert refused(by_deputy, verdict(by_deputy, DEPUTY, own=True)) == "decide_twice"
    assert refused(by_deputy, verdict(by_deputy, MANAGER, own=True)) == "decide_twice"


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
    assert "after_kept" in str([e for e in late.effects if isinstance(e, Post)])


def test_only_the_owner_takes_a_request_back() -> None:
    """Anybody else's click is told off in private."""
    outcome = routed(filed(), click("withdraw_confirmed", who=MANAGER, card="c"))
    assert outcome.changes == () and outcome.effects == (Ephemeral(MANAGER, Phrase("not_yours")),)


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


PEOPLE = (OWNER, MANAGER, OFFICER, "U0OFF2", SENIOR, DEPUTY, OTHER)
VERDICTS = ("approve", "decline", "refer", "ask", "extend", "keep")
FITTING = "fitting"
Act = tuple[str, str, bool, tuple[str, ...], str | None]


def resubmitted(draft: Draft, n: int) -> Draft:
    """What came back is kept as it is and submitted again."""
    for field in draft.reopened:
        card = draft.card.id if draft.card else ""
        draft = routed(draft, click("keep", field=field, card=card)).draft
    card = draft.card
    if card is None or card.kind != "review":
        return draft
    outcome = routed(draft, gathered(draft).__class__(f"g{n}", AT, "rules", "submit", {}, draft.hash))
    filings = [e for e in outcome.effects if isinstance(e, File)]
    assert all(e.again == draft.filed.number for e in filings)
    return with_number(outcome, draft.filed.number).draft


OWNERS: Mapping[str, Callable[[Draft, str, int], Draft]] = {
    "resubmit": lambda draft, _who, n: resubmitted(draft, n),
    "withdraw": lambda draft, who, _n: routed(draft, click("withdraw_confirmed", who=who, card="c")).draft,
    "wants longer": lambda draft, who, _n: routed(draft, click("extend", who=who, card=draft.filed.receipt)).draft,
    "ends": lambda draft, _who, n: routed(draft, TimerFired(f"t{n}", AT, "timer", "expired", "approved", UNTIL)).draft,
}

ACTS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from((*VERDICTS, *VERDICTS, *OWNERS)),
        st.booleans(),  # a card as it was one act ago
        st.lists(st.sampled_from(PEOPLE), max_size=2).map(tuple),
        st.sampled_from((None, FITTING, FITTING, *HELD)),  # a role that is held beside the listed ones, or whoever fits
    ),
    max_size=12,
)


def pressed(shown: Draft, now: Draft, act: Act, n: int) -> Draft:
    """The draft after a verdict on what was shown, by whoever holds the role now."""
    who, word, _, deputy_of, extra = act
    role = decision_wanted(ROUTED, now).by
    if extra == FITTING:
        who = next((one for one in HELD.get(role, ()) if one not in {d.who for d in now.filed.decisions}), who)
    own = who in HELD.get(role, ()) or extra == role
    fields = ("reason",) if word == ASK else ()
    event = verdict(shown, who, word, role=role, own=own, deputy_of=deputy_of, fields=fields, note="Say more.")
    return routed(now, event.__class__(**{**vars(event), "id": f"v{n}"})).draft


STARTS = st.sampled_from(((), (MANAGER,), (MANAGER, "U0OFF2")))
"""Who has approved already when the acts begin."""


@given(STARTS, ACTS)
def test_no_sequence_of_acts_lets_anybody_decide_twice_or_their_own(approved_by: Any, acts: Any) -> None:
    """One decider a stage, over every reopening, never the owner; the record is one, and moves along its route alone."""
    before = now = reduce(decided, approved_by, filed())
    for n, act in enumerate(acts):
        word, shown = act[1], before if act[2] else now
        after = OWNERS[word](now, act[0], n) if word in OWNERS else pressed(shown, now, act, n)
        before, now = now, after
        assert now.filed.number == filed().filed.number
        assert (now.status is Status.OPEN) == (now.filed.state == "asked")
    given_by = [d for d in now.filed.decisions if d.verdict != WITHDRAW]
    stages: dict[str, set[str]] = {}
    for one in given_by:
        for person in filter(None, (one.who, one.deputy_of)):
            stages.setdefault(person, set()).add(one.state)
    assert OWNER not in stages and all(len(of) == 1 for of in stages.values())
    valid = [(person, d.state) for d in given_by if not d.void for person in filter(None, {d.who, d.deputy_of})]
    assert len(valid) == len(set(valid))
