"""The one way in which a record changes: part of its draft's changes, so that one event changes both or neither."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from state.draft.record import ASK, Breach, Decision, Note, PendingDecision, Record, Report


@dataclass(frozen=True)
class RecordGiven:
    """The store gave the record its number."""

    number: str


@dataclass(frozen=True)
class RecordMoved:
    """The record is in another state from here on, which counts until a day (ISO 8601) where there is one."""

    to: str
    on: str
    until: str = ""


@dataclass(frozen=True)
class Receipted:
    """The card that shows the record's state, when it was filed, and what its owner was told then."""

    card: str
    at: str = ""
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class PendingDecisionSet:
    """Reviewers are to decide something else from here on, or nothing."""

    pending: PendingDecision


@dataclass(frozen=True)
class Decided:
    """Somebody gave a verdict."""

    decision: Decision


@dataclass(frozen=True)
class DecisionsVoided:
    """The decisions so far no longer count."""

    why: str


@dataclass(frozen=True)
class QueryAnswered:
    """The owner answered the reviewers' last question in words."""

    words: str


@dataclass(frozen=True)
class ReportRead:
    """A report that was read of the person's words waits for their click; None when it does no more."""

    report: Report | None


@dataclass(frozen=True)
class Reported:
    """The owner said what was done. One after another puts that right."""

    report: Report


@dataclass(frozen=True)
class NoteSet:
    """A note came, or was judged."""

    note: Note


@dataclass(frozen=True)
class BreachSet:
    """A breach was opened, or closed."""

    breach: Breach


RecordChange = (
    RecordGiven | RecordMoved | Receipted | PendingDecisionSet | Decided | DecisionsVoided | QueryAnswered | ReportRead | Reported | NoteSet
    | BreachSet
)  # fmt: skip


class Identified(Protocol):
    """Anything that a record holds several of."""

    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=Identified)


def _with(held: tuple[Item, ...], one: Item) -> tuple[Item, ...]:
    """Return them with this one in its own place where it is known, else behind the others."""
    known = any(other.id == one.id for other in held)
    return tuple(one if other.id == one.id else other for other in held) if known else (*held, one)


def _answered(decisions: tuple[Decision, ...], words: str) -> tuple[Decision, ...]:
    """Return the decisions with the answer beside the question that was asked last."""
    last = max((i for i, one in enumerate(decisions) if one.verdict == ASK), default=-1)
    return tuple(replace(one, answer=words) if i == last else one for i, one in enumerate(decisions))


APPLY: Mapping[type, Callable[[Record, Any], Record]] = {
    RecordGiven: lambda r, c: replace(r, number=c.number),
    RecordMoved: lambda r, c: replace(
        r, state=c.to, valid_until=c.until, held_until=c.until or r.valid_until or r.held_until
    ),
    Receipted: lambda r, c: replace(r, receipt=c.card, filed_at=c.at, told=c.told),
    PendingDecisionSet: lambda r, c: replace(r, pending=c.pending),
    Decided: lambda r, c: replace(r, decisions=(*r.decisions, c.decision)),
    DecisionsVoided: lambda r, _: replace(r, decisions=tuple(replace(one, void=True) for one in r.decisions)),
    QueryAnswered: lambda r, c: replace(r, decisions=_answered(r.decisions, c.words)),
    ReportRead: lambda r, c: replace(r, reporting=c.report),
    Reported: lambda r, c: replace(r, reports=(*r.reports, c.report), reporting=None),
    NoteSet: lambda r, c: replace(r, notes=_with(r.notes, c.note)),
    BreachSet: lambda r, c: replace(r, breaches=_with(r.breaches, c.breach)),
}
