"""A look-up came back (Found): results to pick from, on the card that asks for the field."""

from state.draft.changes import OptionsFound
from state.draft.utterance import Phrase
from state.engine.acts import count_failure
from state.engine.context import Next, TurnContext
from state.engine.events import LookupCompleted


def on_lookup(turn: TurnContext, event: LookupCompleted) -> None:
    """Results for a field that is answered or for a closed draft are dropped; nothing is ever chosen for the person."""
    field = turn.form.fields.get(event.field)
    answered = event.field in turn.draft.values and event.field not in turn.draft.reopened
    if field is None or answered or not turn.draft.open:
        return
    turn.tell(*event.lead_in)
    turn.change(OptionsFound(field.name, event.options))
    count_failure(turn, event.failed)
    if event.failed:
        turn.tell(Phrase("lookup_failed", {"label": field.label}))
    elif not event.options:
        turn.tell(Phrase("nothing_found", {"query": event.query}))
    turn.present(Next())
