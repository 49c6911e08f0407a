"""Which recorded row a person's words name: "make the train 40" where a train is recorded."""

from collections.abc import Sequence
from dataclasses import replace

from state.draft.operations import Row, Wanted
from state.fields import kind_of
from state.form import Form
from state.form.schema import Operation
from state.language import language_of
from state.language.tokens import keys_of
from state.understanding.operations import adds, changes_rows, row_of

NEWEST, LIKELY, LONG = 60, 4, 3
"""Rows that are looked through, those that are shown, and letters from which a word of a name alone may name it."""


def alternatives(form: Form, call: Wanted, rows: Sequence[Row]) -> tuple[Wanted, ...]:
    """What a call may mean, the likeliest first: as it is; with each row that its words name; or a change of such a row."""
    operation = form.operations[call.operation]
    if not call.words:
        return (call,)
    plain = replace(call, words="")
    if not adds(operation):
        return tuple(_with_row(operation, plain, row) for row in _named(form, call, rows, whole=False))
    changing = next((o for o in form.operations.values() if changes_rows(o)), None)
    named = _named(form, call, rows, whole=not call.changes)
    if changing is None or not named:
        return (plain,)
    changes = tuple(_with_row(changing, _change(changing, plain), row) for row in named)
    return (*changes, plain) if call.changes else (plain, *changes)


def _named(form: Form, call: Wanted, rows: Sequence[Row], *, whole: bool) -> list[Row]:
    """The newest rows whose names the words hold, and more than those names: all of a name first, unless `whole` else a word of it.

    Of several, those of a day that was told.
    """
    language = language_of(form.language)
    said, field = set(keys_of(call.words, language)), name_field(form)
    held = [(row, set(keys_of(str(row.body.get(field, "")), language))) for row in rows[:NEWEST]]
    full = [
        row
        for row, name in held
        if (name and name < said) or (name == said and not adds(form.operations[call.operation]))
    ]
    part = [row for row, name in held if any(len(word) >= LONG and not word.isdigit() for word in name & said)]
    found = full or ([] if whole else part)
    told = {data for name, data in call.arguments.items() if name not in call.inferred and _is_day(form, call, name)}
    return ([row for row in found if told & set(map(str, row.body.values()))] or found)[:LIKELY]


def name_field(form: Form) -> str:
    """What a row is called by: the name of what is added."""
    added = (f for o in form.operations.values() if adds(o) for f in o.fields.values())
    return next((f.name for f in added if kind_of(f).listing == "name" and f.required), "")


def _is_day(form: Form, call: Wanted, name: str) -> bool:
    return kind_of(form.operations[call.operation].fields[name]).on_day


def _change(changing: Operation, added: Wanted) -> Wanted:
    """A change to the sum that was said, and to its currency where that was."""
    kinds = {name: kind_of(changing.fields[name]) for name in added.arguments if name in changing.fields}
    said = {name: data for name, data in added.arguments.items() if name in kinds and name not in added.inferred}
    return Wanted(
        changing.name, {n: data for n, data in said.items() if kinds[n].money or kinds[n].listing == "amount"}
    )


def _with_row(operation: Operation, call: Wanted, row: Row) -> Wanted:
    """The call for a row; a day that it has already only said which one is meant."""
    rest = {
        n: data
        for n, data in call.arguments.items()
        if not (kind_of(operation.fields[n]).on_day and row.body.get(n) == data)
    }
    field = row_of(operation)
    return replace(call, arguments={**({field.name: row.number} if field else {}), **rest}, inferred=())
