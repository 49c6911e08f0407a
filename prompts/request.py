"""One model call: the same shape whatever model or dialect answers it; how large it may be, and what is given up to keep it small."""

import json
from dataclasses import dataclass
from typing import Any, Literal

Message = dict[str, Any]
"""`{"role": "user" | "assistant" | "system", "content": str | [content blocks]}`; a system message is an operator's word."""

Tool = dict[str, Any]
"""`{"name", "description", "input_schema", "strict"}`, as the Messages API takes it."""

Dialect = Literal["tools", "block", "json"]
"""How a reply says what to do: native tool calls, a JSON block below the words, or one JSON object."""


@dataclass(frozen=True)
class Request:
    """System prompt, messages (oldest first) and tools of one call.

    In a dialect without native tools `tools` is empty; `told` are the tools that the system prompt describes.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    max_tokens: int = 700
    dialect: Dialect = "tools"
    told: tuple[Tool, ...] = ()
    again: bool = False
    """True if a reply to the same words was refused before: nobody asks a third time."""
    words: bool = True
    """True if the user may read what the model writes, once it was judged; else code says what is said."""


BUDGET = 2000
"""Tokens of a whole request, the newest message apart, in a form that says nothing else."""
PROSE, MARKUP = 3.4, 2.8
"""Characters to a token, on the low side of what English prose and compact JSON come to, so that estimates err upwards."""
_TURN = 4
"""Tokens that a message costs beside its content."""


@dataclass(frozen=True)
class TokenBudget:
    """`lines` of the conversation, cut to `line` characters; `rounds` of the tool loop; values cut to `value` characters; the offering tool."""

    lines: int = 10
    line: int = 240
    rounds: int = 8
    value: int = 120
    offers: bool = True


ROOMS = (
    TokenBudget(),
    *(TokenBudget(lines, offers=False) for lines in range(10, 1, -1)),
    *(TokenBudget(1, 240, rounds, offers=False) for rounds in (8, 4, 2, 1)),
    *(TokenBudget(1, 240, 1, value, offers=False) for value in (120, 80, 48, 24, 12, 6)),
)
"""From the widest to the narrowest: offers go first, then the oldest lines, earlier rounds of the loop, and long values' ends."""
LED = 3
"""Lines of the conversation after a click, where the model writes nothing: [GROUND TRUTH] holds what came of the others."""
LEAST = TokenBudget(1, 240, 1, 24, offers=False)
"""For a form whose fields alone are over the budget: nothing would be won by values that nobody can read."""


def estimate(request: Request) -> int:
    """Return tokens of system prompt, messages and tools; rather too many than too few."""
    return (
        prose(request.system) + sum(_message(m["content"]) for m in request.messages) + sum(map(_markup, request.tools))
    )


def prose(text: str) -> int:
    """Return tokens of a text: characters beyond ASCII count by their bytes in UTF-8, since rare scripts go nearly byte by byte."""
    return _tokens(text, PROSE)


def _message(content: str | list[dict[str, Any]]) -> int:
    return _TURN + (prose(content) if isinstance(content, str) else sum(map(_markup, content)))


def _markup(value: object) -> int:
    return _tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":")), MARKUP)


def _tokens(text: str, per_token: float) -> int:
    simple = len(text.encode("ascii", "ignore"))
    rare = len(text.encode("utf-8", "replace")) - simple
    return round(simple / per_token + rare / 2 + 0.5)
