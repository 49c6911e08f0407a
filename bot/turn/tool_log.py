"""Tool calls as rows of the log. Arguments and results may hold people's words: they are sealed, and no log line has them."""

import structlog

from bot.keys import person_key
from state.draft.changes import Change
from state.draft.draft import Draft
from state.engine.events import DraftEvent, OperationCompleted
from state.engine.tool_log import JudgedCall
from state.stores.figures import ERROR, ESCALATED, HANDED_OVER, OPERATE
from state.stores.rows import ToolLogEntry

CODE = "code"
"""Who handed over, where no reader did."""

log = structlog.get_logger("holdfast.tools")


def tool_calls(draft: Draft, calls: tuple[JudgedCall, ...]) -> list[ToolLogEntry]:
    """A row per call, and a line in the log that says what came of it."""
    for call in calls:
        log.info(
            "tool_call",
            tool=call.tool, status=call.status, reason=call.reason, reader=call.reader, form=draft.form, draft=draft.id,
            turn=call.turn, step=call.step, idempotent=call.idempotent,
        )  # fmt: skip
    return [_row(draft, call) for call in calls]


def hand_overs(draft: Draft, changes: tuple[Change, ...]) -> list[ToolLogEntry]:
    """A row for each time that code gave the conversation to a person, with the reason: the report counts those of loops."""
    whys = [str(getattr(change, "why", "")) for change in changes if type(change).__name__ == "HandedOver"]
    return [
        _row(draft, JudgedCall(HANDED_OVER, ESCALATED, why, CODE, draft.turn, 0, False, False, {}, {})) for why in whys
    ]


def outcomes(draft: Draft, event: DraftEvent) -> list[ToolLogEntry]:
    """A row for an operation that was called and could not be carried out: the report counts it as an error of the tool."""
    if not isinstance(event, OperationCompleted) or event.came != "refused":
        return []
    result = {"told": event.text}
    return [_row(draft, JudgedCall(OPERATE, ERROR, event.act, CODE, event.turn, 0, False, False, {}, result))]


def _row(draft: Draft, call: JudgedCall) -> ToolLogEntry:
    return ToolLogEntry(
        draft.id, person_key(draft.tenant, draft.owner), draft.tenant, draft.form, call.turn, call.step, call.reader,
        call.tool, call.status, call.reason, call.idempotent, call.finalizes,
        {"arguments": dict(call.arguments), "result": dict(call.result)},
    )  # fmt: skip
