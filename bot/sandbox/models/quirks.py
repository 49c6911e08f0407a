"""Endpoints that speak the Messages API with an accent: what they reject, and how they deliver."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from bot.sandbox.models.schema_rules import NAME, Invalid

Lack = Literal["system_messages", "strict", "thinking", "effort", "streaming", "whole"]
"""What an endpoint may not take; "whole" is an answer that is not streamed."""

_WORDS: dict[Lack, str] = {
    "system_messages": "messages[1].role: unknown variant `system`, expected `user` or `assistant`",
    "strict": "tools.0.custom.strict: Extra inputs are not permitted",
    "thinking": '"thinking.type.disabled" is not supported for this model. Use "output_config.effort" instead.',
    "effort": "output_config: Extra inputs are not permitted",
    "streaming": "Streaming is not supported by this deployment",
    "whole": "This model only supports streaming; set stream to true",
}


@dataclass(frozen=True)
class Quirks:
    """`terse` complaints name nothing; `delivery` overrides what the request asks for; a key may count in one header only."""

    lacks: frozenset[Lack] = frozenset()
    terse: bool = False
    delivery: Literal["as asked", "stream", "whole"] = "as asked"
    reads_bearer: bool = True

    def check(self, body: dict[str, Any]) -> None:
        """Raises `Invalid` for the first thing in the request that this endpoint does not take."""
        for lack, words in _WORDS.items():
            if lack in self.lacks and _holds(body, lack):
                raise Invalid("Invalid request" if self.terse else words)

    def streams(self, body: dict[str, Any]) -> bool:
        """Return True if the answer to this request is streamed."""
        return bool(body.get("stream")) if self.delivery == "as asked" else self.delivery == "stream"


def _holds(body: dict[str, Any], lack: Lack) -> bool:
    held: dict[Lack, bool] = {
        "system_messages": any(message["role"] == "system" for message in body["messages"]),
        "strict": any("strict" in tool for tool in body.get("tools", ())),
        "thinking": "thinking" in body,
        "effort": "output_config" in body,
        "streaming": bool(body.get("stream")),
        "whole": not body.get("stream"),
    }
    return held[lack]


Body = dict[str, Any]


class Memory:
    """Every block that was issued, and for thinking the request it answered."""

    def __init__(self) -> None:
        self._calls: dict[str, Body] = {}
        self._thoughts: dict[str, tuple[Body, str]] = {}
        self._pauses: list[list[Body]] = []

    def note(self, request: Body, message: Body) -> None:
        """Remember a message that goes out in answer to this request."""
        messages = request["messages"]
        asked_after = messages[:-1] if messages[-1]["role"] == "assistant" else messages
        for block in message["content"]:
            if block["type"] == "tool_use":
                self._calls[block["id"]] = block
            elif block["type"] == "thinking":
                self._thoughts[block["signature"]] = block, _fingerprint(request, asked_after)
        if message["stop_reason"] == "pause_turn":
            self._pauses.append(message["content"])

    def continues_a_pause(self, request: Body) -> bool:
        """Return True if the request ends with the content of a paused turn, as it was sent."""
        messages = request.get("messages")
        last = messages[-1] if isinstance(messages, list) and messages else None
        return isinstance(last, dict) and last.get("role") == "assistant" and last.get("content") in self._pauses

    def check(self, request: Body) -> None:
        """Raises `Invalid` where a call or a thought comes back altered, or a thought behind an altered conversation."""
        for place, block in _blocks(request):
            if block["type"] == "tool_use":
                self._check_call(place, block)
            elif block["type"] == "thinking":
                self._check_thought(request, place, block)

    def _check_call(self, place: int, block: Body) -> None:
        sent = self._calls.get(block["id"])
        could_come_back = sent and isinstance(sent["input"], dict) and NAME.fullmatch(sent["name"])
        if could_come_back and block != sent:
            raise Invalid(f"messages.{place}: `tool_use` blocks must come back as they were sent")

    def _check_thought(self, request: Body, place: int, block: Body) -> None:
        sent, prefix = self._thoughts.get(block["signature"], ({}, ""))
        if block != sent:
            raise Invalid(f"messages.{place}: `thinking` blocks cannot be modified")
        if prefix != _fingerprint(request, request["messages"][:place]):
            raise Invalid(f"messages.{place}: what stands before a `thinking` block has changed since it was sent")


def _blocks(request: Body) -> Iterator[tuple[int, Body]]:
    for place, message in enumerate(request["messages"]):
        if message["role"] == "assistant" and isinstance(message["content"], list):
            yield from ((place, block) for block in message["content"])


def _fingerprint(request: Body, before: list[Body]) -> str:
    return json.dumps([request.get("system"), request.get("tools"), before], sort_keys=True)
