"""A time has come that was waited for (TimerFired): a verdict that nobody gave in time, the last day of an approval, its end.

A timer is an effect that is stored with the change that set it, and due later. One that finds another state than it was set for does nothing.
A delivery that failed, and came after all, is here as well (DeliveryChanged).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

from state.draft.changes import DeliveryNoted
from state.draft.draft import Draft, Status
from state.draft.record import EXTEND, PendingDecision
from state.draft.record_changes import PendingDecisionSet, RecordMoved
from state.draft.route import acts_now, asked_mark, last_asked, may_extend, report_mark, staffing, staffing_changed
from state.draft.utterance import Phrase, Verbatim
from state.draft.working_days import MORNING, day_of, due_after, instant_of
from state.engine.cards import DecisionCard, Notice
from state.engine.context import Alone, TurnContext
from state.engine.effects import OPERATORS, Announce, Remind, Repaint
from state.engine.events import DeliveryChanged, TimerFired
from state.record.filing import look_again, move_record, paint_receipt, post_for_decision, state_of, state_told
from state.record.on_note import on_note_due, on_note_late

LEAST = timedelta(hours=2)
"""The least time between a reminder and the end of what it reminds of."""


def set_timers(turn: TurnContext) -> None:
    """Set what the record's new state waits for. Called once for every event that moved it, when it has come to rest there."""
    moved, pending = any(isinstance(c, RecordMoved) for c in turn.changes), turn.filed.pending
    if moved and turn.draft.status is Status.SUBMITTED:
        timers = tuple(_timers(turn))
        # The record itself says until when there is to decide: lists of what waits are in this order.
        due = next((one.at for one in timers if one.what == "overdue"), "")
        if pending.due != due:
            turn.change(PendingDecisionSet(replace(pending, due=due)))
        turn.do(*timers)
    elif moved and turn.draft.asked_back:
        turn.do(*_unanswered(turn))


def _timers(turn: TurnContext) -> Iterator[Remind]:
    here, draft, now = state_of(turn), turn.draft, turn.event.at
    if here.waits and here.hours and draft.filed.pending.card:
        yield _overdue(turn)
    if here.expires and draft.filed.valid_until:
        last = date.fromisoformat(draft.filed.valid_until)
        if (morning := _in_time(turn, last)) > now:
            yield Remind("last_day", morning, draft.filed.state, draft.filed.valid_until)
        yield Remind(
            "expired", instant_of(last + timedelta(days=1), 0, draft.zone), draft.filed.state, draft.filed.valid_until
        )


def _in_time(turn: TurnContext, last: date) -> str:
    """Return the last morning, by the person's clock, that leaves them time to act before all is over; empty where that is none."""
    draft = turn.draft
    day, today = last, date.fromisoformat(day_of(turn.event.at, draft.zone))
    over = turn.rules.closes(draft, last.isoformat()) or instant_of(last + timedelta(days=1), 0, draft.zone)
    enough = datetime.fromisoformat(over) - LEAST
    while day >= today:
        morning = instant_of(day, MORNING, draft.zone)
        if datetime.fromisoformat(morning) <= enough:
            return morning
        day -= timedelta(days=1)
    return ""


def _overdue(turn: TurnContext) -> Remind:
    return Remind("overdue", _due(turn, state_of(turn).hours or 0), turn.filed.state, turn.filed.pending.card)


def _due(turn: TurnContext, hours: int) -> str:
    """Count working days alone: in the form's own place where it names one, else where the person is."""
    filing = turn.form.filing
    return due_after(turn.event.at, hours, filing.zone or turn.draft.zone, filing.holidays)


def _unanswered(turn: TurnContext) -> Iterator[Remind]:
    """Give whoever is asked for more as long to answer as there was to decide."""
    asked = last_asked(turn.draft)
    state = turn.form.filing.states.get(asked.state) if asked else None
    if state is not None and state.hours:
        yield Remind("unanswered", _due(turn, state.hours), turn.filed.state, asked_mark(turn.draft))


def on_timer(turn: TurnContext, event: TimerFired) -> None:
    """Do what was waited for, unless the record has gone on meanwhile."""
    draft = turn.draft
    filed = draft.status is Status.SUBMITTED or draft.asked_back
    if filed and draft.filed.state == event.state and event.mark == MARKS[event.what](draft) != "":
        FIRED[event.what](turn, event)


def _late(turn: TurnContext, event: TimerFired) -> None:
    """Post a new card that says since when nobody has decided, or move the record to those whom the form names."""
    here, before = state_of(turn), turn.draft
    if here.overdue:
        move_record(turn, here.overdue, "overdue")
        turn.present(Alone(state_told(turn)))
        paint_receipt(turn)
    else:
        turn.change(
            PendingDecisionSet(replace(before.filed.pending, overdue=before.filed.pending.overdue or event.due))
        )
        post_for_decision(turn, turn.filed.pending)
        turn.do(_overdue(turn))
        paint_receipt(turn)
    turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))


