"""Tool calls as rows of the log. Arguments and results may hold people's words: they are sealed, and no log line has them."""

import structlog

from bot.turn.keys import person_key
from state.called import Called
from state.draft import Draft
from state.stores.protocol import ToolCall

log = structlog.get_logger("holdfast.tools")


def tool_calls(draft: Draft, calls: tuple[Called, ...]) -> list[ToolCall]:
    """A row per call, and a line in the log that says what came of it."""
    for call in calls:
        log.info(
            "tool_call",
            tool=call.tool, status=call.status, reason=call.reason, reader=call.reader, form=draft.form, draft=draft.id,
            turn=call.turn, step=call.step, idempotent=call.idempotent,
        )  # fmt: skip
    return [_row(draft, call) for call in calls]


def _row(draft: Draft, call: Called) -> ToolCall:
    return ToolCall(
        draft.id, person_key(draft.tenant, draft.owner), draft.tenant, draft.form, call.turn, call.step, call.reader,
        call.tool, call.status, call.reason, call.idempotent, call.finalizes,
        {"arguments": dict(call.arguments), "result": dict(call.result)},
    )  # fmt: skip
