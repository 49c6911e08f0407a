"""A look-up came back: results to pick from, on the card that asks for the field."""

from state.advance.failing import count_failure
from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.changes import OptionsFound
from state.engine.cards import Phrase
from state.engine.events import LookupCompleted


def found(work: Work, event: LookupCompleted) -> None:
    """Results for a field that is settled or for a closed draft are dropped; nothing is ever chosen for the person."""
    field = work.form.fields.get(event.field)
    settled = event.field in work.draft.values and event.field not in work.draft.reopened
    if field is None or settled or not work.draft.open:
        return
    work.tell(*event.lead_in)
    work.change(OptionsFound(field.name, event.options))
    count_failure(work, event.failed)
    if event.failed:
        work.tell(Phrase("lookup_failed", {"label": field.label}))
    elif not event.options:
        work.tell(Phrase("nothing_found", {"query": event.query}))
    show_next(work)
