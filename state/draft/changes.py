"""The one way in which a draft changes. An event stores its changes; folding them rebuilds the draft without judging again."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Literal

from state.draft.documents import Document
from state.draft.draft import (
    ChatLine,
    Disclosure,
    DocumentReading,
    Draft,
    LastTime,
    Offer,
    OpenCard,
    Option,
    PendingOperation,
    Proposal,
    Status,
    Value,
    WishedForms,
)
from state.draft.record_changes import APPLY as APPLY_TO_RECORD
from state.draft.record_changes import RecordChange

OPENING, WINDOW, EARLIER = 2, 8, 24
"""Lines of the conversation that are kept in the draft: its first and its last ones, and the person's between and before."""
EARLIER_LINE = 400
"""Characters kept of a line that has left the window."""


@dataclass(frozen=True)
class ValueSet:
    field: str
    value: Value


@dataclass(frozen=True)
class ValueRetired:
    """The answer no longer counts (its condition turned false, or what it was about changed); its event keeps it."""

    field: str
    why: str


@dataclass(frozen=True)
class Locked:
    field: str


@dataclass(frozen=True)
class Unlocked:
    field: str


@dataclass(frozen=True)
class Reopened:
    field: str


@dataclass(frozen=True)
class Closed:
    """A reopened field is settled again."""

    field: str


@dataclass(frozen=True)
class CardOpened:
    """The card that may be clicked now; None when there is none."""

    card: OpenCard | None
    asked: str = ""


@dataclass(frozen=True)
class CardAnswered:
    field: str
    card: str


@dataclass(frozen=True)
class OptionsFound:
    """Search results to pick from; an empty tuple withdraws them. `query` is what was searched for."""

    field: str
    options: tuple[Option, ...]
    query: str = ""


@dataclass(frozen=True)
class Proposed:
    proposal: Proposal | None


@dataclass(frozen=True)
class OffersMade:
    """The offers that stand now; an empty tuple withdraws them all."""

    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class UndoKept:
    """The values that the last correction replaced; an empty mapping ends the chance to take it back."""

    values: Mapping[str, Value]
    card: str = ""


@dataclass(frozen=True)
class OperationWaits:
    """The one operation that may be confirmed by a click, as versions before 0.2 kept it; None when there is none."""

    waiting: PendingOperation | None


@dataclass(frozen=True)
class OperationKept:
    """An operation waits for its click beside those that do already, or is from now on as it is here."""

    waiting: PendingOperation


@dataclass(frozen=True)
class OperationEnded:
    """An operation waits no more, whatever came of it."""

    proposal: str


@dataclass(frozen=True)
class FormsWished:
    """Other forms are offered on the open card; None when they are no more."""

    wished: WishedForms | None


@dataclass(frozen=True)
class LastTimeKnown:
    """The last record's answers that may be taken again; None where nothing of it may be any more."""

    last_time: LastTime | None


@dataclass(frozen=True)
class Disclosed:
    disclosure: Disclosure


@dataclass(frozen=True)
class ChatLineAdded:
    """A line of the conversation enters the window; the oldest of a full window leaves it, unless nobody has read it yet."""

    line: ChatLine


@dataclass(frozen=True)
class LinesRead:
    """A reader has judged every line that was typed so far; or code took the newest one whole."""

    which: Literal["all", "newest"] = "all"


@dataclass(frozen=True)
class TurnBegun:
    """A person's act: replies of the model to earlier turns are late from here on."""


@dataclass(frozen=True)
class ZoneKnown:
    """The owner's time zone (IANA)."""

    zone: str


@dataclass(frozen=True)
class DocumentKept:
    """A file that a field took."""

    document: Document


@dataclass(frozen=True)
class ReadingsChanged:
    """The values that documents propose from now on."""

    readings: tuple[DocumentReading, ...]


@dataclass(frozen=True)
class Counted:
    """A counter of the draft, or a mark (0 or 1), by the attribute's name. One that drafts no longer have changes nothing."""

    name: str
    to: int


@dataclass(frozen=True)
class WayTaken:
    """A way with a limit was followed this often by now. `way` is `stages.way_key`."""

    way: str
    times: int


@dataclass(frozen=True)
class Spoken:
    """A sentence that has several wordings was shown in this one, counted from 1."""

    sentence: str
    wording: int


@dataclass(frozen=True)
class FileWaits:
    """A document waits for the row that the words beside it make, or does no longer."""

    document: str
    waits: bool


