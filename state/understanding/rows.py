"""Which recorded row a person's words name: "change the train to 40" where a train is recorded."""

from collections.abc import Sequence
from dataclasses import replace

from state.draft.operations import Row, Wanted
from state.form import Form
from state.language import language_of
from state.language.tokens import keys_of
from state.understanding.arguments import field_told
from state.understanding.operations import adds, row_of

NEWEST, LIKELY, LONG = 60, 4, 3
"""Rows that are looked through, those that are shown, and letters from which a word of a name alone may name it."""


def meant_by(form: Form, call: Wanted, rows: Sequence[Row]) -> tuple[Wanted, ...]:
    """Return the call with each row that its words name: those all of whose name is said, else those of which a word is."""
    field = row_of(form.operations[call.operation])
    if not call.words or field is None:
        return (call,)
    language, name = language_of(form.language), name_field(form)
    said = set(keys_of(call.words, language))
    named = [(row, set(keys_of(str(row.body.get(name, "")), language))) for row in rows[:NEWEST]]
    whole = [row for row, words in named if words and words <= said]
    part = [row for row, words in named if any(len(w) >= LONG and not w.isdigit() for w in words & said)]
    found = (whole or part)[:LIKELY]
    return tuple(replace(call, arguments={field.name: row.number, **call.arguments}, words="") for row in found)


def name_field(form: Form) -> str:
    """Return the name of the field by which a row is called: what is told of what is added."""
    added = next((o for o in form.operations.values() if adds(o)), None)
    field = field_told(added, "name") if added else None
    return field.name if field else ""
