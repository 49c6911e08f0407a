"""The log of tool calls: what was proposed to the form, by whom, and what it came to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from state.draft.reply import ToolCall
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, GO, PERSON, READ, SAY, SUBMIT, own_names
from state.fields import tools_of
from state.form import Form

UNKNOWN = "unknown"
"""Stands in the log's plain column for a name that no tool has: a model may have put anything there."""
CODE = "code"
"""The word in a result that only the log keeps: why a call was refused."""


@dataclass(frozen=True)
class JudgedCall:
    """One call as it was judged. `arguments` and `result` may hold people's words; the rest holds nothing personal."""

    tool: str
    status: str
    reason: str
    """The refusal's code (lock, grounding, schema …), also where only a part was refused; empty where nothing was."""
    reader: str
    """The model's name, or "rules" for the rule-based reader."""
    turn: int
    step: int
    idempotent: bool
    """Whether it asked for what was done before, and was told so without anything being written."""
    finalizes: bool
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]


def finalizes(form: Form, tool: str) -> bool:
    """Whether a tool of this name is a way to submit, offered or not."""
    return tool in SUBMIT or (tool != "" and tool == form.finalize)


def log_entry(form: Form, call: ToolCall, result: Mapping[str, Any], reader: str, turn: int, step: int) -> JudgedCall:
    """The entry for a call and its result, code included."""
    status, done = str(result.get("status", "")), finalizes(form, call.tool)
    known = (
        done
        or status != "rejected"
        or call.tool
        in (CORRECT, DISCLOSE, EXPLAIN, GO, PERSON, READ, SAY, *own_names(form), *tools_of(form), *form.operations)
    )
    return JudgedCall(
        call.tool if known else UNKNOWN,
        status,
        _reason(result),
        reader,
        turn,
        step,
        idempotent=done and bool(result.get("already_finalized")),
        finalizes=done,
        arguments={"tool": call.tool, "given": call.arguments},
        result=without_code(result),
    )


def without_code(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result as the model reads it."""
    kept = {name: value for name, value in result.items() if name != CODE}
    parts = kept.get("rejected")
    return kept | ({"rejected": {n: without_code(r) for n, r in parts.items()}} if isinstance(parts, Mapping) else {})


def _reason(result: Mapping[str, Any]) -> str:
    parts = result.get("rejected")
    first = next(iter(parts.values())) if isinstance(parts, Mapping) and parts else {}
    return str(result.get(CODE) or first.get(CODE, ""))
