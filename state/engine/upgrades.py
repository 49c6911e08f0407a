"""Bodies stored by earlier versions, in the shape of today: what was once a bag of counters is named fields now."""

from collections.abc import Mapping
from typing import Any

NAMES = {
    "stuck": "turns_in_vain",
    "failures": "failures",
    "unfiled": "submissions_failed",
    "away": "model_away",
    "shown": "shown_turn",
    "gained": "gained_turn",
    "phase_chosen": "phase_chosen",
    "last_entry": "last_entry",
}
"""Counters by the names that they had in `Draft.counts`."""
MARKS = ("model_away", "phase_chosen")
STAGE, FILE = "stage:", "file_waits:"


def upgraded_draft(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored draft whose counters have names of their own, and in which any number of operations may wait."""
    if body.get("waiting") and "pending_operations" not in body:
        body = {**body, "pending_operations": [body["waiting"]]}
    counts: Mapping[str, int] = body.get("counts") or {}
    if not counts:
        return body
    named = {NAMES[name]: n for name, n in counts.items() if name in NAMES}
    marks = {name: bool(n) for name, n in named.items() if name in MARKS}
    ways = {name.removeprefix(STAGE): n for name, n in counts.items() if name.startswith(STAGE)}
    files = [name.removeprefix(FILE) for name, n in counts.items() if name.startswith(FILE) and n]
    return {"ways_taken": ways, "files_waiting": files, **named, **marks, **body}


def upgraded_change(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored change as it is written today."""
    if body.get("kind") != "Counted":
        return body
    name, to = str(body["name"]), body["to"]
    if name.startswith(STAGE):
        return {"kind": "WayTaken", "way": name.removeprefix(STAGE), "times": to}
    if name.startswith(FILE):
        return {"kind": "FileWaits", "document": name.removeprefix(FILE), "waits": bool(to)}
    return {**body, "name": NAMES.get(name, name)}
