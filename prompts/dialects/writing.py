"""Calls and words as a model would have written them in a dialect: what it is shown of its own earlier rounds."""

import json
from collections.abc import Sequence
from typing import Any

from prompts.dialects.catalogue import SETTER, WORDS
from prompts.request import Dialect
from state.draft.reply import ToolCall
from state.draft.scope import GO

LINE = "---"
"""The line between words and action."""
_MOVE = frozenset({"to", "words"})


def acts(dialect: Dialect, calls: Sequence[ToolCall]) -> list[tuple[ToolCall, ...]]:
    """Calls in the groups that one reply can hold: what one quote sets goes together in a block, all else stands alone."""
    groups: list[tuple[ToolCall, ...]] = []
    for call in calls:
        if dialect == "block" and groups and _together(groups[-1], call):
            groups[-1] = (*groups[-1], call)
        else:
            groups.append((call,))
    return groups


def written(dialect: Dialect, text: str, calls: Sequence[ToolCall]) -> str:
    """One reply: words alone, or one group of `acts`, with the words above it where the dialect has room for both."""
    if dialect == "json":
        return _dumped(_object(text, calls))
    return "\n".join(part for part in (text, *((LINE, _dumped(_action(calls))) if calls else ())) if part)


def _together(group: tuple[ToolCall, ...], call: ToolCall) -> bool:
    held = {name for one in group for name in _fields(one)}
    return all(map(_sets, (*group, call))) and _quote(group[0]) == _quote(call) and not held & set(_fields(call))


def _sets(call: ToolCall) -> bool:
    return (
        call.tool.startswith(SETTER)
        and bool(_fields(call))
        and (WORDS not in (call.arguments or {}) or isinstance(_quote(call), str | dict))
    )


def _quote(call: ToolCall) -> Any:
    return (call.arguments or {}).get(WORDS)


def _fields(call: ToolCall) -> dict[str, Any]:
    return {name: value for name, value in (call.arguments or {}).items() if name != WORDS}


def _action(calls: Sequence[ToolCall]) -> dict[str, Any]:
    first = calls[0]
    given = first.arguments or {}
    if _sets(first):
        data = {name: value for call in calls for name, value in _fields(call).items()}
        return {"action": "collect", "data": data, **({WORDS: _quote(first)} if WORDS in given else {})}
    if first.tool == GO and given.keys() | {WORDS} == _MOVE:
        return {"action": "transition", **given}
    return {"action": "tool", "name": first.tool, "arguments": given}


def _object(text: str, calls: Sequence[ToolCall]) -> dict[str, Any]:
    if not calls:
        return {"answer": {"text": text}}
    return {"tool_call": {"name": calls[0].tool, "arguments": calls[0].arguments or {}}}


def _dumped(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
