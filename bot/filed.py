"""What was filed, as a draft again: a record's answers can be shown like any other's."""

from collections.abc import Mapping
from typing import Any

from state.draft.draft import Draft, Status
from state.draft.essence import essence
from state.engine.codec import decode_draft
from state.fields.base import Context
from state.form import Form
from state.stores.protocol import Record


def draft_of_record(record: Record) -> Draft:
    """The record's answers and disclosures; of an emptied record, none."""
    body = record.body
    stored = {
        "id": record.draft, "form": record.form, "tenant": record.tenant, "owner": str(body.get("owner", "")),
        "conversation": "", "status": Status.SUBMITTED, "record": record.number,
        "values": body.get("values", {}), "disclosures": body.get("disclosures", []),
    }  # fmt: skip
    return decode_draft(stored)


def essence_of_record(form: Form, record: Record, today: str) -> str:
    """What the record is about, in a line; `today` (ISO 8601) says how days read."""
    return essence(form, draft_of_record(record), Context(form.language, today))


def filing_of(record: Record) -> Mapping[str, Any]:
    """What the person was told when it was filed: `told`, `until`, `files`. Nothing, where the record has another state by now."""
    filed: Mapping[str, Any] = record.body.get("filed") or {}
    return filed if filed.get("state") == record.state else {"files": filed.get("files", [])}
