"""What waits for a time: a late verdict, an approval's last day, its extension and its end, and the hours of working days."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from blocks.phrases import catalogue
from state.advance import advance
from state.draft.draft import Draft
from state.draft.route import may_extend
from state.draft.working_days import calendar, closed_days, due_after
from state.engine.cards import Receipt
from state.engine.effects import Amend, Announce, Post, Remind, Repaint
from state.engine.events import TimerFired
from state.form import Form
from state.form.filing import FilingTable
from tests.state.deciding import (
    JUDGED,
    LONGER,
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
    wanted,
)
from tests.state.executing import STATES, fired, reminders
from tests.state.forms import AT, OTHER, click, gathered, reviewing, said

LATER = "2026-11-23T12:30:00+00:00"


def form(**changed: Any) -> Form:
    """The routed form, with a day to decide and an approval that ends; states changed as given."""
    states = {**STATES, "approved": {"expires": "expired"}}
    for name in ("pending_manager", "pending_compliance"):
        states[name] = {**states[name], "hours": 24, **changed.get(name, {})}
    return ROUTED.model_copy(update={"filing": FilingTable.model_validate({"states": states})})


FORM = form()


def filing(shape: Form = FORM) -> Any:
    """The outcome of filing."""
    draft = reviewing()
    return advance(shape, JUDGED, draft, gathered(draft))


def approval(zone: str = "") -> Any:
    """The outcome of the last approval."""
    draft = filing().draft
    first = advance(FORM, JUDGED, draft, verdict(draft, MANAGER)).draft
    first = replace(first, zone=zone)
    return advance(FORM, JUDGED, first, verdict(first, OFFICER))


def test_a_late_verdict_is_asked_for_again() -> None:
    """A working day after filing the card comes again, marked as late, and once more a day later; the one before it counts no more."""
    outcome = filing()
    (one,) = reminders(outcome).values()
    assert (one.what, one.at) == ("overdue", "2026-11-23T12:00:00+00:00")
    late = advance(FORM, JUDGED, outcome.draft, fired(one, LATER))
    assert late.draft.filed.pending.overdue == one.at and late.draft.filed.pending.card != one.mark
    assert any(isinstance(e, Announce) for e in late.effects)
    assert reminders(late)["overdue"].at == "2026-11-24T12:30:00+00:00"
    again = advance(FORM, JUDGED, late.draft, fired(one, LATER))
    assert again.changes == () and again.effects == ()


def test_a_verdict_in_time_leaves_the_timer_without_meaning() -> None:
    """It fires, finds another state, and does nothing; the next state has a timer of its own."""
    outcome = filing()
    (one,) = reminders(outcome).values()
    second = advance(FORM, JUDGED, outcome.draft, verdict(outcome.draft, MANAGER))
    assert reminders(second)["overdue"].state == "pending_compliance" and second.draft.filed.pending.overdue == ""
    late = advance(FORM, JUDGED, second.draft, fired(one, LATER))
    assert late.changes == () and late.effects == ()


def test_a_form_may_say_where_a_late_request_goes() -> None:
    """Instead of a reminder it goes to those whom the form names, and the person is told how it stands."""
    shape = form(pending_manager={"overdue": "pending_compliance"})
    outcome = filing(shape)
    late = advance(shape, JUDGED, outcome.draft, fired(reminders(outcome)["overdue"], LATER))
    assert late.draft.filed.state == "pending_compliance" and any(isinstance(e, Post) for e in late.effects)
    assert [e.state for e in late.effects if isinstance(e, Amend)] == ["pending_compliance"]


def test_an_approval_ends_when_its_last_day_is_over_where_the_person_is() -> None:
    """They hear of it at eight in the morning of that day; at midnight, by their own clock, it is over."""
    outcome = approval("Europe/Rome")
    last, end = (reminders(outcome)[what] for what in ("last_day", "expired"))
    assert (last.at, end.at) == ("2026-11-24T07:00:00+00:00", "2026-11-24T23:00:00+00:00")
    told = advance(FORM, JUDGED, outcome.draft, fired(last, LATER))
    assert told.draft.filed.state == "approved" and any(isinstance(e, Post) for e in told.effects)
    over = advance(FORM, JUDGED, told.draft, fired(end, LATER))
    assert (over.draft.filed.state, over.draft.filed.valid_until) == ("expired", "")
    assert advance(FORM, JUDGED, over.draft, fired(end, LATER)).changes == ()


def test_who_is_far_from_the_exchange_is_reminded_while_there_is_time() -> None:
    """In the morning by their own clock, never in the night: of the last day, or of the day before where that one is too late."""
    london = replace(JUDGED, closes=lambda _draft, day: f"{day}T16:30:00+00:00")
    reminded = {
        "Europe/London": "2026-11-24T08:00:00+00:00",
        "America/New_York": "2026-11-24T13:00:00+00:00",
        "America/Los_Angeles": "2026-11-23T16:00:00+00:00",
        "Asia/Tokyo": "2026-11-23T23:00:00+00:00",
        "Pacific/Auckland": "2026-11-23T19:00:00+00:00",
    }
    for zone, at in reminded.items():
        first = replace(advance(FORM, london, filing().draft, verdict(filing().draft, MANAGER)).draft, zone=zone)
        outcome = advance(FORM, london, first, verdict(first, OFFICER))
        last = reminders(outcome)["last_day"]
        assert last.at == at
        (post,) = (e for e in advance(FORM, london, outcome.draft, fired(last, at)).effects if isinstance(e, Post))
        assert ("last_day_ahead" in str(post.card)) is (zone == "America/Los_Angeles")


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
    ) == ("approved", UNTIL)
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
    assert refused(before, verdict(before, SENIOR, "keep", note="")) == "decide_message"
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
    assert "it has ended, has no end date, or you have already asked" in catalogue("en")["extend_over"]


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


@pytest.mark.parametrize(
    ("at", "hours", "zone", "place", "due"),
    [
        ("2026-11-18T09:00:00+00:00", 24, "", "", "2026-11-19T09:00:00+00:00"),
        ("2026-11-20T09:00:00+00:00", 24, "", "", "2026-11-23T09:00:00+00:00"),  # a Friday
        ("2026-11-20T09:00:00+00:00", 15, "", "", "2026-11-21T00:00:00+00:00"),
        ("2026-11-21T09:00:00+00:00", 8, "", "", "2026-11-23T08:00:00+00:00"),  # from a Saturday
        (
            "2026-12-24T12:00:00+00:00",
            24,
            "Europe/London",
            "GB-ENG",
            "2026-12-29T12:00:00+00:00",
        ),  # 28 December stands in
        ("2026-12-24T12:00:00+00:00", 24, "Europe/London", "", "2026-12-25T12:00:00+00:00"),
        ("2026-12-24T12:00:00+00:00", 24, "Europe/Rome", "IT", "2026-12-28T12:00:00+00:00"),
        ("2026-11-20T23:30:00+00:00", 24, "Asia/Tokyo", "", "2026-11-23T15:00:00+00:00"),  # Saturday there already
        ("2026-10-23T10:00:00+00:00", 48, "Europe/London", "", "2026-10-27T11:00:00+00:00"),  # the clocks go back
        ("2026-11-16T09:00:00+00:00", 120, "", "", "2026-11-23T09:00:00+00:00"),
    ],
)
def test_hours_pass_on_working_days_alone(at: str, hours: int, zone: str, place: str, due: str) -> None:
    """Weekends and the place's holidays are left out, by the clock of the place."""
    assert due_after(at, hours, zone, place) == due


@pytest.mark.parametrize("place", ["XX", "GB-XX", "XNONE", "IT-IT-IT"])
def test_a_place_without_a_calendar_is_named(place: str) -> None:
    """`holdfast check` can tell it, and weekends alone are left out meanwhile."""
    assert calendar(place) is None and date(2026, 12, 25) not in closed_days(place)
