"""Decide what happens to a row that could not be performed, write it down, and notify those whom it concerns in the same transaction.

An outage is waited out, however long it lasts; what Slack refuses stays in sight with its reason; nobody posts blindly more than once more.
The operators are told once for each cause; the person, where they wait for it.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import structlog

from blocks.messages import build_cause, build_trouble
from blocks.phrases import Phrasebook
from bot.effects.performer import COSMETIC, kind_of, news_of
from bot.exports.sinks import KIND as SINK
from bot.exports.sinks import lane_place
from bot.operations.metrics import DELIVERIES, FAILED
from bot.slack.client import ClientFor
from bot.slack.errors import OF_THE_METHOD, WORKSPACE, Expired, Fault, Scope, Undelivered, Unreadable, reason_of
from bot.slack.places import every, of_team
from bot.slack.places import place_of as operators_of
from bot.slack.posts import team_of
from state.stores.delivery import Stuck
from state.stores.rows import DeliveryFailure, InboxRow, Lease, OutboxRow, Received, TurnWrites
from state.stores.store import Store
from state.workflow.load import NotInstalled

NO_CHANNELS: Mapping[str, str] = {}
NO_WORDS: Mapping[str, Phrasebook] = {}
MOST = 1000
"""Stuck rows that are looked through for the same cause."""
STUCK = ("blocked", "dead")


class Teller:
    """`channel` is the operators' ("C034", or with its workspace, "T012:C034, T056:C078"); without one, logs and `holdfast status` have to do.

    `words` are in the installation's language; `channels` are those of the forms, whose people hear of a sink that takes nothing, each in
    the form's own language (`spoken`).
    """

    def __init__(
        self,
        store: Store,
        channel: str,
        words: Phrasebook,
        channels: Mapping[str, str] = NO_CHANNELS,
        spoken: Mapping[str, Phrasebook] = NO_WORDS,
    ) -> None:
        self._store, self._channel, self._words, self._channels = store, channel, words, channels
        self._spoken = spoken

    async def notices(self, row: OutboxRow, setback: DeliveryFailure) -> tuple[OutboxRow, ...]:
        """Return the operators' message, unless they have one of this cause, or cannot get any; of a sink, the form's people's too."""
        if setback.status not in STUCK or row.status in STUCK or setback.reason in WORKSPACE:
            return ()  # a token that is refused reaches nobody; once it works, there is nothing to tell
        same, told = await self._same(row, setback), list[OutboxRow]()
        own = row.lane in (f"slack:{one}" for one in every(self._channel))
        if self._channel and not own and not same:
            told.append(self._notice(f"o{row.id}", row.person.partition(":")[0], _where(row.lane), setback, row.kind))
        if row.kind == SINK and not any(lane_place(s.lane)[1] == row.body["form"] for s in same):
            told += self._to_officers(row, setback)
        return tuple(told)

    def _to_officers(self, row: OutboxRow, setback: DeliveryFailure) -> Iterator[OutboxRow]:
        """Reviewers read once for each cause that what they decided does not get where it should."""
        team, form = row.person.partition(":")[0], str(row.body["form"])
        if channel := of_team(self._channels, team).get(form):
            message = build_trouble(
                self._spoken.get(form, self._words), "sink_held", str(row.body["sink"]), setback.reason
            )
            body: dict[str, Any] = {"team": team, "channel": channel, "thread": "", "card": ""}
            body |= {"text": message.text, "blocks": list(message.blocks)}
            yield OutboxRow(f"officers:o{row.id}:{setback.reason}", f"slack:{channel}", "post", f"{team}:", body)

    async def of_inbox(self, row: InboxRow, reason: str) -> OutboxRow | None:
        """Return the operators' message of an event that could not be handled."""
        known = any(s.queue == "inbox" and s.reason == reason and s.id != row.id for s in await self._store.stuck(MOST))
        if known or not self._channel:
            return None
        team = row.person.partition(":")[0]
        return self._notice(f"i{row.id}", team, "", DeliveryFailure("dead", None, reason))

    async def _same(self, row: OutboxRow, setback: DeliveryFailure) -> list[Stuck]:
        """Return other rows that are stuck for the same cause: in the same place, where it is the place's."""
        holds, mine = setback.delay is not None, _where(row.lane)
        others = (s for s in await self._store.stuck(MOST) if s.queue == "outbox" and s.id != row.id)
        return [s for s in others if s.reason == setback.reason and (not holds or _where(s.lane) == mine)]

    def _notice(self, name: str, team: str, place: str, setback: DeliveryFailure, kind: str = "") -> OutboxRow:
        """Return a row of nobody's, which says nothing of any person."""
        if kind == SINK:
            key = "ops_no_such_sink" if setback.reason == "no_such_sink" else "ops_sink"
            message = build_trouble(self._words, key, place, setback.reason, name)
        else:
            holds = setback.delay is not None
            message = build_cause(self._words, setback.status, setback.reason, place, name, holds=holds)
        there, mine = operators_of(self._channel, team)
        body: dict[str, Any] = {"team": there, "channel": mine, "thread": "", "card": ""}
        body |= {"text": message.text, "blocks": list(message.blocks)}
        return OutboxRow(f"operators:{name}:{setback.reason}", f"slack:{mine}", "post", f"{there}:", body)


