"""Records for auditors: everything as JSON, or one row a value as CSV with formula cells made harmless."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.proof.export import Wanted, wanted_records
from state.stores.cells import harmless
from state.stores.rows import Record
from state.stores.store import Store

COLUMNS = (
    "number", "state", "filed_at", "owner", "hash", "field", "value", "label", "sure", "grade",
    "who", "at", "how", "message", "words", "reader",
)  # fmt: skip


async def export(store: Store, form: str, kind: str) -> str:
    """All records of a form as text: "json" or "csv"."""
    return (await wanted_text(store, Wanted(form), kind))[1]


async def wanted_text(store: Store, wanted: Wanted, kind: str) -> tuple[int, str]:
    """How many records are wanted, and all of them as text: "json" or "csv"."""
    records = [record async for record in wanted_records(store, wanted)]
    if kind == "json":
        return len(records), json.dumps([_whole(r) for r in records], ensure_ascii=False, indent=2) + "\n"
    return len(records), _csv(row for record in records for row in _rows(record))


def _whole(record: Record) -> Mapping[str, Any]:
    filed = record.filed_at.isoformat() if record.filed_at else None
    head = {
        "number": record.number,
        "form": record.form,
        "draft": record.draft,
        "state": record.state,
        "filed_at": filed,
    }
    return {**head, "hash": record.hash, "erased": record.erased, **record.body}


def _rows(record: Record) -> Iterator[dict[str, Any]]:
    head = {
        "number": record.number,
        "state": record.state,
        "filed_at": record.filed_at.isoformat() if record.filed_at else "",
        "owner": record.body.get("owner", ""),
        "hash": record.hash,
    }
    for name, value in record.body.get("values", {}).items():
        yield {**head, **value["provenance"], "field": name, "value": value["data"], **_told(value)}
    for disclosure in record.body.get("disclosures", ()):
        yield {**head, **disclosure["provenance"], "field": disclosure["field"], "value": "disclosed"}
    if not record.body.get("values"):
        yield head


def _told(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.get(name, "") for name in ("label", "sure", "grade")}


def _csv(rows: Iterator[dict[str, Any]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: harmless(cell) for name, cell in row.items()} for row in rows)
    return out.getvalue()
