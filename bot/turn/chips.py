"""When a conversation's suggested prompts change: a form is begun there, gone on with, or at its end. Never on every act."""

from collections.abc import Mapping, Sequence

from bot.keys import person_key, place
from state.draft.draft import Draft
from state.engine.effects import Begin, Effect
from state.engine.events import Clicked, DraftEvent
from state.form import Form
from state.stores.rows import OutboxRow

RAISES = ("show", "begin")
"""Clicks by which a conversation may turn to another draft."""


def filled_in(forms: Mapping[str, Form], draft: Draft | None) -> str:
    """The form that a conversation about this draft fills in; empty where it is at rest, as one of operations always is."""
    form = forms.get(draft.form) if draft is not None and draft.open else None
    return form.name if form is not None and not form.conversational else ""


def chips(
    forms: Mapping[str, Form], before: Draft | None, after: Draft, event: DraftEvent, effects: Sequence[Effect]
) -> list[OutboxRow]:
    """The row that sets them, in a lane of its own so that no question waits for it. `before` is None for a new draft."""
    there = place(after.conversation)
    again = before is not None and after.open and not before.open
    begun = before is None or again or (isinstance(event, Clicked) and event.act in RAISES)
    ended = before is not None and before.open and not after.open and not any(isinstance(e, Begin) for e in effects)
    if not there.direct or not (begun or ended):
        return []
    language = forms[after.form].language if after.form in forms else ""
    body = {"form": filled_in(forms, after), "conversation": after.conversation, "language": language}
    person = person_key(after.tenant, after.owner)
    return [OutboxRow(f"{event.id}/prompts", f"prompts:{after.conversation}", "prompts", person, body)]