def channel_of(lane: str) -> str:
    """Return the channel that a lane posts in; empty for a direct message, which would name a person, and for a sink."""
    if lane_place(lane)[0]:
        return ""
    parts = lane.split(":")
    return next((part for part in parts[1:] if part[:1] in "CG" and part[:1]), "")


def _where(lane: str) -> str:
    """Return the sink or the channel of a lane."""
    return lane_place(lane)[0] or channel_of(lane)


def touches(stuck: Stuck, channel: str) -> bool:
    """Return True if a row waits for something to change in a channel."""
    return stuck.queue == "outbox" and channel in stuck.lane.split(":")


log = structlog.get_logger("holdfast.worker")

LOOKS, BLIND = 5, 2
"""Looks at a conversation that refuses to be looked at, before something is sent once more blindly; sends after which nobody does so again."""
ATTEMPTS = 8
LONGEST, AGAIN = 60.0, 3600.0
"""Seconds between two tries of a row by itself, at most; and of one that is blocked, for whatever tells nobody that it has changed."""
SEEN = 300.0
"""Seconds between two tries of what a sink has not taken for a while, and an operator sees."""
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
    """It is to be sent once more, though nobody can see whether it is there already."""


def setback_of(row: OutboxRow, problem: Exception, terms: Terms) -> DeliveryFailure | Blindly:
    """Return what is to be written of the row."""
    if isinstance(problem, Expired):
        return DeliveryFailure("expired", reason=LATE)
    if isinstance(problem, Unreadable):
        return _unreadable(row, problem, terms)
    if isinstance(problem, NotInstalled):
        return DeliveryFailure("blocked", None, AWAY, attempts=0)
    if row.kind == SINK:
        return _sink(row, problem, terms)
    if not isinstance(problem, Undelivered):
        return _failed(row, type(problem).__name__, terms)
    rule = REFUSED.get(problem.fault.scope)
    return rule(row, problem.fault, terms) if rule else _failed(row, problem.fault.code, terms)