@dataclass(frozen=True)
class StageMoved:
    to: str
    on: str


@dataclass(frozen=True)
class SubmissionChosen:
    """A transition that files waits for the review's confirmation; the empty trigger gives it up."""

    on: str


@dataclass(frozen=True)
class HandedOver:
    """A person has the conversation from here on: the bot is silent."""

    why: str


@dataclass(frozen=True)
class FaultNoted:
    """A function of the form's rules.py failed, at a line of its file: what the event was to do is not done. The draft stays as it is."""

    what: str
    where: str
    error: str


@dataclass(frozen=True)
class HandedBack:
    """The bot answers again, in the stage that was left for the person."""

    who: str


@dataclass(frozen=True)
class StatusMoved:
    to: Status
    on: str


@dataclass(frozen=True)
class DeliveryNoted:
    """The person was told on this card that something could not be delivered; without a card, that it has been."""

    what: str
    card: str = ""


@dataclass(frozen=True)
class SubmissionKept:
    """The submitted answers are kept beside the present ones: the owner gives some of them again."""


Change = (
    ValueSet | ValueRetired | Locked | Unlocked | Reopened | Closed | CardOpened | CardAnswered | OptionsFound | Proposed
    | UndoKept | Disclosed | ChatLineAdded | TurnBegun | Counted | StageMoved | StatusMoved | ZoneKnown
    | SubmissionChosen | HandedOver | HandedBack | DocumentKept | ReadingsChanged | OffersMade
    | OperationWaits | OperationKept | OperationEnded | WayTaken | FileWaits | LinesRead | Spoken | FormsWished | LastTimeKnown
    | DeliveryNoted | SubmissionKept | FaultNoted | RecordChange
)  # fmt: skip


def apply(draft: Draft, change: Change) -> Draft:
    """Return the draft after one change. The revision is counted per event, by `fold`."""
    kind = type(change)
    if kind in APPLY_TO_RECORD:
        return draft.changed(filed=APPLY_TO_RECORD[kind](draft.filed, change))
    return APPLY[kind](draft, change)


def fold(draft: Draft, changes: Iterable[Change]) -> Draft:
    """Return the draft after an event's changes: one revision later, or the same draft where nothing changed."""
    changes = tuple(changes)
    after = reduce(apply, changes, draft)
    return after.changed(revision=draft.revision + 1) if changes else draft


