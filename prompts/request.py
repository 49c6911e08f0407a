"""What one model call is asked: the same shape whatever model or dialect answers it."""

from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]
"""`{"role": "user" | "assistant" | "system", "content": str | [content blocks]}`; a system message is an operator's word."""

Tool = dict[str, Any]
"""`{"name", "description", "input_schema", "strict"}`, as the Messages API takes it."""


@dataclass(frozen=True)
class Request:
    """System prompt, messages (oldest first) and tools of one call."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    max_tokens: int = 700