def _sink(row: OutboxRow, problem: Exception, terms: Terms) -> DeliveryFailure:
    """Asked again with the same key, whatever the outcome, nothing is doubled. It holds its lane until it has an end: no newer state goes first."""
    fault = problem.fault if isinstance(problem, Undelivered) else Fault(Scope.UNKNOWN, type(problem).__name__)
    if not fault.tried:
        return DeliveryFailure(
            "blocked" if row.status == "blocked" else "new",
            fault.after
            + (0.1 + row.id % 20 / 10) / terms.pace,  # not all that wait for one sink come at the same moment
            row.reason or fault.code,
        )
    if fault.scope in (Scope.PLACE, Scope.MESSAGE):
        return DeliveryFailure("blocked", AGAIN, fault.code, attempts=0)
    tries, delay = row.attempts + 1, max(fault.after, _pause(row) / terms.pace)
    if tries < terms.attempts:
        return DeliveryFailure("unclear" if fault.sent else "new", delay, fault.code, attempts=tries)
    return DeliveryFailure("blocked", max(delay, SEEN / terms.pace), fault.code, attempts=tries)


def _unreadable(row: OutboxRow, problem: Unreadable, terms: Terms) -> DeliveryFailure | Blindly:
    tries = row.attempts + 1
    if row.sent < BLIND and (tries >= LOOKS or not problem.looks):
        return Blindly()
    if row.sent >= BLIND and not problem.looks:  # its person has probably seen it, and no operator can tell either
        return DeliveryFailure("expired", reason=UNCLEAR)
    if row.sent >= BLIND and tries >= terms.attempts:
        return DeliveryFailure("blocked", None, UNCLEAR, attempts=0)
    return DeliveryFailure("unclear", min(LONGEST, 2.0**row.attempts) / terms.pace, problem.code, attempts=tries)


def _outage(row: OutboxRow, fault: Fault, terms: Terms) -> DeliveryFailure:
    """No try of the row's own, unless Slack takes others all the while: then it is the message."""
    if not terms.own:
        return DeliveryFailure("unclear", terms.wait, fault.code)
    if row.attempts + 1 >= terms.attempts:
        return DeliveryFailure("blocked", None, fault.code, attempts=0)
    return DeliveryFailure("unclear", max(terms.wait, _pause(row)), fault.code, attempts=row.attempts + 1)


def _place(row: OutboxRow, fault: Fault, terms: Terms) -> DeliveryFailure:
    """It holds its lane: what is behind it would be refused too, and shall come after it."""
    if kind_of(row.lane) in COURTESIES:
        return DeliveryFailure("expired", reason=fault.code)
    if fault.code in OF_THE_METHOD and row.kind != "post":
        return _message(row, fault, terms)
    return DeliveryFailure("blocked", AGAIN, fault.code, attempts=0, sent=_sent(row, fault))


def _message(row: OutboxRow, fault: Fault, _terms: Terms) -> DeliveryFailure:
    """It is set aside, and what is behind it goes on."""
    courtesy = kind_of(row.lane) in COURTESIES
    return DeliveryFailure("expired" if courtesy else "blocked", None, fault.code, attempts=0, sent=_sent(row, fault))


def _failed(row: OutboxRow, reason: str, terms: Terms) -> DeliveryFailure:
    tries = row.attempts + 1
    if tries >= terms.attempts:
        return DeliveryFailure("dead", None, reason, attempts=tries)
    return DeliveryFailure("new", _pause(row), reason, attempts=tries)


def _pause(row: OutboxRow) -> float:
    return min(LONGEST, 0.5 * 2.0**row.attempts)


def _sent(row: OutboxRow, fault: Fault) -> int | None:
    """Return 0 where Slack refused it: it is nowhere, unless an earlier try was never cleared up."""
    return 0 if not fault.sent and row.sent < BLIND and (row.fresh or row.kind == "post") else None


REFUSED: Mapping[Scope, Callable[[OutboxRow, Fault, Terms], DeliveryFailure]] = {
    Scope.OUTAGE: _outage,
    Scope.WORKSPACE: lambda row, fault, terms: DeliveryFailure(
        "blocked", terms.wait, fault.code, sent=_sent(row, fault)
    ),
    Scope.PLACE: _place,
    Scope.MESSAGE: _message,
}


KEPT = 5000
"""Rows of which it is remembered how much else got through when they last failed."""


