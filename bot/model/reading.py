"""Put a streamed answer together, and read a message of the API into a `Reply`. Blocks are picked by type; nothing in it is trusted."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from math import isfinite
from typing import Any

from bot.model.protocol import Away
from state.draft.reply import Reply, Stop, ToolCall, Usage
from state.exact_json import without_doubles

Body = dict[str, Any]

TEXT_LIMIT = 12_000
"""Characters kept of a text: Slack's longest block. A model that writes more has run away, and nobody would read it."""

NAME_LIMIT = 100
"""Characters of a model's name, which is recorded with every value it proposed."""

NESTING_LIMIT = 20
"""Levels of a call's arguments: a form's tools have two or three, and deeper JSON exhausts the stack of whoever stores it."""

STRAY = "\N{REPLACEMENT CHARACTER}"

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What the API takes as the name of a tool and as the id of a call."""

_STOPS: dict[str, Stop] = {
    "end_turn": "end", "stop_sequence": "end", "tool_use": "calls", "max_tokens": "length", "pause_turn": "pause",
    "refusal": "refusal", "model_context_window_exceeded": "overflow",
}  # fmt: skip


def reply_of(body: Body, model: str) -> Reply:
    """Return the reply that this message is. An unknown stop reason, or one that the content belies, is read from the content."""
    given = body.get("content")
    blocks = _named([block for block in given if isinstance(block, dict)] if isinstance(given, list) else [])
    content = tuple(map(_sendable, blocks))
    used = [block for block in blocks if block.get("type") == "tool_use"]
    calls = tuple(ToolCall(b["id"], _tool_name(b.get("name", "")), _arguments(b.get("input"))) for b in used)
    stop = _STOPS.get(str(body.get("stop_reason")), "end")
    if stop in ("end", "calls"):
        stop = "calls" if calls else "end"
    if stop in ("length", "overflow"):
        calls = _without_cut_arguments(calls, content)
    text = "\n\n".join(words for block in content if (words := _words(block)))
    return Reply(
        text[:TEXT_LIMIT], calls, stop, _storable(str(body.get("model") or model))[:NAME_LIMIT], _usage(body), content
    )


def continued(first: Reply, then: Reply) -> Reply:
    """Return a paused reply and what followed it, as one."""
    return replace(
        then,
        text="\n\n".join(text for text in (first.text, then.text) if text)[:TEXT_LIMIT],
        calls=first.calls + then.calls,
        usage=first.usage + then.usage,
        content=first.content + then.content,
    )


def is_usable(reply: Reply) -> bool:
    """Return True if anything can be done with it: words, or a call with arguments."""
    return bool(reply.text.strip()) or any(call.arguments is not None for call in reply.calls)


def _named(blocks: list[Body]) -> list[Body]:
    """Return the blocks, each call with an id of its own: results are kept and sent back by it."""
    ids = [block.get("id") for block in blocks]
    return [
        {**block, "id": f"call_{place}"}
        if block.get("type") == "tool_use" and (not _is_name(ids[place]) or ids[place] in ids[:place])
        else block
        for place, block in enumerate(blocks)
    ]


def _tool_name(value: object) -> str:
    """Return the name as it was written: what a store cannot hold in it is replaced, never left out, so that it names no other tool."""
    return str(value).replace("\0", STRAY).encode("utf-8", "replace").decode()


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(_NAME.fullmatch(value))


def _arguments(value: object) -> dict[str, Any] | None:
    """Return the arguments where they are a JSON object that a store can hold, else None."""
    return value if isinstance(value, dict) and can_be_kept(value, NESTING_LIMIT) else None


def can_be_kept(value: object, room: int) -> bool:
    """Return True if a store can hold this JSON value: `room` levels at most, no NUL, no half characters, finite numbers."""
    if isinstance(value, dict):
        return room > 0 and all(_is_storable(key) and can_be_kept(inner, room - 1) for key, inner in value.items())
    if isinstance(value, list):
        return room > 0 and all(can_be_kept(inner, room - 1) for inner in value)
    if isinstance(value, str):
        return _is_storable(value)
    return not isinstance(value, float) or isfinite(value)


def _is_storable(text: str) -> bool:
    return text == _storable(text)


def _storable(text: str) -> str:
    """Return text without NUL, which PostgreSQL refuses, and without lone surrogates, which UTF-8 cannot carry."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def _without_cut_arguments(calls: tuple[ToolCall, ...], content: tuple[Body, ...]) -> tuple[ToolCall, ...]:
    """A call that stands last in an answer cut short may be half a call, whatever its JSON looks like."""
    if not content or content[-1].get("type") != "tool_use":
        return calls
    return (*calls[:-1], replace(calls[-1], arguments=None))


