"""The history of a record: who did, said or clicked what and when, what came of it, and what was decided. Pure, from its stored events.

Every history is rendered from this one: the officers' modal (`blocks/history.py`), the person's own (`bot/officers/index.py`), and the
dossier in files, on a terminal and on paper (`bot/exports`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, Literal, Protocol, TypeVar

from state.draft import changes as made
from state.draft import record_changes as filed
from state.draft.draft import Draft, Status, Value
from state.draft.record import NO_DECISION, WITHDRAW, Came
from state.draft.route import REPLY
from state.engine.codec import decode_change, decode_draft

What = Literal[
    "begun", "said", "clicked", "shown", "asked", "review", "told", "changed", "retired", "disclosed", "document", "person", "back",
    "submitted", "cancelled", "decided", "answered", "withdrawn", "refused", "voided", "moved", "timer", "undelivered", "delivered",
    "reported", "note_matched", "note_differs", "note_unread", "note_refused", "breach_opened", "breach_closed", "nobody", "waits", "other",
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


P = TypeVar("P", bound=Past)


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
    state: str = ""
    """The record's from here on; of a refused verdict, the verdict."""
    change: made.Change | None = None
    """The stored change that it is; None for an act."""
    before: Draft | None = None
    """The draft that was changed."""


@dataclass(frozen=True)
class Entry(Generic[P]):
    """A stored event, what happened in it, its changes, and the draft after it (None where its words are gone)."""

    event: P
    happenings: tuple[Happening, ...]
    changes: tuple[made.Change, ...]
    draft: Draft | None

    @property
    def who(self) -> str:
        """A Slack user id, or a part of the bot."""
        return str(self.event.body.get("owner" if self.event.kind == BEGAN else "who") or "")


def entries(events: Iterable[P]) -> Iterator[Entry[P]]:
    """Yield an entry for each event, oldest first. Nothing is judged again: the draft is folded from the stored changes."""
    draft: Draft | None = None
    for event in events:
        changes = tuple(map(decode_change, event.changes))
        at = event.at.isoformat() if event.at else str(event.body.get("at", ""))
        entry = Entry(event, (), changes, draft)
        here = Happening(at, entry.who, "begun")
        if event.kind == BEGAN:
            draft = decode_draft(event.body) if event.body else None
            yield replace(entry, happenings=(here,), draft=draft)
            continue
        act = ACTS.get(event.kind)
        happened = list(act(here, event.body, changes)) if act else []
        for change in changes:
            if type(change) not in MACHINERY:
                came = CAME.get(type(change), _other)(replace(here, what="other", change=change, before=draft), change)
                # An answer to the reviewers is told once, as it was sent.
                happened += (replace(one, what="other") if one.field == REPLY else one for one in came)
            draft = made.apply(draft, change) if draft else None
        if draft is not None and entry.draft is not None and changes:
            draft = replace(draft, revision=entry.draft.revision + 1)
        yield replace(entry, happenings=tuple(happened), draft=draft)


def timeline(events: Iterable[Past]) -> tuple[Happening, ...]:
    """Return everything that officers may want to know, in order. Events of an erased person say nothing."""
    return tuple(one for entry in entries(events) for one in entry.happenings if one.what != "other")


# Acts: what somebody did


def _said(here: Happening, body: Mapping[str, Any], changes: Iterable[made.Change]) -> Iterator[Happening]:
    """Yield the words, and the field that was asked when they were written."""
    asked = (c.line.asked for c in changes if isinstance(c, made.ChatLineAdded) and c.line.role == "user")
    yield replace(here, what="said", text=str(body.get("text", "")), field=next(asked, None) or "")


def _clicked(here: Happening, body: Mapping[str, Any], _changes: object) -> Iterator[Happening]:
    if body.get("label") and body.get("act") not in QUIET:
        yield replace(here, what="clicked", text=str(body["label"]), field=str(body.get("field") or ""))


def _verdict(here: Happening, body: Mapping[str, Any], changes: Iterable[made.Change]) -> Iterator[Happening]:
    """Yield a verdict that no guard let through: it is part of the story."""
    if not any(isinstance(change, filed.Decided | filed.NoteSet | filed.BreachSet) for change in changes):
        yield replace(here, what="refused", state=str(body.get("verdict", "")))


def _timer(here: Happening, body: Mapping[str, Any], changes: tuple[made.Change, ...]) -> Iterator[Happening]:
    """Yield a timer, unless it found another state than it was set for and changed nothing."""
    if changes or body.get("what") in ("last_day", "note_due"):
        yield replace(here, what="timer", text=str(body.get("what", "")))


# Changes: what came of it


def _other(here: Happening, _change: object) -> Iterator[Happening]:
    yield here


def _value(here: Happening, field: str) -> Value | None:
    return here.before.values.get(field) if here.before else None


def _set(here: Happening, change: made.ValueSet) -> Iterator[Happening]:
    was = _value(here, change.field)
    what: What = "told" if was is None else "changed" if was.data != change.value.data else "other"
    yield replace(here, what=what, field=change.field, was=was, now=change.value)


def _retired(here: Happening, change: made.ValueRetired) -> Iterator[Happening]:
    yield replace(here, what="retired", field=change.field, was=_value(here, change.field), text=change.why)