class DeliveryFailures:
    """`pace`: how many times as fast as at Slack its minutes pass."""

    def __init__(self, store: Store, client_for: ClientFor, teller: Teller, pace: float) -> None:
        self._store, self._client_for, self._teller, self._pace = store, client_for, teller, pace or 1.0
        self._passed: OrderedDict[int, int] = OrderedDict()

    async def of(
        self, lease: Lease, row: OutboxRow, problem: Exception, attempts: int
    ) -> tuple[OutboxRow | None, Received | None]:
        """Write down a row's outcome. Gives it back where it is to be sent once more at once; and the event that tells its person."""
        setback = setback_of(row, problem, await self._terms(row, problem, attempts))
        if isinstance(setback, Blindly):
            await self._store.begin_sending(lease, row.id, BLIND)
            log.warning("sent_again", row=row.id, kind=row.kind)
            return replace(row, fresh=True, sent=BLIND), None
        self._note(row, problem, setback)
        told = replace(
            setback, outgoing=await self._teller.notices(row, setback), incoming=await self._news(row, setback)
        )
        return None, await self._store.set_back(lease, row.id, told)

    async def of_inbox(self, lease: Lease, row: InboxRow, problem: Exception, *, last: bool) -> bool:
        """Return the same for an event. True where it became a dead letter."""
        reason = type(problem).__name__
        log.exception("row_failed", row=row.id, attempts=row.attempts + 1, dead=last)
        FAILED.labels("inbox", last).inc()
        await self._store.fail_incoming(lease, row.id, None if last else min(60.0, 0.5 * 2**row.attempts), reason)
        notice = await self._teller.of_inbox(row, reason) if last else None
        if notice is not None:
            await self._store.write(lease, TurnWrites(outgoing=[notice]))
        return last

    async def _terms(self, row: OutboxRow, problem: Exception, attempts: int) -> Terms:
        if row.kind == SINK:
            return Terms(pace=self._pace, attempts=attempts)
        reach = (await self._client_for(team_of(row))).reach
        fault = problem.fault if isinstance(problem, Undelivered) else None
        own = fault is not None and fault.scope is Scope.OUTAGE and self._own(row, reach.done[fault.method])
        return Terms(max(reach.seconds, 0.1), own, self._pace, attempts)

    def _own(self, row: OutboxRow, done: int) -> bool:
        """Return True if other calls of the same method got through since this row last failed."""
        before = self._passed.pop(row.id, done)
        self._passed[row.id] = done
        if len(self._passed) > KEPT:
            self._passed.popitem(last=False)
        return done > before

    async def _news(self, row: OutboxRow, setback: DeliveryFailure) -> InboxRow | None:
        """The person is told of what they wait for elsewhere, and of what they will not see here; not of a conversation that is shut."""
        what = (row.body.get("about") or {}).get("what")
        here = what == "message"
        if setback.status not in STUCK or what is None or (here and setback.delay is not None):
            return None
        held = replace(row, reason=setback.reason)
        return None if setback.reason in WORKSPACE else news_of(held, "held", (await self._store.now()).isoformat())

    def _note(self, row: OutboxRow, problem: Exception, setback: DeliveryFailure) -> None:
        dead = setback.status == "dead"
        FAILED.labels("outbox", dead).inc()
        DELIVERIES.labels(row.kind, setback.status).inc()
        known = {"row": row.id, "kind": row.kind, "status": setback.status, "reason": reason_of(setback.reason)}
        if isinstance(problem, Undelivered):
            refused = "sink_refused" if row.kind == SINK else "slack_refused"
            line = "row_failed" if problem.fault.scope is Scope.OUTAGE else refused
            log.warning(line, **known, code=problem.fault.code, method=problem.fault.method)
        elif isinstance(problem, Unreadable | Expired):
            log.warning("not_delivered", **known)
        else:
            log.error("row_failed", **known, attempts=row.attempts + 1, dead=dead, exc_info=problem)
