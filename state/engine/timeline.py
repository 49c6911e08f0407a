"""A record's whole story: who did, said or clicked what and when, what a model or code made of it, and what was decided.

Pure: from the stored events, oldest first. Officers read it in Slack, auditors in a terminal; a person's own view (bot/officers) is shorter.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Protocol

from state.draft.changes import (
    CardOpened,
    Change,
    ChatLineAdded,
    DeliveryNoted,
    Disclosed,
    DocumentKept,
    HandedBack,
    HandedOver,
    StatusMoved,
    ValueRetired,
    ValueSet,
)
from state.draft.draft import Status, Value
from state.draft.record import WITHDRAW, Breach, Came, Decision, Note, Report
from state.draft.record_changes import BreachSet, Decided, DecisionsVoided, NoteSet, RecordMoved, Reported
from state.engine.codec import decode_change

What = Literal[
    "begun", "said", "clicked", "shown", "asked", "review", "told", "changed", "retired", "disclosed", "document", "person", "back",
    "submitted", "cancelled", "decided", "withdrawn", "refused", "voided", "moved", "timer", "undelivered", "delivered",
    "reported", "note_matched", "note_differs", "note_unread", "note_refused", "breach_opened", "breach_closed",
]  # fmt: skip


class Past(Protocol):
    """An event as it is stored."""

    @property
    def kind(self) -> str: ...
    @property
    def body(self) -> dict[str, Any]: ...
    @property
    def changes(self) -> tuple[dict[str, Any], ...]: ...
    @property
    def at(self) -> datetime | None: ...


@dataclass(frozen=True)
class Happening:
    """One thing that happened. `at` is ISO 8601 in UTC, `who` a Slack user id or a part of the bot; the rest as far as it applies."""

    at: str
    who: str
    what: What
    field: str = ""
    text: str = ""
    """Words that were said or shown, the label that was clicked, the timer that fired, why something was retired."""
    was: Value | None = None
    now: Value | None = None
    decision: Decision | None = None
    state: str = ""
    """The record's from here on; of a refused verdict, the verdict."""
    until: str = ""
    report: Report | None = None
    note: Note | None = None
    breach: Breach | None = None


def timeline(events: Iterable[Past]) -> tuple[Happening, ...]:
    """Everything that people may want to know, in order. Events of an erased person say nothing."""
    told: list[Happening] = []
    known: dict[str, Value] = {}
    for event in events:
        told += _happened(event, known)
    return tuple(told)


def _happened(event: Past, known: dict[str, Value]) -> Iterator[Happening]:
    body = event.body
    here = Happening(event.at.isoformat() if event.at else str(body.get("at", "")), str(body.get("who", "")), "begun")
    if event.kind == BEGAN:
        yield replace(here, who=str(body.get("owner", "")))
        return
    changes = [decode_change(change) for change in event.changes]
    act = ACTS.get(event.kind)
    yield from act(here, body, changes) if act else ()
    for change in changes:
        tell = TOLD.get(type(change))
        yield from tell(here, change, known) if tell else ()
        if isinstance(change, ValueSet):
            known[change.field] = change.value


# What somebody did


def _said(here: Happening, body: Mapping[str, Any], changes: list[Change]) -> Iterator[Happening]:
    """Yield the words, and the field that was asked when they were written."""
    asked = (c.line.asked for c in changes if isinstance(c, ChatLineAdded) and c.line.role == "user")
    yield replace(here, what="said", text=str(body.get("text", "")), field=next(asked, None) or "")


def _clicked(here: Happening, body: Mapping[str, Any], _changes: list[Change]) -> Iterator[Happening]:
    if body.get("label") and body.get("act") not in QUIET:
        yield replace(here, what="clicked", text=str(body["label"]), field=str(body.get("field") or ""))


def _verdict(here: Happening, body: Mapping[str, Any], changes: list[Change]) -> Iterator[Happening]:
    """A verdict that no guard let through is part of the story."""
    if not any(isinstance(change, Decided | NoteSet | BreachSet) for change in changes):
        yield replace(here, what="refused", state=str(body.get("verdict", "")))


def _timer(here: Happening, body: Mapping[str, Any], changes: list[Change]) -> Iterator[Happening]:
    """One that found another state than it was set for changed nothing, and is no part of it."""
    if changes or body.get("what") in ("last_day", "note_due"):
        yield replace(here, what="timer", text=str(body.get("what", "")))


