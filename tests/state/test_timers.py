"""What waits for a time: a late verdict, an approval's last day and its end. Each counts only for the state that it was set for."""

from dataclasses import replace
from typing import Any

from state.advance import advance
from state.draft.draft import Draft
from state.engine.codec import decode_draft, decode_effect, decode_event, encode
from state.engine.effects import Amend, Announce, Post, Remind
from state.engine.events import TimerFired
from state.form import Form
from state.form.filing import FilingTable
from tests.state.deciding import JUDGED, MANAGER, OFFICER, ROUTE, ROUTED, verdict
from tests.state.forms import AT, gathered, reviewing

STATES = {name: state.model_dump(exclude_unset=True) for name, state in ROUTE.states.items()}
LATER = "2026-11-23T12:30:00+00:00"


def form(**changed: Any) -> Form:
    """The routed form, with a day to decide and an approval that ends; states changed as given."""
    states = {**STATES, "approved": {"expires": "expired"}}
    for name in ("pending_manager", "pending_compliance"):
        states[name] = {**states[name], "hours": 24, **changed.get(name, {})}
    return ROUTED.model_copy(update={"filing": FilingTable.model_validate({"states": states})})


FORM = form()


def filed(shape: Form = FORM) -> Any:
    """The outcome of filing."""
    draft = reviewing()
    return advance(shape, JUDGED, draft, gathered(draft))


def reminders(outcome: Any) -> dict[str, Remind]:
    return {e.what: e for e in outcome.effects if isinstance(e, Remind)}


def fired(one: Remind, at: str = LATER) -> TimerFired:
    return TimerFired(f"t-{one.what}-{at}", at, "timer", one.what, one.state, one.mark, one.at)


def approved(zone: str = "") -> Any:
    """The outcome of the last approval."""
    draft = filed().draft
    first = advance(FORM, JUDGED, draft, verdict(draft, MANAGER)).draft
    first = replace(first, zone=zone)
    return advance(FORM, JUDGED, first, verdict(first, OFFICER))


def test_a_late_verdict_is_asked_for_again() -> None:
    """A working day after filing the card comes again, marked as late, and once more a day later; the one before it counts no more."""
    outcome = filed()
    (one,) = reminders(outcome).values()
    assert (one.what, one.at) == ("overdue", "2026-11-23T12:00:00+00:00")
    late = advance(FORM, JUDGED, outcome.draft, fired(one))
    assert late.draft.filed.pending.overdue == one.at and late.draft.filed.pending.card != one.mark
    assert any(isinstance(e, Announce) for e in late.effects)
    assert reminders(late)["overdue"].at == "2026-11-24T12:30:00+00:00"
    again = advance(FORM, JUDGED, late.draft, fired(one))
    assert again.changes == () and again.effects == ()


def test_a_verdict_in_time_leaves_the_timer_without_meaning() -> None:
    """It fires, finds another state, and does nothing; the next state has a timer of its own."""
    outcome = filed()
    (one,) = reminders(outcome).values()
    second = advance(FORM, JUDGED, outcome.draft, verdict(outcome.draft, MANAGER))
    assert reminders(second)["overdue"].state == "pending_compliance" and second.draft.filed.pending.overdue == ""
    late = advance(FORM, JUDGED, second.draft, fired(one))
    assert late.changes == () and late.effects == ()


def test_a_form_may_say_where_a_late_request_goes() -> None:
    """Instead of a reminder it goes to those whom the form names, and the person is told how it stands."""
    shape = form(pending_manager={"overdue": "pending_compliance"})
    outcome = filed(shape)
    late = advance(shape, JUDGED, outcome.draft, fired(reminders(outcome)["overdue"]))
    assert late.draft.filed.state == "pending_compliance" and any(isinstance(e, Post) for e in late.effects)
    assert [e.state for e in late.effects if isinstance(e, Amend)] == ["pending_compliance"]


def test_an_approval_ends_when_its_last_day_is_over_where_the_person_is() -> None:
    """They hear of it at eight in the morning of that day; at midnight, by their own clock, it is over."""
    outcome = approved("Europe/Rome")
    last, end = (reminders(outcome)[what] for what in ("last_day", "expired"))
    assert (last.at, end.at) == ("2026-11-24T07:00:00+00:00", "2026-11-24T23:00:00+00:00")
    told = advance(FORM, JUDGED, outcome.draft, fired(last))
    assert told.draft.filed.state == "approved" and any(isinstance(e, Post) for e in told.effects)
    over = advance(FORM, JUDGED, told.draft, fired(end))
    assert (over.draft.filed.state, over.draft.filed.valid_until) == ("expired", "")
    assert advance(FORM, JUDGED, over.draft, fired(end)).changes == ()


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
        first = replace(advance(FORM, london, filed().draft, verdict(filed().draft, MANAGER)).draft, zone=zone)
        outcome = advance(FORM, london, first, verdict(first, OFFICER))
        last = reminders(outcome)["last_day"]
        assert last.at == at
        (post,) = (e for e in advance(FORM, london, outcome.draft, fired(last, at)).effects if isinstance(e, Post))
        assert ("last_day_ahead" in str(post.card)) is (zone == "America/Los_Angeles")


def test_timers_are_stored_and_read_back() -> None:
    """Effect, event and draft come back as they were."""
    outcome = filed()
    (one,) = reminders(outcome).values()
    event, draft = fired(one), outcome.draft
    assert decode_effect(encode(one)) == one and decode_event(encode(event)) == event
    late: Draft = advance(FORM, JUDGED, draft, event).draft
    assert decode_draft(encode(late)) == late and draft.began == AT
