"""The record's part of an event: which handler is the record's, and what follows for it once the draft is settled."""

from collections.abc import Callable, Mapping
from typing import Any

from state.draft.changes import StatusMoved
from state.draft.record import WITHDRAW
from state.draft.route import takes_note
from state.engine import events
from state.engine.context import TurnContext
from state.record.by_owner import CLICKS, on_click, on_message, withdraw_asked_back
from state.record.filing import on_submit
from state.record.on_case import on_case
from state.record.on_decision import on_decision, on_taken_up
from state.record.on_note import on_note, on_report
from state.record.on_timer import on_delivery, on_timer

Handler = Callable[[TurnContext, Any], None]


def handler_of(turn: TurnContext) -> Handler | None:
    """Return the record's handler of the event; None where the event is the draft's."""
    event, form, draft = turn.event, turn.form, turn.draft
    match event:
        case events.Clicked() if event.act in CLICKS:
            return on_click
        case events.MessageReceived() if not draft.open:
            return on_message
        case events.DocumentsReceived() if takes_note(form, draft):
            return on_note
        case events.FactsGathered() if event.purpose == "submit":
            return on_submit
    return HANDLERS.get(type(event))


def settle(turn: TurnContext) -> None:
    """Withdraw a record whose owner gave up what they were asked for, in whichever way they did."""
    if any(isinstance(change, StatusMoved) and change.on == WITHDRAW for change in turn.changes):
        withdraw_asked_back(turn)


HANDLERS: Mapping[type, Handler] = {
    events.DecisionMade: on_decision,
    events.CaseJudged: on_case,
    events.ReportMade: on_report,
    events.TimerFired: on_timer,
    events.DeliveryChanged: on_delivery,
    events.TakenUp: on_taken_up,
}
