"""Drafts and events stored when counters were one bag are read into the fields that they have now."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.changes import fold
from state.draft.draft import Draft
from state.engine.codec import decode_change, decode_draft, encode

IDENTITY = {"kind": "Draft", "id": "d1", "form": "small", "tenant": "T1", "owner": "U0ALEX", "conversation": "T1:D1:"}
BAG = {
    "stuck": 1, "failures": 2, "unfiled": 1, "away": 1, "shown": 4, "gained": 3, "phase_chosen": 0, "last_entry": 7,
    "stage:reading:retry": 2, "file_waits:doc-1": 1, "file_waits:doc-2": 0, "coached:reason": 1,
}  # fmt: skip
NAMED: dict[str, Any] = {
    "turns_in_vain": 1, "failures": 2, "submissions_failed": 1, "model_away": True, "shown_turn": 4, "gained_turn": 3,
    "phase_chosen": False, "last_entry": 7, "ways_taken": {"reading:retry": 2}, "files_waiting": ("doc-1",),
}  # fmt: skip


def test_a_stored_bag_of_counters_is_read_into_named_fields() -> None:
    """Every counter of a draft stored with the bag stands under its name; one that nobody knows any more is left out."""
    loaded = decode_draft({**IDENTITY, "revision": 3, "counts": BAG})
    assert {name: getattr(loaded, name) for name in NAMED} == NAMED
    assert decode_draft(encode(loaded)) == loaded


@pytest.mark.parametrize("bag", [{}, {"stuck": 0}, {"shown": 0, "away": 1}, {"stage:a:b": 1, "file_waits:x": 1}, BAG])
def test_folding_stored_counters_rebuilds_the_stored_draft(bag: dict[str, int]) -> None:
    """The changes of an event stored with the bag make the very draft that was stored after it."""
    changes = [{"kind": "Counted", "name": name, "to": to} for name, to in bag.items()]
    rebuilt = fold(decode_draft({**IDENTITY, "counts": {}}), [decode_change(c) for c in changes])
    assert rebuilt == decode_draft({**IDENTITY, "revision": int(bool(bag)), "counts": bag})


def test_a_draft_of_today_keeps_its_counters() -> None:
    """What is stored now is read back as it is, an empty bag beside it or none."""
    today = replace(Draft("d1", "small", "T1", "U0ALEX", "T1:D1:"), **NAMED)
    assert decode_draft({**encode(today), "counts": {}}) == decode_draft(encode(today)) == today
