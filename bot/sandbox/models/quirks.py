"""Endpoints that speak the Messages API with an accent: what they reject, and how they deliver."""

from dataclasses import dataclass
from typing import Any, Literal

from bot.sandbox.models.schema_rules import Invalid

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
        """Whether the answer to this request is streamed."""
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
