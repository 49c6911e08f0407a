"""Trouble with rows: what becomes of them is written down, and those whom it concerns are told in the same transaction."""

from collections import OrderedDict
from dataclasses import replace

import structlog

from bot.delivery.performer import Performer
from bot.delivery.telling import STUCK, Teller, news_of
from bot.faults import WORKSPACE, Expired, Scope, Undelivered, Unreadable, reason_of
from bot.metrics import DELIVERIES, FAILED
from bot.turn.setbacks import BLIND, SINK, Blindly, Terms, setback_of
from state.stores.rows import InboxRow, Lease, OutboxRow, Received, Setback, TurnWrites
from state.stores.store import Store

log = structlog.get_logger("holdfast.worker")

KEPT = 5000
"""Rows of which it is remembered how much else got through when they last failed."""


class Trouble:
    """`pace`: how many times as fast as at Slack its minutes pass."""

    def __init__(self, store: Store, performer: Performer, teller: Teller, pace: float) -> None:
        self._store, self._performer, self._teller, self._pace = store, performer, teller, pace or 1.0
        self._passed: OrderedDict[int, int] = OrderedDict()

    async def begun(self, lease: Lease, row: OutboxRow) -> OutboxRow:
        """The row as it may be sent: of one that Slack refused each time, it is first written down that it may be sent from here on."""
        if row.fresh or row.sent:
            return row
        await self._store.begin_sending(lease, row.id, 1)
        return replace(row, fresh=True, sent=1)

    async def of(
        self, lease: Lease, row: OutboxRow, problem: Exception, attempts: int
    ) -> tuple[OutboxRow | None, Received | None]:
        """Write down what becomes of a row. Gives it back where it is to be sent once more at once; and the event that tells its person."""
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
        """The same for an event. True where it became a dead letter."""
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
        reach = await self._performer.reach_of(row)
        fault = problem.fault if isinstance(problem, Undelivered) else None
        own = fault is not None and fault.scope is Scope.OUTAGE and self._own(row, reach.done[fault.method])
        return Terms(max(reach.seconds, 0.1), own, self._pace, attempts)

    def _own(self, row: OutboxRow, done: int) -> bool:
        """Whether other calls of the same method got through since this row last failed."""
        before = self._passed.pop(row.id, done)
        self._passed[row.id] = done
        if len(self._passed) > KEPT:
            self._passed.popitem(last=False)
        return done > before

    async def _news(self, row: OutboxRow, setback: Setback) -> InboxRow | None:
        """The person is told of what they wait for elsewhere, and of what they will not see here; not of a conversation that is shut."""
        what = (row.body.get("about") or {}).get("what")
        here = what == "message"
        if setback.status not in STUCK or what is None or (here and setback.delay is not None):
            return None
        held = replace(row, reason=setback.reason)
        return None if setback.reason in WORKSPACE else news_of(held, "held", (await self._store.now()).isoformat())

    def _note(self, row: OutboxRow, problem: Exception, setback: Setback) -> None:
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
