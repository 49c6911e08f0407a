"""What was filed, as a draft again: a record's answers can be shown like any other's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from blocks.request import Step, What
from state.draft.changes import Change, Disclosed, HandedBack, HandedOver, StatusMoved, ValueSet
from state.draft.draft import Draft, Status, Value
from state.draft.essence import essence
from state.draft.record import ASK, WITHDRAW
from state.engine.codec import decode_change, decode_draft
from state.fields.base import Context
from state.form import Form
from state.stores.rows import Record, StoredEvent


def draft_of_record(record: Record) -> Draft:
    """The record's answers and disclosures; of an emptied record, none."""
    body = record.body
    stored = {
        "id": record.draft, "form": record.form, "tenant": record.tenant, "owner": str(body.get("owner", "")),
        "language": str(body.get("language", "")), "conversation": "", "status": Status.SUBMITTED, "record": record.number,
        "values": body.get("values", {}), "disclosures": body.get("disclosures", []),
    }  # fmt: skip
    return decode_draft(stored)


def essence_of_record(form: Form, record: Record, today: str) -> str:
    """Return what the record is about, in a line; `today` (ISO 8601) says how days read."""
    return essence(form, draft_of_record(record), Context(form.language, today))


def filing_of(record: Record) -> Mapping[str, Any]:
    """What the person was told when it was filed: `told`, `until`, `files`. Nothing, where the record has another state by now."""
    filed: Mapping[str, Any] = record.body.get("filed") or {}
    return filed if filed.get("state") == record.state else {"files": filed.get("files", [])}


def history(events: Sequence[StoredEvent]) -> tuple[Step, ...]:
    """Return what happened to a draft, as its person would tell it; answers of one minute are told in one line."""
    steps: list[Step] = []
    known: dict[str, Value] = {}
    for event in events:
        at = event.at.isoformat() if event.at else ""
        if event.kind == BEGAN:
            steps.append(Step(at, "begun"))
        for change in map(decode_change, event.changes):
            _add(steps, _step(at, change, known))
            if isinstance(change, ValueSet):
                known[change.field] = change.value
    return tuple(steps)


def _step(at: str, change: Change, known: Mapping[str, Value]) -> Step | None:
    """Return what one change means to the person; None for the machinery."""
    if isinstance(change, ValueSet):
        return _told(at, change, known.get(change.field))
    if isinstance(change, Disclosed):
        return Step(at, "disclosed", (change.disclosure.field,))
    if isinstance(change, StatusMoved):
        what = ON.get(change.on) or ENDS.get(change.to)
        return Step(at, what) if what else None
    return Step(at, MOVES[type(change)]) if type(change) in MOVES else None


def _told(at: str, change: ValueSet, before: Value | None) -> Step | None:
    if before is None:
        return Step(at, "told", (change.field,))
    same = before.data == change.value.data
    return None if same else Step(at, "changed", (change.field,), before, change.value)


def _add(steps: list[Step], step: Step | None) -> None:
    """A further answer of the same minute joins the line of those before it."""
    last = steps[-1] if steps else None
    if step is None:
        return
    if last and step.what == last.what == "told" and step.at[:MINUTE] == last.at[:MINUTE]:
        steps[-1] = replace(last, fields=(*last.fields, *step.fields))
    else:
        steps.append(step)


MINUTE = len("2026-11-20T14:32")
BEGAN = "Began"
ENDS: Mapping[Status, What] = {Status.SUBMITTED: "submitted", Status.CANCELLED: "cancelled"}
ON: Mapping[str, What] = {ASK: "asked", WITHDRAW: "withdrawn"}
MOVES: Mapping[type, What] = {HandedOver: "person", HandedBack: "back"}