def _sendable(block: Body) -> Body:
    """Return the block as received; only what the API would not take back (a call's odd name or input, unstorable text) is mended."""
    if block.get("type") == "tool_use":
        tame = re.sub(r"[^a-zA-Z0-9_-]", "_", str(block.get("name", "")))[:64]
        named = block if _is_name(block.get("name")) else {**block, "name": tame or "unnamed"}
        return named if _arguments(block.get("input")) is not None else {**named, "input": {}}
    if block.get("type") == "text" and not _is_storable(str(block.get("text"))):
        return {**block, "text": _storable(str(block.get("text")))}
    return block


def _words(block: Body) -> str:
    text = block.get("text") if block.get("type") == "text" else None
    return text.strip() if isinstance(text, str) else ""


def _usage(body: Body) -> Usage:
    usage = body.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return Usage(*(n if isinstance(n := counted.get(name), int) else 0 for name in names))


Event = dict[str, Any]
_GROWS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class StreamError(Exception):
    """The answer itself says that it failed; `kind` is the API's error type."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Broken(Exception):
    """The answer broke off, or is nothing that can be read; `reason` says which."""

    def __init__(self, reason: Away) -> None:
        super().__init__(reason)
        self.reason = reason


class Assembly:
    """A message under construction. `add` each event in order; `message` is whole once `add` has seen a stop reason."""

    def __init__(self) -> None:
        self.message: Event = {}
        self._blocks: dict[int, Event] = {}
        self._inputs: dict[int, str] = {}

    def add(self, event: Event) -> None:
        """Take one event; kinds that it does not know (ping, and what comes later) change nothing."""
        match event.get("type"):
            case "message_start":
                self.message = dict(event["message"])
            case "content_block_start":
                self._blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                self._grow(event["index"], event["delta"])
            case "message_delta":  # usage is a running total: what it names replaces, what it leaves out stays
                usage = {name: count for name, count in (event.get("usage") or {}).items() if count is not None}
                self.message |= {**event["delta"], "usage": {**(self.message.get("usage") or {}), **usage}}
            case "error":
                raise StreamError(str(event["error"]["type"]))

    def whole(self) -> Event:
        """Return the message; `Broken` when its end never came."""
        if not self.message.get("stop_reason"):
            raise Broken(Away.UNREACHABLE)
        for index, written in self._inputs.items():
            self._blocks[index]["input"] = _parsed(written)
        return {**self.message, "content": [self._blocks[index] for index in sorted(self._blocks)]}

    def _grow(self, index: int, delta: Event) -> None:
        if delta["type"] == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]
        elif name := _GROWS.get(delta["type"]):
            block = self._blocks[index]
            block[name] = block.get(name, "") + delta[name]


async def assembled(events: AsyncIterator[Event]) -> Event:
    """Return the whole message of a stream of decoded events; raises `StreamError` or `Broken`."""
    assembly = Assembly()
    async for event in events:
        assembly.add(event)
    return assembly.whole()


def _parsed(written: str) -> Any:
    """Return the tool input; None, which is no object, where its JSON does not parse or gives a key twice."""
    try:
        return json.loads(written, object_pairs_hook=without_doubles) if written else {}
    except (ValueError, RecursionError):
        return None
