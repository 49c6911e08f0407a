"""Extension: the owner asks, another role decides, and an approval stands as it was until then. The first of verdict and end wins."""

import pytest

from state.draft.draft import Draft
from state.draft.route import may_extend
from state.engine.cards import Receipt
from state.engine.effects import Amend, Announce, Post, Remind, Repaint
from state.engine.events import TimerFired
from tests.state.deciding import LONGER, MANAGER, OFFICER, ROUTED, SENIOR, UNTIL, decided, filed, routed, verdict
from tests.state.forms import AT, OTHER, click, said
from tests.state.test_decisions import refused


def approved() -> Draft:
    """A request that was approved until a day."""
    return decided(decided(filed(), MANAGER), "U0OFF2")


def wanted(draft: Draft) -> Draft:
    """The same once its owner has asked to extend it."""
    return routed(draft, click("extend", card=draft.filed.receipt)).draft


def ended(draft: Draft) -> Draft:
    """The same once the end of its last day has come."""
    return routed(draft, TimerFired("t1", AT, "timer", "expired", "approved", UNTIL, AT)).draft


def test_an_extension_is_put_before_its_role() -> None:
    """A decision card comes up, the approval counts as before, and the button is gone from the receipt."""
    before = approved()
    outcome = routed(before, click("extend", card=before.filed.receipt))
    (card,) = (e for e in outcome.effects if isinstance(e, Announce))
    assert card.id == outcome.draft.filed.pending.card and (
        outcome.draft.filed.state,
        outcome.draft.filed.valid_until,
    ) == (
        "approved",
        UNTIL,
    )
    (receipt,) = (e.card for e in outcome.effects if isinstance(e, Repaint) and isinstance(e.card, Receipt))
    assert not receipt.extends and "senior" in str([e.card for e in outcome.effects if isinstance(e, Post)])


def test_an_approval_that_is_extended_counts_longer() -> None:
    """By the form's own rule, from its present end; its timers are set anew, and the former end comes to nothing."""
    outcome = routed(wanted(approved()), verdict(wanted(approved()), SENIOR, "extend"))
    after = outcome.draft
    assert (after.filed.state, after.filed.valid_until, after.filed.pending.card) == ("approved", LONGER, "")
    assert {e.mark for e in outcome.effects if isinstance(e, Remind)} == {LONGER}
    assert [e.state for e in outcome.effects if isinstance(e, Amend)] == ["approved"]
    assert ended(after) == after


def test_a_refused_extension_leaves_the_approval_as_it_was() -> None:
    """The owner is told; the approval ends on its day."""
    before = wanted(approved())
    assert refused(before, verdict(before, SENIOR, "keep", reason="")) == "decide_reason"
    outcome = routed(before, verdict(before, SENIOR, "keep"))
    assert (outcome.draft.filed.state, outcome.draft.filed.valid_until) == ("approved", UNTIL)
    assert not any(isinstance(e, Amend | Remind) for e in outcome.effects)
    assert ended(outcome.draft).filed.state == "expired"


def test_it_is_asked_for_once() -> None:
    """Neither while it waits, nor after a verdict, whatever that was; in words as little as by the button."""
    extended = decided(wanted(approved()), SENIOR, "extend")
    for draft in (wanted(approved()), extended, decided(wanted(approved()), SENIOR, "keep")):
        assert not may_extend(ROUTED, draft) and wanted(draft).filed.pending == draft.filed.pending
        assert routed(draft, said("extend my approval")).draft.filed.pending == draft.filed.pending


def test_only_what_ends_some_day_is_extended() -> None:
    """A request that waits, one that was declined, one that has ended: the owner reads how it stands."""
    for draft in (filed(), decided(filed(), MANAGER, "decline"), ended(approved())):
        outcome = routed(draft, click("extend", card=draft.filed.receipt))
        assert outcome.draft.filed.pending == draft.filed.pending
        assert "extend_over" in str([e.card for e in outcome.effects if isinstance(e, Post)])


def test_of_the_end_and_a_verdict_the_first_wins() -> None:
    """After the end nobody extends; the card says how it stands."""
    before = wanted(approved())
    over = ended(before)
    assert over.filed.state == "expired" and refused(over, verdict(before, SENIOR, "extend")) == "decide_over"


@pytest.mark.parametrize("who", [MANAGER, "U0OFF2"])
def test_who_approved_does_not_extend(who: str) -> None:
    """Not in person, and not through a deputy."""
    before = wanted(approved())
    assert refused(before, verdict(before, who, "extend", own=True)) == "decide_twice"
    assert refused(before, verdict(before, OTHER, "extend", own=False, deputy_of=(who,))) == "decide_role"


def test_an_extension_has_its_own_verdicts() -> None:
    """Nothing else can be decided on its card, and nobody without its role decides."""
    before = wanted(approved())
    for word in ("approve", "decline", "ask"):
        assert refused(before, verdict(before, SENIOR, word)) == "decide_changed"
    assert refused(before, verdict(before, OTHER, "extend")) == "decide_role"


def test_it_is_asked_for_in_words() -> None:
    """The whole utterance; of somebody else's approval nobody asks."""
    assert routed(approved(), said("please extend my approval")).draft.filed.pending.about == "extend"
    assert routed(approved(), click("extend", who=OFFICER, card="c")).changes == ()


def test_a_disclosure_ends_it_too() -> None:
    """The card of the extension is void with everything else."""
    before = wanted(approved())
    after = routed(before, said("I heard something")).draft
    assert after.filed.state == "escalated" and after.filed.pending.card == after.filed.pending.about == ""
