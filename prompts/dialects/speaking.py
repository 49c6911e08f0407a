"""A request with tools as one without: nothing in it needs an endpoint that knows tools, calls or results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from prompts.dialects.wording import format_rules
from prompts.dialects.writing import acts, written
from prompts.marks import RESULT
from prompts.request import Dialect, Message, Request
from state.draft.reply import ToolCall

Block = Mapping[str, Any]


def in_dialect(request: Request, dialect: Dialect) -> Request:
    """Return the request as it is asked in a dialect; the same one for native tools."""
    if dialect == "tools":
        return request
    system = f"{request.system}\n\n{format_rules(dialect, request.tools, words=request.words)}"
    messages = tuple(_turns(request.messages, dialect))
    return replace(request, system=system, messages=messages, tools=(), dialect=dialect, told=request.tools)


def _turns(messages: Sequence[Message], dialect: Dialect) -> Iterator[Message]:
    """Yield words stay words. Calls, and the results in the turn behind them, become turns of text."""
    for message, after in zip_longest(messages, messages[1:], fillvalue={"content": ""}):
        content = message["content"]
        if message["role"] == "assistant":
            yield from _rounds(_blocks(content), _results(_blocks(after["content"])), dialect)
        elif isinstance(content, str):
            yield message
        elif words := _words(content):
            yield {**message, "content": words}


def _rounds(content: Sequence[Block], results: Mapping[str, str], dialect: Dialect) -> Iterator[Message]:
    """Return what the model said, an act at a time, each answered by what it came to."""
    text = _words(content)
    calls = [
        ToolCall(block["id"], block["name"], dict(block["input"])) for block in content if block["type"] == "tool_use"
    ]
    if not calls:
        yield {"role": "assistant", "content": written(dialect, text, ())}
    for place, group in enumerate(acts(dialect, calls)):
        yield {"role": "assistant", "content": written(dialect, "" if place else text, group)}
        told = "\n".join(f"{RESULT} {results[call.id]}" for call in group if call.id in results)
        yield {"role": "user", "content": told or RESULT}


def _blocks(content: str | Sequence[Block]) -> Sequence[Block]:
    return ({"type": "text", "text": content},) if isinstance(content, str) else content


def _results(content: Sequence[Block]) -> dict[str, str]:
    return {block["tool_use_id"]: str(block["content"]) for block in content if block["type"] == "tool_result"}


def _words(content: Sequence[Block]) -> str:
    return "\n".join(block["text"] for block in content if block["type"] == "text")
