"""A record from before records had routes is taken up (TakenUp): it stands as it was filed, before those who decide on that state."""

from state.draft.changes import Receipted, RecordMoved
from state.draft.decisions import Docket
from state.draft.draft import Status
from state.engine.context import TurnContext
from state.engine.events import TakenUp
from state.engine.route import put_up


def on_taken_up(turn: TurnContext, event: TakenUp) -> None:
    """Once: what has a state of its own has a card already, or needs none."""
    draft = turn.draft
    if draft.status is not Status.SUBMITTED or draft.state or not turn.form.filing.waits(event.state):
        return
    turn.change(RecordMoved(event.state, "taken_up", event.until))
    if not draft.filed_at:
        turn.change(Receipted("", event.filed_at))
    put_up(turn, Docket("", "", event.reasons))
