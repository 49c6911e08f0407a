"""What one model call is asked: the same shape whatever model or dialect answers it."""

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
