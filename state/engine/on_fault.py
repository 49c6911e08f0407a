"""A form's own Python failed (FormFault): nothing of the event counts, and people are told at once. Trying again would be the same again."""

from state.draft.changes import FaultNoted
from state.draft.utterance import Phrase
from state.engine.context import Alone, TurnContext
from state.engine.effects import Announce, Whisper
from state.engine.events import CaseJudged, DecisionMade, DeliveryChanged, TakenUp, TimerFired
from state.rules import FormFault

OPERATORS = "operators"
"""The name of the channel of those who run the bot; where there is none, the form's own counts."""


def on_fault(turn: TurnContext, fault: FormFault) -> None:
    """Leave the draft as it was, and say so to whoever acted."""
    note_fault(turn, fault)
    if isinstance(turn.event, DecisionMade | CaseJudged):
        turn.do(Whisper(turn.event.who, Phrase("form_fault"), turn.event.where))
    elif not isinstance(turn.event, TimerFired | TakenUp | DeliveryChanged):
        turn.present(Alone((Phrase("form_fault"),)))


def note_fault(turn: TurnContext, fault: FormFault) -> None:
    """Keep which function failed, and tell those who can mend it; never what anybody wrote."""
    turn.fault = fault
    turn.change(FaultNoted(*fault.told))
    turn.do(Announce("fault", (str(fault),), turn.draft.record, to=OPERATORS))
