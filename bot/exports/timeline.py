"""A record's whole story from what is stored: who did what, when, what it changed, and what was shown then. Nothing is judged again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from blocks.screen import screen_lines
from state.draft import changes as made
from state.draft import record_changes as filed
from state.draft.changes import fold
from state.draft.draft import Draft, Value
from state.engine.codec import decode_change, decode_draft, encode
from state.stores.proof import Shown
from state.stores.rows import StoredEvent

BEGAN = "Began"


@dataclass(frozen=True)
class Move:
    """Something that changed. `what` is the kind of change; `text` says it where it is no answer."""

    what: str
    field: str = ""
    before: Value | None = None
    after: Value | None = None
    text: str = ""


@dataclass(frozen=True)
class Seen:
    """What was put before somebody: `where` is the channel, `who` the one person who reads it there, "" for all in it."""

    at: datetime | None
    kind: str
    where: str
    who: str
    card: str
    lines: tuple[str, ...]
    status: str


@dataclass(frozen=True)
class Moment:
    """One event. `who` is a Slack id, or a part of the bot; `reader` what read open words: a model's name, or "rules"."""

    n: int
    at: datetime
    kind: str
    who: str
    said: str
    reader: str
    moves: tuple[Move, ...]
    form_version: str
    rules_version: str
    hash: str


def until(events: Sequence[StoredEvent], moment: datetime | None) -> list[StoredEvent]:
    """Return the events that had been written down by then; all of them with None."""
    return [e for e in events if moment is None or (e.at is not None and e.at <= moment)]


def rebuilt(events: Sequence[StoredEvent]) -> Draft | None:
    """Return the draft after these events, by folding their changes; None where there is none to begin with."""
    draft: Draft | None = None
    for event in events:
        if event.kind == BEGAN:
            draft = decode_draft(event.body)
        elif draft is not None:
            draft = fold(draft, map(decode_change, event.changes))
    return draft


def retold(events: Sequence[StoredEvent]) -> tuple[list[Moment], Draft | None]:
    """Return everything that happened to a record, oldest first, and the draft at its end: both in one walk."""
    draft: Draft | None = None
    told = []
    for event in events:
        moves, draft = _moves(event, decode_draft(event.body) if event.kind == BEGAN else draft)
        told.append(_moment(event, moves))
    return told, draft


def seen(one: Shown) -> Seen:
    """Return what was shown, in words."""
    body = one.body
    name = f"[{body.get('name')}]" if one.kind in ("attach", "forward") else ""
    lines = screen_lines({"text": body.get("comment"), "files": []} if name else body)
    where, who = str(body.get("channel", "")), str(body.get("user", ""))
    return Seen(one.at, one.kind, where, who, str(body.get("card", "")), (*lines, *filter(None, [name])), one.status)


def _moment(event: StoredEvent, moves: Sequence[Move]) -> Moment:
    body = event.body
    who = str(body.get("owner") if event.kind == BEGAN else body.get("who", ""))
    assert event.at is not None  # noqa: S101  the store sets it
    return Moment(
        event.n, event.at, event.kind, who, _said(event), str(body.get("reader") or ""), tuple(moves),
        event.form_version, event.rules_version, event.hash,
    )  # fmt: skip


def _said(event: StoredEvent) -> str:
    """Return what was typed, clicked or decided, in the words of whoever did it."""
    body = event.body
    files = [f"[{file.get('name')}]" for file in body.get("files") or ()]
    words = body.get("text") if event.kind == "MessageReceived" else body.get("label") or body.get("verdict")
    act = body.get("act") or body.get("purpose") or body.get("what") or ""
    return " ".join(filter(None, (str(words or act or ""), *files)))


def _moves(event: StoredEvent, draft: Draft | None) -> tuple[list[Move], Draft | None]:
    """Return what changed for whoever reads the record, and the draft after it; the machinery of the conversation is left out."""
    if draft is None or not event.changes:
        return [], draft
    moves, revision = [], draft.revision + 1
    for change in map(decode_change, event.changes):
        kind = type(change)
        if kind not in MACHINERY:
            moves.append(TOLD.get(kind, _other)(change, draft))
        draft = made.apply(draft, change)
    return moves, replace(draft, revision=revision)


def _answered(change: made.ValueSet, draft: Draft) -> Move:
    return Move("answer", change.field, draft.values.get(change.field), change.value)


def _retired(change: made.ValueRetired, draft: Draft) -> Move:
    return Move("retired", change.field, draft.values.get(change.field), text=change.why)


