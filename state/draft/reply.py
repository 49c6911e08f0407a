"""The answer of a reader or a model: words, and the calls it proposes. It decides nothing; `advance()` does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Stop = Literal["end", "calls", "length", "refusal", "pause", "overflow"]


@dataclass(frozen=True)
class ToolCall:
    """One proposed tool call. `arguments` is None where they are no JSON object; `confirm` is the model's text for a confirmation."""

    id: str
    tool: str
    arguments: dict[str, Any] | None
    confirm: str = ""
    unquoted: bool = False
    """True if it came in a dialect and quotes nothing: the newest message alone has to bear it."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one model call, as the API counted them."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Return both calls' tokens."""
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(frozen=True)
class Reply:
    """One answer. `content` holds the model's blocks exactly as received, to be sent back inside a tool loop."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: Stop = "end"
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    content: tuple[dict[str, Any], ...] = ()
    retried: bool = False
    """True if it was asked for a second time, the first being no reply: it has had its one retry."""
    asks: bool = False
    """True if it came as a question, and so has to be one."""


@dataclass(frozen=True)
class Round:
    """One round of a turn's tool loop: the reply, what each call came to (by call id), or what was wrong with its words."""

    reply: Reply
    results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    flaw: str = ""
