"""From a document's text to proposals, and by the person's click from proposals to values; never over what they said unasked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.advance.answering import make_value, put
from state.advance.readings import drop, propose
from state.advance.refusing import problem_with
from state.advance.work import Work
from state.draft.documents import Document
from state.draft.draft import Data, DocumentReading, Value
from state.draft.missing import reachable
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.understanding.document_text import read_paper
from state.understanding.evidence import holds_quote


def read(work: Work, document: Document, taker: Field) -> bool:
    """Propose what the document says, by the form's own reader for it or by its labelled lines. False where it has no text to read."""
    wanted = [f for f in reachable(work.form, work.draft) if taker.name in f.from_documents and kind_of(f).on_paper]
    if wanted and not document.text:
        return False
    reader = work.rules.readers.get(taker.name)
    own = _own(reader(document.text), document, wanted, work) if reader and wanted else {}
    found = own if reader else {f.name: got for f in wanted if (got := read_paper(f, document.text, work.context))}
    values = {name: _proposed(work, work.form.fields[name], document, *got) for name, got in found.items()}
    propose(work, document.id, {name: value for name, value in values.items() if value is not None})
    return True


def _own(
    read_by: Mapping[str, tuple[Any, str]], document: Document, wanted: list[Field], work: Work
) -> dict[str, tuple[Data, str]]:
    """What the form's reader found, as far as its quotes stand in the document and its values can be read."""
    found: dict[str, tuple[Data, str]] = {}
    for field in wanted:
        value, quote = read_by.get(field.name, (None, ""))
        if value is None or not holds_quote(document.text, quote):
            continue
        try:
            found[field.name] = (kind_of(field).parse(field, value, work.context), quote)
        except Unreadable:
            continue
    return found


def _proposed(work: Work, field: Field, document: Document, data: Data, quote: str) -> Value | None:
    if problem_with(work, field, data) is not None:
        return None
    return make_value(work, field, data, "document", quote, document.id, who=work.draft.owner)


def confirm(work: Work, reading: DocumentReading, names: tuple[str, ...]) -> None:
    """The person's click: these values are set, with the document as their origin; the rest of the proposal stays."""
    for name in names:
        field, value = work.form.fields[name], reading.values[name]
        problem = problem_with(work, field, value.data)
        if problem is not None:
            work.tell(problem)
            continue
        now = replace(value.provenance, who=work.event.who, at=work.event.at)
        put(work, field, replace(value, provenance=now, sure=True))
    drop(work, reading, names)
