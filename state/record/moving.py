"""Steps of a record that several events take: into another state, before its reviewers, onto its receipt."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from state.draft.draft import Status
from state.draft.record import PendingDecision
from state.draft.record_changes import PendingDecisionSet, Receipted, RecordMoved
from state.draft.route import NOBODY, acts_now, decision_wanted, may_ask_person, may_extend, staffing, who_decides
from state.draft.utterance import Phrase, Utterance
from state.engine.cards import DecisionCard, Receipt
from state.engine.context import TurnContext
from state.engine.effects import Amend, Announce, Remind, Repaint
from state.engine.events import RoutingEvent
from state.form.filing import RecordState
from state.rules import Filing

AGAIN, NAMED_AGAIN = timedelta(minutes=1), timedelta(hours=1)
"""How often it is looked up who decides: where nobody can, and where somebody is named who may be away later."""
OPERATORS = "operators"
DESK = 9
"""The number of the decision card among an event's cards: none of the conversation's gets so far."""


def decision_of(turn: TurnContext) -> RecordState:
    """Return which verdicts are wanted of a filed record; none while its owner has it."""
    return decision_wanted(turn.form, turn.draft) if turn.draft.status is Status.SUBMITTED else NOBODY


def state_of(turn: TurnContext) -> RecordState:
    """Return what the form says of the state that the record is in."""
    return turn.form.filing.states.get(turn.filed.state, NOBODY) if turn.draft.status is Status.SUBMITTED else NOBODY


def move_record(turn: TurnContext, to: str, on: str) -> None:
    """Move the record into another state; post the next decision card where that one waits for a verdict."""
    if turn.filed.pending.about:
        turn.do(Repaint(turn.filed.pending.card, DecisionCard(turn.filed.state)))
    turn.change(RecordMoved(to, on, turn.rules.until(turn.draft, to, turn.context.today)))
    turn.do(Amend(turn.filed.number, to, on))
    post_for_decision(turn, replace(turn.filed.pending, overdue="", named=(), lacking=()))


def post_for_decision(turn: TurnContext, pending: PendingDecision) -> None:
    """Post a decision card for the present state, if it waits for a verdict; the one before it no longer counts.

    It goes to whoever alone decides, else to the reviewers' channel. The operators are told where nobody can decide.
    """
    state, number = turn.filed.state, turn.filed.number
    card = turn.card_id(DESK) if turn.form.filing.waits(state) else ""
    found = turn.event.deciders if isinstance(turn.event, RoutingEvent) else {}
    if state in found:
        named, lacking = staffing(turn.form, turn.draft, state, found)
        pending = replace(pending, named=named, lacking=lacking)
    turn.change(PendingDecisionSet(replace(pending, card=card, about="")))
    if card:
        to = pending.named[0] if pending.named else pending.channel
        turn.do(Announce("record", pending.reasons, number, state, to, id=card), *look_again(turn))
    if pending.lacking:
        turn.do(Announce("nobody", pending.lacking, number, to=OPERATORS))


def look_again(turn: TurnContext) -> Iterator[Remind]:
    """Yield the timer after which it is looked up again who decides, where nobody can or somebody is named."""
    pending = turn.filed.pending
    if pending.lacking or pending.named:
        pause = AGAIN if pending.lacking else NAMED_AGAIN
        at = (datetime.fromisoformat(turn.event.at) + pause).isoformat()
        yield Remind("deciders", at, turn.filed.state, pending.card)


def begin_route(turn: TurnContext, filing: Filing, receipt: str) -> bool:
    """Keep the state and the receipt of a record that is filed, and post it for decision. Return False where nobody is to decide."""
    turn.change(RecordMoved(filing.state, "submit", filing.until), Receipted(receipt, turn.event.at, filing.told))
    if turn.form.filing.waits(filing.state):
        post_for_decision(
            turn, PendingDecision("", filing.tell or "", filing.reasons, filing.background, kept=filing.kept)
        )
    elif filing.kept:
        turn.change(PendingDecisionSet(PendingDecision(kept=filing.kept)))
    return bool(turn.filed.pending.card)


def state_told(turn: TurnContext) -> tuple[Utterance, ...]:
    """Return the record's state, until when it counts, and what the form says happens now."""
    state, until = turn.filed.state, turn.filed.valid_until
    return (
        Phrase("told_now", {"state_name": state}),
        *((Phrase("valid_until", {"filed_on": until}),) if until else ()),
        *((who,) if (who := who_decides(turn.form, turn.draft)) else ()),
        *((Phrase(f"next_{state}"),) if f"next_{state}" in turn.form.says and not turn.filed.pending.lacking else ()),
    )


def paint_receipt(turn: TurnContext) -> None:
    """Paint the receipt with the record's state."""
    if turn.filed.receipt:
        turn.turn_into(turn.filed.receipt, receipt(turn))


def receipt(turn: TurnContext, told: tuple[str, ...] = (), ending: str = "") -> Receipt:
    """Build the receipt of the record as it is, with the sentences that are told once, at its filing."""
    form, draft, filed = turn.form, turn.draft, turn.filed
    return Receipt(
        filed.number, filed.filed_at, filed.state, told, filed.valid_until, ending, acts=acts_now(form, draft),
        waits=draft.asked_back or bool(state_of(turn).withdraw), extends=may_extend(form, draft), calls=may_ask_person(form, filed.state),
    )  # fmt: skip