def _without(mapping: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return {k: v for k, v in mapping.items() if k != key}


def _retire(draft: Draft, change: ValueRetired) -> Draft:
    return draft.changed(
        values=_without(draft.values, change.field),
        locked_fields=draft.locked_fields - {change.field},
        reopened=tuple(n for n in draft.reopened if n != change.field),
        options=_without(draft.options, change.field),
        undo=_without(draft.undo, change.field),
        offers=tuple(o for o in draft.offers if o.field != change.field),
    )


def _hear(draft: Draft, change: ChatLineAdded) -> Draft:
    if len(draft.opening) < OPENING and not draft.window:
        return draft.changed(opening=(*draft.opening, change.line))
    lines = (*draft.window, change.line)
    waiting = tuple(s for s in lines[:-WINDOW] if s.unread)
    gone = (s for s in lines[:-WINDOW] if not s.unread)
    return draft.changed(window=(*waiting, *lines[-WINDOW:]), earlier=kept_earlier(draft.earlier, gone))


def _lines_read(draft: Draft, change: LinesRead) -> Draft:
    lines = (*draft.opening, *draft.window)
    if change.which == "newest":
        last = max((i for i, s in enumerate(lines) if s.role == "user" and not s.clicked), default=-1)
        lines = tuple(replace(s, unread=False) if i == last else s for i, s in enumerate(lines))
    else:
        lines = tuple(replace(s, unread=False, read=draft.turn) if s.unread else s for s in lines)
    return draft.changed(opening=lines[: len(draft.opening)], window=lines[len(draft.opening) :])


def kept_earlier(earlier: tuple[ChatLine, ...], gone: Iterable[ChatLine]) -> tuple[ChatLine, ...]:
    """Return the person's typed lines, cut, the newest `EARLIER` of them."""
    typed = (replace(s, text=s.text[:EARLIER_LINE]) for s in gone if s.role == "user" and not s.clicked)
    return (*earlier, *typed)[-EARLIER:]


def _keep_operation(draft: Draft, change: OperationKept) -> Draft:
    """Put the operation in its own place where it is known, else behind the others."""
    one, held = change.waiting, draft.pending_operations
    known = any(o.proposal == one.proposal for o in held)
    after = tuple(one if o.proposal == one.proposal else o for o in held) if known else (*held, one)
    return draft.changed(pending_operations=after)


def _note_delivery(draft: Draft, change: DeliveryNoted) -> Draft:
    rest = _without(draft.undelivered, change.what)
    return draft.changed(undelivered={**rest, change.what: change.card} if change.card else rest)


COUNTERS = frozenset([
    "turns_in_vain", "stood_turn", "failures", "submissions_failed", "shown_turn", "gained_turn", "last_entry", "boxes_closed",
    "deed_turn",
])  # fmt: skip
MARKS = frozenset({"model_away", "phase_chosen"})
"""The draft's counters, and its marks, by their attributes."""


def _count(draft: Draft, change: Counted) -> Draft:
    to: dict[str, Any] = {change.name: bool(change.to) if change.name in MARKS else change.to}
    return draft.changed(**to) if change.name in COUNTERS | MARKS else draft


APPLY: Mapping[type, Callable[[Draft, Any], Draft]] = {
    ValueSet: lambda d, c: d.changed(values={**d.values, c.field: c.value}, sought=_without(d.sought, c.field)),
    ValueRetired: _retire,
    DeliveryNoted: _note_delivery,
    Locked: lambda d, c: d.changed(locked_fields=d.locked_fields | {c.field}),
    Unlocked: lambda d, c: d.changed(locked_fields=d.locked_fields - {c.field}),
    Reopened: lambda d, c: d.changed(reopened=(c.field, *(n for n in d.reopened if n != c.field))),
    Closed: lambda d, c: d.changed(reopened=tuple(n for n in d.reopened if n != c.field)),
    CardOpened: lambda d, c: d.changed(card=c.card, asked=c.asked),
    CardAnswered: lambda d, c: d.changed(answered_cards={**d.answered_cards, c.field: c.card}),
    OptionsFound: lambda d, c: d.changed(
        options={**d.options, c.field: c.options} if c.options else _without(d.options, c.field),
        sought={**d.sought, c.field: c.query} if c.query else d.sought,
    ),
    Proposed: lambda d, c: d.changed(proposal=c.proposal),
    OffersMade: lambda d, c: d.changed(offers=c.offers),
    UndoKept: lambda d, c: d.changed(undo=c.values, undo_card=c.card),
    Disclosed: lambda d, c: d.changed(disclosures=(*d.disclosures, c.disclosure)),
    ChatLineAdded: _hear,
    LinesRead: _lines_read,
    TurnBegun: lambda d, _: d.changed(turn=d.turn + 1),
    Counted: _count,
    WayTaken: lambda d, c: d.changed(ways_taken={**d.ways_taken, c.way: c.times}),
    Spoken: lambda d, c: d.changed(spoken={**d.spoken, c.sentence: c.wording}),
    FileWaits: lambda d, c: d.changed(
        files_waiting=(*(i for i in d.files_waiting if i != c.document), *((c.document,) if c.waits else ()))
    ),
    StageMoved: lambda d, c: d.changed(stage=c.to, going="", came_from=d.stage),
    SubmissionChosen: lambda d, c: d.changed(going=c.on),
    HandedOver: lambda d, c: d.changed(handed=c.why),
    FaultNoted: lambda d, _: d,
    HandedBack: lambda d, _: d.changed(handed=""),
    StatusMoved: lambda d, c: d.changed(status=c.to),
    SubmissionKept: lambda d, _: d.changed(submitted=d.values),
    OperationWaits: lambda d, c: d.changed(pending_operations=(c.waiting,) if c.waiting else ()),
    OperationKept: _keep_operation,
    OperationEnded: lambda d, c: d.changed(
        pending_operations=tuple(o for o in d.pending_operations if o.proposal != c.proposal)
    ),
    LastTimeKnown: lambda d, c: d.changed(last_time=c.last_time),
    FormsWished: lambda d, c: d.changed(wished=c.wished),
    ZoneKnown: lambda d, c: d.changed(zone=c.zone),
    ReadingsChanged: lambda d, c: d.changed(readings=c.readings),
    DocumentKept: lambda d, c: d.changed(documents={**d.documents, c.document.id: c.document}),
}
