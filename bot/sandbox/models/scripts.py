"""Ready-made scripted models, and what they can see of a request: they know only what it tells them, as a real model does."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.model.sending import unmarked
from bot.sandbox.models.answers import Answer, text

Body = dict[str, Any]
Play = Callable[[Body], Answer]
"""A script without a clock: a request's body in, an answer out."""


def newest_words(body: Body) -> str:
    """Return what the newest user turn says, without the operator's blocks."""
    return unmarked("\n\n".join(_texts(_newest_turn(body))))


def tool_results(body: Body) -> list[dict[str, Any]]:
    """Return the tool results in the newest user turn, in order."""
    return _results(_newest_turn(body))


def offered(body: Body) -> dict[str, dict[str, Any]]:
    """Return the tools on offer: name and input schema."""
    return {tool["name"]: tool["input_schema"] for tool in body.get("tools", ())}


def all_words(body: Body) -> Iterator[str]:
    """Yield every text in the conversation, whoever wrote it, tool results included."""
    for message in body["messages"]:
        yield from _texts(message)
        yield from (text for result in _results(message) for text in _texts(result))


def _newest_turn(body: Body) -> dict[str, Any]:
    turns = (message for message in reversed(body["messages"]) if message["role"] == "user")
    return next(turns, {})


def _results(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content", "")
    return [block for block in content if isinstance(block, dict) and block["type"] == "tool_result"]


def _texts(message: dict[str, Any]) -> Iterator[str]:
    content = message.get("content", "")
    if isinstance(content, str):
        yield content
        return
    yield from (block["text"] for block in content if block["type"] == "text")


Step = Answer | Play
"""An answer, or what makes one of the request."""

ALL_RIGHT = text("All right.")
THANK_YOU = text("Thank you.")


def in_order(*steps: Step) -> Play:
    """Return the first step for the first request, and so on; the last one stands for all that come after."""
    left = list(steps)

    def play(body: Body) -> Answer:
        return _played(left.pop(0) if len(left) > 1 else left[0], body)

    return play


def by_newest_message(table: Mapping[str, Step], *, otherwise: Step = ALL_RIGHT, after_tools: Step = THANK_YOU) -> Play:
    """The step of the first pattern found in the newest user's words (any case); `after_tools` answers tool results."""

    def play(body: Body) -> Answer:
        if tool_results(body):
            return _played(after_tools, body)
        words = newest_words(body)
        found = (step for pattern, step in table.items() if re.search(pattern, words, re.IGNORECASE))
        return _played(next(found, otherwise), body)

    return play


def _played(step: Step, body: Body) -> Answer:
    return step(body) if callable(step) else step
