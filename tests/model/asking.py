"""Requests as a turn would make them."""

import random
from typing import Any

from prompts.request import Message, Request, Tool

KEY = "a-key-for-tests"


def user(content: Any) -> Message:
    return {"role": "user", "content": content}


def assistant(content: Any) -> Message:
    return {"role": "assistant", "content": content}


def operator(content: Any) -> Message:
    return {"role": "system", "content": content}


def asked(*messages: Message, tools: tuple[Tool, ...] = ()) -> Request:
    """One short user message unless others are given."""
    return Request("You help with a form.", messages or (user("Buy 200 shares"),), tools)


def dice(seed: int) -> random.Random:
    return random.Random(seed)


def tool(name: str = "set_quantity", kind: Any = "integer", *, strict: bool = True, **more: Any) -> Tool:
    """One tool with one argument, `value`."""
    schema = {
        "type": "object",
        "properties": {"value": {"type": kind, **more}},
        "required": ["value"],
        "additionalProperties": False,
    }
    return {"name": name, "description": "Sets it.", "input_schema": schema, "strict": strict}
