"""Drafts stored when a record's attributes were still the draft's own are read as a draft with its record."""

import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from state.draft.changes import apply
from state.engine.codec import OF_RECORD, decode_change, decode_draft, encode

KEPT: dict[str, list[dict[str, Any]]] = json.loads(
    gzip.decompress(Path(__file__).with_name("drafts.json.gz").read_bytes())
)
"""Drafts of played scenarios of every form, with their events: open, cancelled, waiting, decided, reported, breached, withdrawn."""
DRAFTS = [
    pytest.param(one, id=f"{scenario}-{n}")
    for scenario, drafts in KEPT.items()
    for n, one in enumerate(drafts)
    if one["draft"]
]


@pytest.mark.parametrize("kept", DRAFTS)
def test_a_stored_record_is_read_whole(kept: dict[str, Any]) -> None:
    """Whatever the draft held of its record stands in the record, and is stored there from now on."""
    filed = encode(decode_draft(kept["draft"]))["filed"]
    then = {now: kept["draft"][was] for was, now in OF_RECORD.items() if was in kept["draft"]}
    assert as_then(filed, then) == then


def as_then(now: Any, then: Any) -> Any:
    """What is stored now, without the attributes that there were not."""
    if isinstance(then, dict):
        return {name: as_then(now[name], one) for name, one in then.items()}
    return [*map(as_then, now, then)] if isinstance(then, list) and len(now) == len(then) else now


@pytest.mark.parametrize("kept", DRAFTS)
def test_stored_events_lead_to_the_stored_draft(kept: dict[str, Any]) -> None:
    """Folding the changes of every stored event, as they were written then, gives the draft that was stored last."""
    draft = decode_draft(kept["events"][0]["body"])
    for event in kept["events"][1:]:
        for change in event["changes"]:
            draft = apply(draft, decode_change(change))
    assert draft == replace(decode_draft(kept["draft"]), revision=draft.revision)


def test_every_situation_is_among_them() -> None:
    """The kept drafts hold every status, and records that were decided, reported, breached, noted and asked back."""
    bodies = [one["draft"] for drafts in KEPT.values() for one in drafts if one["draft"]]
    assert {body["status"] for body in bodies} == {"open", "submitted", "cancelled", "escalated"}
    held = Counter(
        name for body in bodies for name in ("decisions", "reports", "notes", "breaches", "submitted") if body.get(name)
    )
    assert set(held) == {"decisions", "reports", "notes", "breaches", "submitted"}
