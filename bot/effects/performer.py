"""Perform what was written to the outbox, and judge the outcome; what kind of work a row is, and which draft it is about."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

import structlog

from bot.exports.sinks import KIND as SINK
from bot.officers.digest import KIND as DIGEST
from bot.operations.metrics import ACTS, DELIVERIES, LIMITED, PERFORMED
from bot.slack.client import Budget, ClientFor, SlackAvailability
from bot.slack.errors import WORKSPACE, Expired, Later, Scope, Undelivered, Unreadable, fault_of
from bot.slack.posts import RECONCILE, team_of
from state.draft.draft import Draft
from state.engine.codec import decode_draft, encode
from state.engine.events import DeliveryChanged
from state.stores.rows import Done, InboxRow, OutboxRow, Posted
from state.stores.store import Store

TURNS, COSMETIC = "turns", "cosmetic"
KINDS = (TURNS, "slack", COSMETIC, "model", "facts", "operate", "documents", "rights", "prompts", "sink")
SAME: Mapping[str, str] = {"expire": "operate", "timer": "facts", "digest": "documents"}


def kind_of(lane: str) -> str:
    """Return the kind of work in a lane."""
    kind = lane.partition(":")[0]
    kind = SAME.get(kind, kind)
    return kind if kind in KINDS else TURNS


async def draft_of(store: Store, row: OutboxRow) -> Draft | None:
    """None where there is none, or its person was erased."""
    if isinstance(row.draft, Draft):
        return row.draft
    stored = await store.draft(str(row.body["draft"]))
    return decode_draft(stored.body) if stored and not stored.erased else None


TO_SLACK = frozenset(
    {DIGEST, RECONCILE, "post", "repaint", "attach", "forward", "whisper", "right", "prompts", "answer"}
)
"""Kinds that are performed by Slack: while it does not answer, they wait."""
Perform = Callable[[OutboxRow], Awaitable[Any]]
log = structlog.get_logger("holdfast.performer")

EXPIRES: Mapping[str, timedelta] = {COSMETIC: timedelta(hours=1), "prompts": timedelta(minutes=5)}
"""Classes of lanes whose rows are courtesies, and for how long. Questions, receipts and announcements never expire."""
SOON = 0.5
"""Seconds."""


class Performer:
    """At-least-once by nature; each kind makes sure that a repetition does no harm. `kinds` says what performs a row, by its kind."""

    def __init__(
        self, kinds: Mapping[str, Perform], budget: Budget, client_for: ClientFor, now: Callable[[], Awaitable[datetime]],
        wait: Callable[[OutboxRow, float], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._wait = wait
        self._kinds, self._budget, self._client_for, self._now = kinds, budget, client_for, now

    async def perform(self, row: OutboxRow) -> Done:
        """Perform one row and return its outcome; the engine marks it done.

        Raises Later where Slack wants it later, Undelivered where Slack did not take it, Unreadable where nobody can see whether it
        is there already, Expired where it is too late for a courtesy; anything else is trouble of our own.
        """
        limit = EXPIRES.get(kind_of(row.lane))
        if limit and row.wanted_at and await self._now() - row.wanted_at > limit:
            raise Expired(row.kind)
        try:
            came = await self._kinds[row.kind](row) if row.kind == SINK else await self._by_slack(row)
        except Later as later:
            await self._wait(row, later.seconds)
            raise
        await self._wait(row, 0.0)
        PERFORMED.labels(row.kind).inc()
        DELIVERIES.labels(row.kind, "done").inc()
        if row.wanted_at is not None and row.kind in TO_SLACK and kind_of(row.lane) not in EXPIRES:
            ACTS.labels("posted").observe(max(0.0, (await self._now() - row.wanted_at).total_seconds()))
        log.info("performed", kind=row.kind, row=row.id, ts=came.ts if isinstance(came, Posted) else None)
        incoming = came if isinstance(came, InboxRow) else await self._news(row)
        return Done(row.id, came if isinstance(came, Posted) else None, incoming)

    async def _by_slack(self, row: OutboxRow) -> Any:
        """Whatever hangs on the workspace's token, directly or not."""
        reach = (await self._client_for(team_of(row))).reach
        if row.kind in TO_SLACK:
            await reach.clear()
        try:
            return await self._kinds[row.kind](row)
        except Exception as problem:
            raise self._named(row, problem, reach) from problem

    async def _news(self, row: OutboxRow) -> InboxRow | None:
        """Whoever was told that this could not be delivered is told that it has been."""
        was_stuck = row.reason and (row.status == "blocked" or not row.attempts) and row.status != "unclear"
        if not was_stuck or row.reason in WORKSPACE:
            return None
        return news_of(row, "delivered", (await self._now()).isoformat())

    def _named(self, row: OutboxRow, problem: Exception, reach: SlackAvailability) -> Exception:
        """Trouble by whom it concerns. What surely was not sent, or may be sent again, waits in memory until Slack answers."""
        fault = fault_of(problem)
        if isinstance(problem, Later | Unreadable | Undelivered) or fault is None:
            return problem
        if fault.scope is Scope.LIMITED:
            return self._limited(row, problem)
        if fault.scope is Scope.OUTAGE and not reach.holding:
            reach.failed(fault, datetime.now(UTC))
        if fault.scope is Scope.OUTAGE and not (fault.sent and kind_of(row.lane) not in EXPIRES):
            return Later(max(reach.seconds, SOON))
        return Undelivered(fault)

    def _limited(self, row: OutboxRow, refusal: Exception) -> Later:
        """Keep Slack's wait for the method and the workspace: others wait too, before they are refused."""
        response = getattr(refusal, "response", None)
        address = getattr(response, "api_url", None) or getattr(response, "url", "")
        method = urlsplit(str(address)).path.rpartition("/")[2]
        LIMITED.labels(method).inc()
        return self._budget.refused(team_of(row), method, _seconds(response))


def _seconds(response: Any) -> float:
    try:
        return max(float(response.headers.get("Retry-After", 1)), 0.0)
    except (AttributeError, TypeError, ValueError):
        return 1.0


def news_of(row: OutboxRow, came: Literal["held", "delivered"], at: str) -> InboxRow | None:
    """Return the event that tells the person; None where nobody waits for the row."""
    about = row.body.get("about") or {}
    if not about or (came == "held" and about["what"] == "message" and row.kind == "repaint"):
        return None
    event = DeliveryChanged(f"{row.key}/{came}:{row.reason}", at, "delivery", about["what"], came)
    return InboxRow(event.id, about["conversation"], row.person, {"event": encode(event), "draft": about["draft"]})
