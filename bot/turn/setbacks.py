"""What becomes of a row that could not be performed: pure rules, from the trouble to what the store is to write.

An outage is waited out, however long it lasts; what Slack refuses stays in sight with its reason; nobody posts blindly more than once more.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.faults import OF_THE_METHOD, Expired, Fault, Scope, Undelivered, Unreadable
from bot.lanes import COSMETIC, kind_of
from state.stores.rows import OutboxRow, Setback
from state.workflow.load import NotInstalled

LOOKS, BLIND = 5, 2
"""Looks at a conversation that refuses to be looked at, before something is sent once more blindly; sends after which nobody does so again."""
ATTEMPTS = 8
LONGEST, AGAIN = 60.0, 3600.0
"""Seconds between two tries of a row by itself, at most; and of one that is blocked, for whatever tells nobody that it has changed."""
SEEN = 300.0
"""Seconds between two tries of what a sink has not taken for a while, and an operator sees."""
SINK = "sink"
LATE, UNCLEAR, AWAY = "late", "unclear", NotInstalled.__name__
"""Reasons of our own."""
COURTESIES = (COSMETIC, "prompts")


@dataclass(frozen=True)
class Terms:
    """`wait`: seconds until Slack is asked again; `own`: others got through where this row did not; `pace` as Slack's minutes pass."""

    wait: float = 0.0
    own: bool = False
    pace: float = 1.0
    attempts: int = ATTEMPTS


class Blindly:
    """It is to be sent once more, though nobody can see whether it stands there already."""


def setback_of(row: OutboxRow, problem: Exception, terms: Terms) -> Setback | Blindly:
    """What is to be written of the row."""
    if isinstance(problem, Expired):
        return Setback("expired", reason=LATE)
    if isinstance(problem, Unreadable):
        return _unreadable(row, problem, terms)
    if isinstance(problem, NotInstalled):
        return Setback("blocked", None, AWAY, attempts=0)
    if row.kind == SINK:
        return _sink(row, problem, terms)
    if isinstance(problem, Undelivered):
        return REFUSED.get(problem.fault.scope, _unknown)(row, problem.fault, terms)
    return _failed(row, type(problem).__name__, terms)


def _sink(row: OutboxRow, problem: Exception, terms: Terms) -> Setback:
    """Asked again with the same key, whatever came of it, nothing is doubled. It holds its lane until it has an end: no newer state goes first."""
    fault = problem.fault if isinstance(problem, Undelivered) else Fault(Scope.UNKNOWN, type(problem).__name__)
    if not fault.tried:
        return Setback(
            "blocked" if row.status == "blocked" else "new", _spread(row, fault.after, terms), row.reason or fault.code
        )
    if fault.scope in (Scope.PLACE, Scope.MESSAGE):
        return Setback("blocked", AGAIN, fault.code, attempts=0)
    tries, delay = row.attempts + 1, max(fault.after, _pause(row) / terms.pace)
    if tries < terms.attempts:
        return Setback("unclear" if fault.sent else "new", delay, fault.code, attempts=tries)
    return Setback("blocked", max(delay, SEEN / terms.pace), fault.code, attempts=tries)


def _spread(row: OutboxRow, seconds: float, terms: Terms) -> float:
    """Not all that wait for one sink come at the same moment."""
    return seconds + (0.1 + row.id % 20 / 10) / terms.pace


def _unreadable(row: OutboxRow, problem: Unreadable, terms: Terms) -> Setback | Blindly:
    tries = row.attempts + 1
    if row.sent < BLIND and (tries >= LOOKS or not problem.looks):
        return Blindly()
    if row.sent >= BLIND and (tries >= terms.attempts or not problem.looks):
        return Setback("blocked", None, UNCLEAR, attempts=0)
    return Setback("unclear", min(LONGEST, 2.0**row.attempts) / terms.pace, problem.code, attempts=tries)


def _outage(row: OutboxRow, fault: Fault, terms: Terms) -> Setback:
    """No try of the row's own, unless Slack takes others all the while: then it is the message."""
    if not terms.own:
        return Setback("unclear", terms.wait, fault.code)
    if row.attempts + 1 >= terms.attempts:
        return Setback("blocked", None, fault.code, attempts=0)
    return Setback("unclear", max(terms.wait, _pause(row)), fault.code, attempts=row.attempts + 1)


def _workspace(row: OutboxRow, fault: Fault, terms: Terms) -> Setback:
    return Setback("blocked", terms.wait, fault.code, sent=_sent(row, fault))


def _place(row: OutboxRow, fault: Fault, terms: Terms) -> Setback:
    """It holds its lane: what is behind it would be refused too, and shall come after it."""
    if kind_of(row.lane) in COURTESIES:
        return Setback("expired", reason=fault.code)
    if fault.code in OF_THE_METHOD and row.kind != "post":
        return _message(row, fault, terms)
    return Setback("blocked", AGAIN, fault.code, attempts=0, sent=_sent(row, fault))


def _message(row: OutboxRow, fault: Fault, _terms: Terms) -> Setback:
    """It is set aside, and what is behind it goes on."""
    courtesy = kind_of(row.lane) in COURTESIES
    return Setback("expired" if courtesy else "blocked", None, fault.code, attempts=0, sent=_sent(row, fault))


def _unknown(row: OutboxRow, fault: Fault, terms: Terms) -> Setback:
    return _failed(row, fault.code, terms)


def _failed(row: OutboxRow, reason: str, terms: Terms) -> Setback:
    tries = row.attempts + 1
    if tries >= terms.attempts:
        return Setback("dead", None, reason, attempts=tries)
    return Setback("new", _pause(row), reason, attempts=tries)


def _pause(row: OutboxRow) -> float:
    return min(LONGEST, 0.5 * 2.0**row.attempts)


def _sent(row: OutboxRow, fault: Fault) -> int | None:
    """Slack refused it: it stands nowhere, unless an earlier try was never cleared up."""
    return 0 if not fault.sent and row.sent < BLIND and (row.fresh or row.kind == "post") else None


REFUSED: Mapping[Scope, Callable[[OutboxRow, Fault, Terms], Setback]] = {
    Scope.OUTAGE: _outage,
    Scope.WORKSPACE: _workspace,
    Scope.PLACE: _place,
    Scope.MESSAGE: _message,
}