def _deciders_changed(turn: TurnContext, event: TimerFired) -> None:
    """Post the record for whoever can decide it by now, and tell its owner where somebody was missing, or is."""
    before, state, number = turn.filed.pending, turn.filed.state, turn.filed.number
    if not staffing_changed(turn.form, turn.draft, event.deciders):
        turn.do(*look_again(turn))
        return
    named, lacking = staffing(turn.form, turn.draft, state, event.deciders)
    extends = before.about == EXTEND
    if not extends and (state in before.lacking or named != before.named):
        post_for_decision(turn, before)
        _due_again(turn, before)
    else:
        turn.change(PendingDecisionSet(replace(before, named=named, lacking=lacking)))
        turn.do(*look_again(turn), *([Announce("nobody", lacking, number, to=OPERATORS)] if lacking else []))
    turn.do(Repaint(before.card, DecisionCard(state)))
    if before.lacking != lacking:
        key = f"{'extender' if extends else 'decider'}_{'missing' if lacking else 'found'}"
        turn.present(Alone((Phrase(key, {"number": number}), *state_told(turn))))
    paint_receipt(turn)


def _due_again(turn: TurnContext, before: PendingDecision) -> None:
    """Set the time to decide on the new card: all of it where nobody could decide before, else what is left."""
    if not state_of(turn).hours:
        return
    late = _overdue(turn)
    if turn.filed.state in before.lacking:
        turn.change(PendingDecisionSet(replace(turn.filed.pending, due=late.at, overdue="")))
    elif before.due > turn.event.at:
        late = replace(late, at=before.due)
    turn.do(late)


def _asked_still(turn: TurnContext, _event: TimerFired) -> None:
    """Say once more to an owner who has not answered what is wanted, with the way back to its question."""
    asked = last_asked(turn.draft)
    labels = ", ".join(f.label for f in turn.form.fields.values() if asked and f.name in asked.fields)
    said = Verbatim(asked.note) if asked and asked.note else Phrase("asked_again", {"fields": labels})
    turn.present(Alone((Phrase("asked_still", {"number": turn.filed.number}), said), ("show",)))
    turn.do(*_unanswered(turn))


def _last_day(turn: TurnContext, event: TimerFired) -> None:
    """Say that an approval ends: on its last day; ahead of it where that day would be too late."""
    draft = turn.draft
    key = "last_day" if day_of(event.due or event.at, draft.zone) >= draft.filed.valid_until else "last_day_ahead"
    longer = (Phrase("last_day_longer"),) if may_extend(turn.form, draft) else ()
    told = (Phrase(key, {"number": draft.filed.number, "filed_on": draft.filed.valid_until}), *longer)
    turn.present(Alone(told, acts_now(turn.form, turn.draft)))


def _expired(turn: TurnContext, _event: TimerFired) -> None:
    """End an approval: what counted until a day counts no more."""
    move_record(turn, state_of(turn).expires, "expired")
    turn.present(Alone((Phrase("ended", {"number": turn.filed.number}), *state_told(turn))))
    paint_receipt(turn)


MARKS: Mapping[str, Callable[[Draft], str]] = {
    "overdue": lambda draft: draft.filed.pending.card,
    "deciders": lambda draft: draft.filed.pending.card,
    "unanswered": asked_mark,
    "last_day": lambda draft: draft.filed.valid_until,
    "expired": lambda draft: draft.filed.valid_until,
    "note_due": report_mark,
    "note_late": report_mark,
}
"""The mark of each timer: it counts while that is the same as when it was set."""

FIRED: Mapping[str, Callable[[TurnContext, TimerFired], None]] = {
    "overdue": _late,
    "deciders": _deciders_changed,
    "unanswered": _asked_still,
    "last_day": _last_day,
    "expired": _expired,
    "note_due": on_note_due,
    "note_late": on_note_late,
}


def on_delivery(turn: TurnContext, event: DeliveryChanged) -> None:
    """Say in a line of its own what could not be delivered; the same line says later that it has been. Nothing else changes."""
    card = turn.draft.undelivered.get(event.what, "")
    if event.came == "held" and not card:
        told = turn.show(Notice((Phrase(f"held_{event.what}"),)), own=True)
        turn.change(DeliveryNoted(event.what, told))
    if event.came == "delivered" and card:
        turn.turn_into(card, Notice((Phrase(f"delivered_{event.what}"),)))
        turn.change(DeliveryNoted(event.what))
