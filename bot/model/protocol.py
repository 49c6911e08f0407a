"""The language model's protocol, and the ways in which there is no answer.

    ModelError
    ├── ModelAway          nobody answered, or nobody may: outage, timeout, overload, money, key (has a `reason`)
    ├── ModelRefused       the model declined
    ├── ModelOverflow      no room: the context window is full, or the answer was cut before it said anything
    └── BadModelRequest    the endpoint finds our request wrong, whatever we leave out of it

Every error carries only a closed reason and a `Cause`; no text of the SDK or of the endpoint is in it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from prompts.request import Request
from state.draft.reply import Reply, Usage

DEADLINE = 16.0
"""Seconds for one reply, every retry counted in. The question is on screen meanwhile; later words would come too late."""


class Away(StrEnum):
    """Why nobody answered: a closed list, safe to log and to count."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    OVERLOADED = "overloaded"
    RATE_LIMITED = "rate_limited"
    BUDGET = "budget"
    KEY = "key"
    NO_SUCH_MODEL = "no_such_model"
    OUTAGE = "outage"
    GARBLED = "garbled"


@dataclass(frozen=True)
class Cause:
    """The cause of a failure, for the log: the exception's class, the last HTTP status and request id, the attempts made."""

    kind: str = ""
    status: int | None = None
    request_id: str | None = None
    attempts: int = 0


class ModelError(Exception):
    """The model gave no answer that can be used; `usage` is what was spent on it all the same."""

    def __init__(self, cause: Cause | None = None) -> None:
        super().__init__(type(self).__name__)
        self.cause = cause or Cause()
        self.usage = Usage()


class ModelAway(ModelError):
    """Nobody answered, or nobody may."""

    def __init__(self, reason: Away, cause: Cause | None = None) -> None:
        super().__init__(cause)
        self.reason = reason


class ModelRefused(ModelError):
    """The model declined to answer; a text it began is dropped."""


class ModelOverflow(ModelError):
    """The request or the answer did not fit, and nothing of the answer can be used."""


class BadModelRequest(ModelError):
    """The endpoint rejects the request."""


class Model(Protocol):
    """Anything that answers a `Request`."""

    @property
    def name(self) -> str:
        """The model's name, as it is recorded beside what it proposed."""
        ...

    async def reply(self, request: Request) -> Reply:
        """One answer; a `ModelError` when there is none."""
        ...
