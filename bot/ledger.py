"""What a form of operations has to show beside its conversation: the rows that stand, and the proposals that wait for a click."""

from collections.abc import Mapping
from typing import Any

from bot.keys import person_key
from state.draft.display import plainly
from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.base import Context
from state.fields.money import show_money
from state.form import Field, Form
from state.stores.ledger import OPEN, Entry, Pending
from state.stores.store import Store

SHOWN = 50
"""Rows on the panel; how many there are in all is told beside them."""
Json = dict[str, Any]
Body = Mapping[str, Any]


async def ledger(store: Store, form: Form, draft: Draft, context: Context) -> Json | None:
    """{"rows": [{"number", "words"}], "count", "waiting": [{"words": […], "until"}]}, newest first; None without operations."""
    if not form.operations:
        return None
    person = person_key(draft.tenant, draft.owner)
    rows = await store.entries(draft.tenant, form.name, person)
    waiting = [p for p in await store.proposals_of(person, form.name) if p.status == OPEN and not p.late]
    return {
        "rows": [_row(form, entry, context) for entry in rows[:SHOWN]],
        "count": len(rows),
        "waiting": [_waiting(form, pending, context) for pending in waiting],
    }


def row_in_words(form: Form, body: Body, today: str) -> str:
    """One row as its form's operations name its columns."""
    return in_words(_fields(form), body, Context(form.language, today))


def _row(form: Form, entry: Entry, context: Context) -> Json:
    return {"number": entry.number, "words": in_words(_fields(form), entry.body, context)}


def _waiting(form: Form, pending: Pending, context: Context) -> Json:
    words = []
    for call in pending.body["calls"]:
        operation = form.operations[call["operation"]]
        told = in_words(operation.fields, call["arguments"], context)
        words.append(f"{operation.title}: {told}" if told else operation.title)
    return {"words": words, "until": pending.expires_at.isoformat() if pending.expires_at else ""}


def _fields(form: Form) -> dict[str, Field]:
    """What the operations call the columns of a row; the first that names one counts."""
    found: dict[str, Field] = {}
    for operation in form.operations.values():
        for name, field in operation.fields.items():
            found.setdefault(name, field)
    return found


def in_words(fields: Mapping[str, Field], body: Body, context: Context) -> str:
    """ "coffee · EUR 3.50 · 21 Nov 2026 · Food": the known columns that hold something, a sum with its currency."""
    known = {name: field for name, field in fields.items() if body.get(name) not in (None, "")}
    code = next((str(body[n]) for n, f in known.items() if kind_of(f).money == "currency"), "")
    return " · ".join(filter(None, (_cell(field, body[name], code, context) for name, field in known.items())))


def _cell(field: Field, data: Any, code: str, context: Context) -> str:
    kind = kind_of(field)
    if kind.by_file:
        return field.label  # that there is one: its document has an id and no words
    if kind.money == "amount" and code:
        return show_money(str(data), code, context.locale)
    return "" if kind.money == "currency" else plainly(field, data, context)
