"""Drafts, events, changes and effects to JSON and back. What a stored draft lacks takes its default; what it has beyond that is ignored."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from state.draft.changes import Change, ChatLineAdded, SubmissionChosen
from state.draft.draft import Draft
from state.draft.record_changes import PendingDecisionSet
from state.engine import events
from state.engine.effects import Effect, Ephemeral


def encode(thing: Any) -> dict[str, Any]:
    """Return a frozen dataclass as JSON, with its kind (`"kind": "ValueSet"`) where a union needs one to read it back."""
    body: dict[str, Any] = ADAPTERS[type(thing).__name__].dump_python(thing, mode="json")
    return {"kind": type(thing).__name__, **body}


def decode_draft(body: dict[str, Any]) -> Draft:
    """Read a stored draft. Raises pydantic's ValidationError for what is none."""
    draft: Draft = _read(Draft, upgraded_draft(body))
    return draft


def decode_event(body: dict[str, Any]) -> events.DraftEvent:
    """Read a stored event of any kind."""
    event: events.DraftEvent = _read(EVENTS[body["kind"]], body)
    return event


def decode_change(body: Mapping[str, Any]) -> Change:
    """Read a stored change of any kind."""
    body = upgraded_change(body)
    change: Change = _read(CHANGES[body["kind"]], body)
    return change


def decode_effect(body: dict[str, Any]) -> Effect:
    """Read a stored effect of any kind."""
    effect: Effect = _read(EFFECTS[body["kind"]], body)
    return effect


def _read(kind: type, body: Mapping[str, Any]) -> Any:
    return ADAPTERS[kind.__name__].validate_python({k: v for k, v in body.items() if k != "kind"})


FORMER: dict[str, type] = {
    "Said": events.MessageReceived, "Replied": events.ModelReplied, "Found": events.LookupCompleted, "Gathered": events.FactsGathered,
    "Received": events.DocumentsReceived, "Operated": events.OperationCompleted, "Heard": ChatLineAdded, "Going": SubmissionChosen,
    "DocketSet": PendingDecisionSet,
}  # fmt: skip
"""Kinds by the names under which version 0.1 stored them."""


EVENTS: dict[str, type] = FORMER | {kind.__name__: kind for kind in events.DraftEvent.__args__}
CHANGES: dict[str, type] = FORMER | {kind.__name__: kind for kind in Change.__args__}
EFFECTS: dict[str, type] = {"Whisper": Ephemeral} | {kind.__name__: kind for kind in Effect.__args__}
KINDS: dict[str, type] = {Draft.__name__: Draft, **EVENTS, **CHANGES, **EFFECTS}


class _Adapters(dict[str, TypeAdapter[Any]]):
    """Each is built when its kind is first met: a command that reads records needs one of forty."""

    def __missing__(self, name: str) -> TypeAdapter[Any]:
        return self.setdefault(name, TypeAdapter(KINDS[name]))


ADAPTERS = _Adapters()


# Bodies stored by earlier versions, in the shape of today: what was once a bag of counters is named fields now


NAMES = {
    "stuck": "turns_in_vain", "failures": "failures", "unfiled": "submissions_failed", "away": "model_away", "shown": "shown_turn",
    "gained": "gained_turn", "phase_chosen": "phase_chosen", "last_entry": "last_entry",
}  # fmt: skip
"""Counters by the names that they had in `Draft.counts`."""
MARKS = ("model_away", "phase_chosen")
STAGE, FILE = "stage:", "file_waits:"
OF_RECORD = {
    "record": "number", "state": "state", "valid_until": "valid_until", "held_until": "held_until", "receipt": "receipt",
    "filed_at": "filed_at", "docket": "pending", "decisions": "decisions", "reports": "reports", "reporting": "reporting",
    "notes": "notes", "breaches": "breaches",
}  # fmt: skip
"""Attributes of a record by the names under which drafts held them before records were apart."""


def upgraded_draft(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a stored draft whose record is apart and whose counters have names of their own, and in which any number of operations may wait."""
    if "filed" not in body:
        body = {**body, "filed": {now: body[was] for was, now in OF_RECORD.items() if was in body}}
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
    """Return a stored change as it is written today."""
    if body.get("kind") == "DocketSet":
        return {"kind": "PendingDecisionSet", "pending": body["docket"]}
    if body.get("kind") != "Counted":
        return body
    name, to = str(body["name"]), body["to"]
    if name.startswith(STAGE):
        return {"kind": "WayTaken", "way": name.removeprefix(STAGE), "times": to}
    if name.startswith(FILE):
        return {"kind": "FileWaits", "document": name.removeprefix(FILE), "waits": bool(to)}
    return {**body, "name": NAMES.get(name, name)}