def _line(here: Happening, change: made.ChatLineAdded) -> Iterator[Happening]:
    """Yield what the bot said; a person's own line is their event."""
    if change.line.role == "assistant" and change.line.text:
        yield replace(here, who="", what="shown", text=change.line.text)


def _card(here: Happening, change: made.CardOpened) -> Iterator[Happening]:
    card = change.card
    if card is not None and card.kind in ("question", "review") and not card.hidden:
        yield replace(
            here, who="", what="review" if card.kind == "review" else "asked", field=card.field, text=card.words
        )


def _decided(here: Happening, change: filed.Decided) -> Iterator[Happening]:
    what: What = "withdrawn" if change.decision.verdict == WITHDRAW else "decided"
    yield replace(here, what=what, who=change.decision.who)


def _pending(here: Happening, change: filed.PendingDecisionSet) -> Iterator[Happening]:
    """Yield who alone decides, and where nobody can, once each time that this changes."""
    before, pending = here.before.filed.pending if here.before else NO_DECISION, change.pending
    if pending.named and pending.named != before.named:
        yield replace(here, what="waits", who=pending.named[0])
    if pending.lacking and pending.lacking != before.lacking:
        yield replace(here, who="", what="nobody", text=",".join(pending.lacking))


def _status(here: Happening, change: made.StatusMoved) -> Iterator[Happening]:
    yield replace(here, who="", what=ENDS.get(change.to, "other"))


def _disclosed(here: Happening, change: made.Disclosed) -> Iterator[Happening]:
    one = change.disclosure
    yield replace(here, what="disclosed", field=one.field, was=_value(here, one.field), text=one.provenance.words)


def _noted(here: Happening, change: made.DeliveryNoted) -> Iterator[Happening]:
    yield replace(here, who="", what="undelivered" if change.card else "delivered", text=change.what)


def _note(here: Happening, change: filed.NoteSet) -> Iterator[Happening]:
    yield replace(here, who=change.note.by or here.who, what=NOTES[change.note.came], text=change.note.name)


def _breach(here: Happening, change: filed.BreachSet) -> Iterator[Happening]:
    one = change.breach
    yield replace(here, who=one.closed_by or one.by or here.who, what="breach_opened" if one.open else "breach_closed")


def _about_field(here: Happening, change: Any) -> Iterator[Happening]:
    yield replace(
        here, field=change.field, was=_value(here, change.field) if isinstance(change, made.Reopened) else None
    )


BEGAN = "Began"
QUIET = frozenset({"box_closed", "feedback", "show"})
"""Clicks that are about the screen alone."""
ENDS: Mapping[Status, What] = {Status.SUBMITTED: "submitted", Status.CANCELLED: "cancelled"}
NOTES: Mapping[Came, What] = {
    "matched": "note_matched", "differs": "note_differs", "unread": "note_unread", "refused": "note_refused",
}  # fmt: skip
ACTS: Mapping[str, Callable[[Happening, Mapping[str, Any], tuple[made.Change, ...]], Iterator[Happening]]] = {
    "MessageReceived": _said, "Said": _said, "Clicked": _clicked, "DecisionMade": _verdict, "TimerFired": _timer,
    "CaseJudged": _verdict,
}  # fmt: skip
CAME: Mapping[type, Callable[[Happening, Any], Iterator[Happening]]] = {
    made.ValueSet: _set,
    made.ValueRetired: _retired,
    made.ChatLineAdded: _line,
    made.CardOpened: _card,
    made.Disclosed: _disclosed,
    made.DocumentKept: lambda here, c: iter([replace(here, what="document", text=c.document.name)]),
    made.HandedOver: lambda here, c: iter([replace(here, what="person", text=c.why)]),
    made.HandedBack: lambda here, c: iter([replace(here, what="back", who=c.who)]),
    made.StatusMoved: _status,
    filed.Decided: _decided,
    filed.PendingDecisionSet: _pending,
    filed.QueryAnswered: lambda here, c: iter(
        [replace(here, what="answered", who=here.before.owner if here.before else "")]
    ),
    filed.DecisionsVoided: lambda here, c: iter([replace(here, what="voided", text=c.why)]),
    filed.RecordMoved: lambda here, c: iter([replace(here, what="moved", state=c.to, text=c.on)]),
    made.DeliveryNoted: _noted,
    filed.Reported: lambda here, _: iter([replace(here, what="reported")]),
    filed.NoteSet: _note,
    filed.BreachSet: _breach,
    made.Reopened: _about_field,
    made.Locked: _about_field,
    made.Unlocked: _about_field,
}
"""Changes that have a meaning of their own; any other that is no machinery is known by its name alone."""
MACHINERY: frozenset[type] = frozenset({
    made.CardAnswered, made.OptionsFound, made.OffersMade, made.Proposed, made.UndoKept, made.LinesRead, made.TurnBegun, made.Counted,
    made.WayTaken, made.Spoken, made.FileWaits, made.ZoneKnown, made.ReadingsChanged, made.FormsWished, made.LastTimeKnown, made.Closed,
    made.SubmissionChosen, filed.Receipted, made.OperationWaits, made.OperationKept, made.OperationEnded,
    made.SubmissionKept, filed.ReportRead,
})  # fmt: skip
"""Changes of the conversation's machinery, which are part of no story."""
