"""Operations that a conversation asked for. The draft says who asks; the row's key makes a repetition harmless."""

import hashlib
from collections.abc import Mapping
from typing import Any

import structlog

from bot.effects.performer import draft_of
from bot.effects.service import OperationCaller, OperationOutcome, Operations, one_line, plain
from state.draft.operations import Conflict, Refused
from state.draft.utterance import Phrase, Utterance
from state.draft.working_days import day_of
from state.engine.codec import decode_effect, encode
from state.engine.effects import Operate
from state.engine.events import OperationCompleted
from state.fields.base import Context
from state.rules import FormFault
from state.stores.errors import Unavailable
from state.stores.rows import InboxRow, OutboxRow
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.operations")


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
        return InboxRow(event.id, draft.conversation, row.person, {"event": encode(event), "draft": draft.id})

    async def _came(self, whose: OperationCaller, effect: Operate) -> dict[str, Any] | None:
        if effect.act in ("cancel", "expire"):
            return await self._end(whose, effect)
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
            log.exception("operation_failed", act=effect.act)
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

    async def _end(self, whose: OperationCaller, effect: Operate) -> dict[str, Any] | None:
        """A cancelled card says so already; an expired one is told apart from one that was used in time."""
        try:
            ended = await self._operations.cancel(whose, effect.proposal)
        except Refused:
            return None
        if effect.act == "cancel" or not ended:
            return None
        return {"came": "expired", "proposal": effect.proposal, "card": effect.card}

    def _told(self, whose: OperationCaller, effect: Operate, came: str, line: Utterance) -> dict[str, Any]:
        text = plain(whose.form, (line,))
        return {"came": came, "told": (line,), "text": text, "proposal": effect.proposal, "card": effect.card}