# What came of it


def _set(here: Happening, change: ValueSet, known: Mapping[str, Value]) -> Iterator[Happening]:
    before = known.get(change.field)
    if before is None or before.data != change.value.data:
        what: What = "told" if before is None else "changed"
        yield replace(here, what=what, field=change.field, was=before, now=change.value)


def _line(here: Happening, change: ChatLineAdded, _known: object) -> Iterator[Happening]:
    """Return what the bot said; a person's own line is their event."""
    if change.line.role == "assistant" and change.line.text:
        yield replace(here, who="", what="shown", text=change.line.text)


def _card(here: Happening, change: CardOpened, _known: object) -> Iterator[Happening]:
    card = change.card
    if card is not None and card.kind in ("question", "review") and not card.hidden:
        what: What = "review" if card.kind == "review" else "asked"
        yield replace(here, who="", what=what, field=card.field, text=card.words)


def _decided(here: Happening, change: Decided, _known: object) -> Iterator[Happening]:
    what: What = "withdrawn" if change.decision.verdict == WITHDRAW else "decided"
    yield replace(here, what=what, who=change.decision.who, decision=change.decision)


def _moved(here: Happening, change: RecordMoved, _known: object) -> Iterator[Happening]:
    yield replace(here, what="moved", state=change.to, until=change.until, text=change.on)


def _status(here: Happening, change: StatusMoved, _known: object) -> Iterator[Happening]:
    ends: Mapping[Status, What] = {Status.SUBMITTED: "submitted", Status.CANCELLED: "cancelled"}
    if change.to in ends:
        yield replace(here, who="", what=ends[change.to])


def _disclosed(here: Happening, change: Disclosed, _known: object) -> Iterator[Happening]:
    yield replace(here, what="disclosed", field=change.disclosure.field, text=change.disclosure.provenance.words)


def _noted(here: Happening, change: DeliveryNoted, _known: object) -> Iterator[Happening]:
    yield replace(here, who="", what="undelivered" if change.card else "delivered", text=change.what)


def _note(here: Happening, change: NoteSet, _known: object) -> Iterator[Happening]:
    note, came = change.note, NOTES[change.note.came]
    yield replace(here, who=note.by or here.who, what=came, text=note.name, note=note)


def _breach(here: Happening, change: BreachSet, _known: object) -> Iterator[Happening]:
    one = change.breach
    what: What = "breach_opened" if one.open else "breach_closed"
    yield replace(here, who=one.closed_by or one.by or here.who, what=what, breach=one)


NOTES: Mapping[Came, What] = {
    "matched": "note_matched", "differs": "note_differs", "unread": "note_unread", "refused": "note_refused",
}  # fmt: skip
BEGAN = "Began"
QUIET = frozenset({"box_closed", "feedback", "show"})
"""Clicks that are about the screen alone."""
ACTS: Mapping[str, Callable[[Happening, Mapping[str, Any], list[Change]], Iterator[Happening]]] = {
    "MessageReceived": _said, "Said": _said, "Clicked": _clicked, "DecisionMade": _verdict, "TimerFired": _timer,
    "CaseJudged": _verdict,
}  # fmt: skip
TOLD: Mapping[type, Callable[[Happening, Any, Mapping[str, Value]], Iterator[Happening]]] = {
    ValueSet: _set,
    ValueRetired: lambda here, c, _: iter([replace(here, what="retired", field=c.field, text=c.why)]),
    ChatLineAdded: _line,
    CardOpened: _card,
    Disclosed: _disclosed,
    DocumentKept: lambda here, c, _: iter([replace(here, what="document", text=c.document.name)]),
    HandedOver: lambda here, c, _: iter([replace(here, what="person", text=c.why)]),
    HandedBack: lambda here, c, _: iter([replace(here, what="back", who=c.who)]),
    StatusMoved: _status,
    Decided: _decided,
    DecisionsVoided: lambda here, c, _: iter([replace(here, what="voided", text=c.why)]),
    RecordMoved: _moved,
    DeliveryNoted: _noted,
    Reported: lambda here, c, _: iter([replace(here, what="reported", report=c.report)]),
    NoteSet: _note,
    BreachSet: _breach,
}
"""Changes that are part of the story; the machinery is not."""