def _disclosed(change: made.Disclosed, draft: Draft) -> Move:
    one = change.disclosure
    return Move("disclosure", one.field, draft.values.get(one.field), text=one.provenance.words)


def _moved(change: filed.RecordMoved, draft: Draft) -> Move:
    good = f", good until {change.until}" if change.until else ""
    return Move("state", text=f"{draft.filed.state or '–'} → {change.to} ({change.on}){good}")


def _decided(change: filed.Decided, _: Draft) -> Move:
    one = change.decision
    given = {
        "as": one.role,
        "in the place of": one.deputy_of,
        "reason": one.reason,
        "conditions": one.conditions,
        "note": one.note,
    }
    told = "; ".join(f"{name} {text}" for name, text in given.items() if text)
    return Move("decision", text=f"{one.verdict} by {one.who} in {one.state} → {one.to}{'; ' if told else ''}{told}")


def _reported(change: filed.Reported, draft: Draft) -> Move:
    """Return what was done, and what was reported before it."""
    before = f"; before: {_figures(draft.filed.report.figures)}" if draft.filed.report else ""
    return Move("report", text=f"{_figures(change.report.figures)}{before}")


def _figures(figures: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in figures.items())


def _note(change: filed.NoteSet, _: Draft) -> Move:
    one = change.note
    held = ", ".join(f"{f.name} {f.noted} ({'as' if f.same else 'not'} {f.reported})" for f in one.figures)
    told = (f"{one.name}: {one.came}", held, *_by(one.by, one.role, one.deputy_of, one.reason))
    return Move("note", text="; ".join(filter(None, told)))


def _breach(change: filed.BreachSet, _: Draft) -> Move:
    one = change.breach
    said = one.words or f"{one.kind} {_figures(one.said)}".strip()
    if one.open:
        return Move("breach", text=f"opened by {one.by or 'a rule'}: {said}")
    return Move("breach", text="; ".join((f"closed: {said}", *_by(one.closed_by, one.role, one.deputy_of, one.reason))))


def _by(who: str, role: str, deputy_of: str, reason: str) -> tuple[str, ...]:
    given = {"by": who, "as": role, "in the place of": deputy_of, "reason": reason}
    return tuple(f"{name} {text}" for name, text in given.items() if text)


def _other(change: Any, _: Draft) -> Move:
    """Whatever else there is: its name, and what it says."""
    return Move(type(change).__name__, text=_plainly({n: v for n, v in encode(change).items() if n != "kind"}))


def _plainly(told: Any) -> str:
    """Data in a line: what is there, under its name."""
    if isinstance(told, Mapping):
        return "; ".join(f"{name} {_plainly(one)}" for name, one in told.items() if one not in ("", None, [], {}))
    return ", ".join(map(_plainly, told)) if isinstance(told, list) else str(told)


TOLD: Mapping[type, Callable[[Any, Draft], Move]] = {
    made.ValueSet: _answered,
    made.ValueRetired: _retired,
    made.Disclosed: _disclosed,
    filed.RecordMoved: _moved,
    filed.Decided: _decided,
    made.StatusMoved: lambda change, draft: Move("status", text=f"{draft.status} → {change.to}"),
    filed.RecordGiven: lambda change, _: Move("record", text=change.number),
    filed.DecisionsVoided: lambda change, _: Move("decisions void", text=change.why),
    made.Reopened: lambda change, draft: Move("reopened", change.field, draft.values.get(change.field)),
    made.Locked: lambda change, _: Move("locked", change.field),
    made.Unlocked: lambda change, _: Move("unlocked", change.field),
    made.HandedOver: lambda change, _: Move("handed to a person", text=change.why),
    filed.Reported: _reported,
    filed.NoteSet: _note,
    filed.BreachSet: _breach,
    made.HandedBack: lambda change, _: Move("handed back", text=change.who),
}
MACHINERY: frozenset[type] = frozenset({
    made.CardOpened, made.CardAnswered, made.OptionsFound, made.OffersMade, made.Proposed, made.UndoKept, made.ChatLineAdded, made.LinesRead,
    made.TurnBegun, made.Counted, made.WayTaken, made.Spoken, made.FileWaits, made.ZoneKnown, made.ReadingsChanged, made.FormsWished,
    made.LastTimeKnown, made.Closed, made.SubmissionChosen, filed.Receipted, filed.PendingDecisionSet, made.DeliveryNoted, made.OperationWaits,
    made.OperationKept, made.OperationEnded, made.SubmissionKept, filed.ReportRead,
})  # fmt: skip
"""Changes of the conversation alone; one that is neither here nor in `TOLD` is told by its own name."""
