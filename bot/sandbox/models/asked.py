"""What a scripted model can see: the newest words, the tool results and the tools of a request's body."""

from collections.abc import Callable, Iterator
from typing import Any

from bot.model.arranging import unmarked
from bot.sandbox.models.answers import Answer

Body = dict[str, Any]
Play = Callable[[Body], Answer]
"""A script without a clock: a request's body in, an answer out."""


def newest_words(body: Body) -> str:
    """What the newest user turn says, without the operator's blocks."""
    return unmarked("\n\n".join(_texts(_newest_turn(body))))


def tool_results(body: Body) -> list[dict[str, Any]]:
    """The tool results in the newest user turn, in order."""
    return _results(_newest_turn(body))


def offered(body: Body) -> dict[str, dict[str, Any]]:
    """The tools on offer: name and input schema."""
    return {tool["name"]: tool["input_schema"] for tool in body.get("tools", ())}


def all_words(body: Body) -> Iterator[str]:
    """Every text in the conversation, whoever wrote it, tool results included."""
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
