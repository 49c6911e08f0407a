"""Perform what was written to the outbox, and judge the outcome; what kind of work a row is, and which draft it is about."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

import structlog

from bot.effects.service import OperationCaller, OperationOutcome, Operations, one_line, plain
from bot.exports.sinks import KIND as SINK
from bot.officers.digest import KIND as DIGEST
from bot.operations.metrics import ACTS, DELIVERIES, LIMITED, PERFORMED
from bot.slack.client import Budget, ClientFor, SlackAvailability
from bot.slack.errors import WORKSPACE, Expired, Later, Scope, Undelivered, Unreadable, fault_of
from bot.slack.posts import RECONCILE, team_of
from state.draft.draft import Draft
from state.draft.operations import Conflict, Refused
from state.draft.utterance import Phrase, Utterance
from state.draft.working_days import day_of
from state.engine.codec import decode_draft, decode_effect, encode
from state.engine.effects import Operate
from state.engine.events import DeliveryChanged, DraftEvent, OperationCompleted
from state.fields.base import Context
from state.rules import FormFault
from state.stores.errors import Unavailable
from state.stores.rows import Done, InboxRow, OutboxRow, Posted
from state.stores.store import Store
from state.workflow.load import Workflow

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


def incoming(row: OutboxRow, draft: Draft, event: DraftEvent) -> InboxRow:
    """Return the event that comes of a row, for the draft that the row is about."""
    return InboxRow(event.id, draft.conversation, row.person, {"event": encode(event), "draft": draft.id})


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
            response = getattr(problem, "response", None)
            address = getattr(response, "api_url", None) or getattr(response, "url", "")
            method = urlsplit(str(address)).path.rpartition("/")[2]
            LIMITED.labels(method).inc()
            return self._budget.refused(team_of(row), method, _seconds(response))
        if fault.scope is Scope.OUTAGE and not reach.holding:
            reach.failed(fault, datetime.now(UTC))
        if fault.scope is Scope.OUTAGE and not (fault.sent and kind_of(row.lane) not in EXPIRES):
            return Later(max(reach.seconds, SOON))
        return Undelivered(fault)


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


operations_log = structlog.get_logger("holdfast.operations")


class Operator:
    """Trouble in a workflow's own code is logged and told; it never stops the conversation."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow], operations: Operations) -> None:
        self._store, self._workflows, self._operations = store, workflows, operations

    async def operate(self, row: OutboxRow) -> InboxRow | None:
        """Do what the effect says, as the draft's owner."""
        draft, effect = await draft_of(self._store, row), decode_effect(row.body["effect"])
        if draft is None or not isinstance(effect, Operate):
            return None
        now = (await self._store.now()).isoformat()
        workflow = self._workflows[draft.form].of(draft)
        identity = workflow.rules.roles.of(draft.tenant, draft.owner)
        context = Context(workflow.form.language, day_of(now, draft.zone))
        whose = OperationCaller(
            workflow, identity, context, hashlib.blake2s(row.key.encode(), digest_size=10).hexdigest()
        )
        came = await self._came(whose, effect)
        if came is None:
            return None
        event = OperationCompleted(f"{row.key}/operated", now, "operations", effect.act, turn=effect.turn, **came)
        return incoming(row, draft, event)

    async def _came(self, whose: OperationCaller, effect: Operate) -> dict[str, Any] | None:
        if effect.act in ("cancel", "expire"):
            try:
                ended = await self._operations.cancel(whose, effect.proposal)
            except Refused:
                return None
            if effect.act == "cancel" or not ended:  # a cancelled card says so already
                return None
            return {"came": "expired", "proposal": effect.proposal, "card": effect.card}
        try:
            came = await self._done(whose, effect)
        except Refused as refused:
            expired = isinstance(refused, Conflict) and refused.key == "op_expired"
            return self._told(whose, effect, "expired" if expired else "refused", refused.line)
        except FormFault as fault:
            return {**self._told(whose, effect, "refused", Phrase("form_fault")), "fault": fault.told}
        except Unavailable:  # the database comes back, and the row's key says what was done already
            raise
        except Exception:
            operations_log.exception("operation_failed", act=effect.act)
            return self._told(whose, effect, "refused", Phrase("error_sorry"))
        return {
            "came": came.status, "told": came.told, "text": plain(whose.form, came.told), "proposal": came.proposal,
            "card": effect.card, "undoable": came.undoable, "last": came.last, "files": came.files,
            "seconds": self._operations.seconds, "what": one_line(whose.form, came.what), "calls": effect.calls, "picks": came.picks,
            "corrects": effect.corrects,
        }  # fmt: skip

    async def _done(self, whose: OperationCaller, effect: Operate) -> OperationOutcome:
        if effect.act == "call":
            return await self._operations.call(whose, effect.calls)
        if effect.act == "confirm":
            return await self._operations.confirm(whose, effect.proposal, effect.pick)
        return await self._operations.undo(whose, effect.proposal)

    def _told(self, whose: OperationCaller, effect: Operate, came: str, line: Utterance) -> dict[str, Any]:
        text = plain(whose.form, (line,))
        return {"came": came, "told": (line,), "text": text, "proposal": effect.proposal, "card": effect.card}
