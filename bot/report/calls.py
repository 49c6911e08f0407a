"""The tool calls of one conversation, as they were logged: tool, arguments, result, and what came of each."""

import json
from collections.abc import Iterator, Sequence

from state.stores.rows import ToolLogEntry


def render_calls(name: str, calls: Sequence[ToolLogEntry]) -> str:
    """A call a line, with its arguments and its result below; those of an erased person are gone."""
    return "\n".join((f"{name}: {len(calls)} tool calls", *(line for call in calls for line in _lines(call)))) + "\n"


def _lines(call: ToolLogEntry) -> Iterator[str]:
    marks = [call.status, *([call.reason] if call.reason else []), *(["idempotent"] if call.idempotent else [])]
    at = f"{call.at:%Y-%m-%d %H:%M:%S}" if call.at else "-"
    yield f"{at} turn {call.turn} {call.tool}: {', '.join(marks)} ({call.reader})"
    if call.erased:
        yield "  erased"
        return
    for part in ("arguments", "result"):
        yield f"  {part} {json.dumps(call.body.get(part, {}), ensure_ascii=False, sort_keys=True)}"
