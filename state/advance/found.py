"""A look-up came back: results to pick from, on the card that asks for the field."""

from state.advance.failing import count_failure
from state.advance.showing import show_next
from state.advance.work import Work
from state.cards import Line
from state.changes import OptionsFound
from state.events import Found


def found(work: Work, event: Found) -> None:
    """Results for a field that is settled or for a closed draft are dropped; nothing is ever chosen for the person."""
    field = work.form.fields.get(event.field)
    settled = event.field in work.draft.values and event.field not in work.draft.reopened
    if field is None or settled or not work.draft.open:
        return
    work.tell(*event.lead_in)
    work.change(OptionsFound(field.name, event.options))
    count_failure(work, event.failed)
    if event.failed:
        work.tell(Line("lookup_failed", {"label": field.label}))
    elif not event.options:
        work.tell(Line("nothing_found", {"query": event.query}))
    show_next(work)
