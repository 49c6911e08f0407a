"""A scripted message in the API's two deliveries: one JSON object, or server-sent events."""

import json
from collections.abc import Iterator
from typing import Any

from bot.sandbox.models.answers import Block, BrokenJson, Said

PIECES = 7
"""Deltas that a streamed text or tool input is cut into; odd, so that words and JSON break in awkward places."""

_EMPTIED: dict[str, Block] = {
    "text": {"text": ""},
    "tool_use": {"input": {}},
    "thinking": {"thinking": "", "signature": ""},
}
"""What a block begins as when its deltas are still to come."""


def message_of(said: Said, request: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the message object; `number` (the server's count of messages) makes its ids unique."""
    content = [_with_ids(block, f"{number:06d}_{place}") for place, block in enumerate(said.content)]
    usage = {
        "input_tokens": tokens_of(request["messages"]),
        "output_tokens": tokens_of(content),
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
    }
    return {
        "id": f"msg_{number:06d}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": content,
        "stop_reason": said.stop_reason,
        "stop_sequence": None,
        "usage": {**usage, **said.usage},
    }


def tokens_of(value: object) -> int:
    """Return a rough count of tokens: four characters each."""
    return max(1, len(json.dumps(value, ensure_ascii=False, default=str)) // 4)


def events_of(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of the message, in order."""
    usage = message["usage"]
    begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block)
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def as_sse(event: dict[str, Any]) -> bytes:
    """One event on the wire."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _with_ids(block: Block, suffix: str) -> Block:
    if block["type"] == "tool_use":
        return {"type": "tool_use", "id": f"toolu_{suffix}", "name": block["name"], "input": block["input"]}
    if block["type"] == "thinking":
        return {**block, "signature": f"sig_{suffix}"}
    return block


def _block_events(index: int, block: Block) -> Iterator[dict[str, Any]]:
    yield {"type": "content_block_start", "index": index, "content_block": {**block, **_EMPTIED.get(block["type"], {})}}
    for delta in _deltas(block):
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _deltas(block: Block) -> Iterator[dict[str, str]]:
    if block["type"] == "text":
        yield from ({"type": "text_delta", "text": piece} for piece in _pieces(block["text"]))
    elif block["type"] == "thinking":
        yield from ({"type": "thinking_delta", "thinking": piece} for piece in _pieces(block["thinking"]))
        yield {"type": "signature_delta", "signature": block["signature"]}
    elif block["type"] == "tool_use":
        written = block["input"] if isinstance(block["input"], BrokenJson) else json.dumps(block["input"])
        yield from ({"type": "input_json_delta", "partial_json": piece} for piece in _pieces(written))


def _pieces(written: str) -> Iterator[str]:
    step = max(1, -(-len(written) // PIECES))
    yield from (written[start : start + step] for start in range(0, len(written), step))
