"""Answers of a scripted model: a message, a fault, a dropped line or a delay; and how a message looks on the wire."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Block = dict[str, Any]


@dataclass(frozen=True)
class ModelMessage:
    """A message of the model. Tool calls get their ids when the server plays it."""

    content: tuple[Block, ...] = ()
    stop_reason: str = "end_turn"
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """An error response; `in_stream` lets a streaming answer begin well and then report it, as the API may."""

    status: int
    kind: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)
    in_stream: bool = False


@dataclass(frozen=True)
class Dropped:
    """Nothing more comes: from the start, or with half of the answer out. The connection closes, unless it `hangs`."""

    halfway: ModelMessage | None = None
    hangs: bool = False


@dataclass(frozen=True)
class Raw:
    """A 200 whose body is not the API's."""

    body: str
    content_type: str = "text/html"


@dataclass(frozen=True)
class Slow:
    """The same answer, `seconds` later."""

    seconds: float
    answer: "Answer"


Answer = ModelMessage | Failed | Dropped | Raw | Slow


class BrokenJson(str):
    """Tool input as the model wrote it, where that is no JSON: streamed as it is, sent whole as a string."""

    __slots__ = ()


def text(*words: str, **usage: int) -> ModelMessage:
    """One text block per argument; usage numbers by the API's names (`cache_read_input_tokens=…`) where they matter."""
    return ModelMessage(tuple({"type": "text", "text": part} for part in words), usage=usage)


def call(tool: str, /, **arguments: Any) -> Block:
    """One tool call, for `tools`."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def call_with(tool: str, given: object) -> Block:
    """One tool call whose input is whatever this is: a list, a number, or `BrokenJson`."""
    return {"type": "tool_use", "name": tool, "input": given}


def broken_json(tool: str, written: str = '{"value": "no') -> ModelMessage:
    """Return a tool call whose arguments are cut short or misquoted."""
    return tools(call_with(tool, BrokenJson(written)))


def tools(*calls: Block, text: str = "") -> ModelMessage:
    """Tool calls, after a text where there is one."""
    words: tuple[Block, ...] = ({"type": "text", "text": text},) if text else ()
    return ModelMessage((*words, *calls), "tool_use")


def thinking(thought: str, then: ModelMessage) -> ModelMessage:
    """Return the same message after a thinking block, which has to come back unchanged or not at all."""
    return ModelMessage(
        ({"type": "thinking", "thinking": thought, "signature": ""}, *then.content), then.stop_reason, then.usage
    )


def unknown_block(then: ModelMessage) -> ModelMessage:
    """Return the same message after a content block of a type that nobody knows yet."""
    return ModelMessage(({"type": "hologram", "payload": {"n": 1}}, *then.content), then.stop_reason, then.usage)


def cut_off(then: ModelMessage | None = None) -> ModelMessage:
    """Return an answer that ran into `max_tokens`; with nothing in it unless some is given."""
    return ModelMessage(then.content if then else (), "max_tokens")


def pause_turn(words: str = "One moment.") -> ModelMessage:
    """Return a turn that the API pauses, to be continued by sending its content back."""
    return ModelMessage(text(words).content, "pause_turn")


def refusal(words: str = "") -> ModelMessage:
    """Return the model declines, perhaps after a few words."""
    return ModelMessage(text(words).content if words else (), "refusal")


def context_window_exceeded(words: str = "") -> ModelMessage:
    """Return the context window filled up while the model wrote."""
    return ModelMessage(text(words).content if words else (), "model_context_window_exceeded")


def prompt_too_long() -> Failed:
    """The request alone is over the context window."""
    return Failed(400, "invalid_request_error", "prompt is too long: 1000001 tokens > 1000000 maximum")


def overloaded(*, in_stream: bool = False) -> Failed:
    """The API is overloaded (529)."""
    return Failed(529, "overloaded_error", "Overloaded", in_stream=in_stream)


def rate_limited(retry_after: float | None = None) -> Failed:
    """Return a 429: with a wait, a rate limit; without one, a spend limit."""
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Failed(429, "rate_limit_error", "This request would exceed your organization's limit.", headers)


def out_of_credit() -> Failed:
    """The account has no money left, which the API reports as an invalid request."""
    return Failed(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.")


def http_error(status: int, message: str = "Something is wrong.") -> Failed:
    """Return any other error, of the API's own type for the status."""
    return Failed(status, _KINDS.get(status, "api_error"), message)


def slow(seconds: float, answer: Answer) -> Slow:
    """Return the same answer, late."""
    return Slow(seconds, answer)


def dropped(halfway: ModelMessage | None = None) -> Dropped:
    """The line goes dead: at once, or with half of that answer out."""
    return Dropped(halfway)


def stalled(halfway: ModelMessage) -> Dropped:
    """Half of that answer, and then silence on an open line."""
    return Dropped(halfway, hangs=True)


_KINDS = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 504: "timeout_error",
    529: "overloaded_error",
}  # fmt: skip


PIECES = 7
"""Deltas that a streamed text or tool input is cut into; odd, so that words and JSON break in awkward places."""

_EMPTIED: dict[str, Block] = {
    "text": {"text": ""},
    "tool_use": {"input": {}},
    "thinking": {"thinking": "", "signature": ""},
}
"""The beginning of a block whose deltas are still to come."""


def message_of(said: ModelMessage, request: dict[str, Any], number: int) -> dict[str, Any]:
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
