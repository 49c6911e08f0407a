"""What a request to `/chat` may hold, and what goes back. Nothing in a body says who asks."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from bot.operations.service import Came, Unknown
from state.draft.operations import Conflict, Forbidden, Invalid, NotFound, Refused

LONGEST = 64 * 1024
"""Bytes of a body."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]
FACTS = ("added", "updated", "deleted", "listed", "balance")
STATUSES: Mapping[type[Refused], tuple[int, str]] = {
    Forbidden: (403, "forbidden"),
    NotFound: (404, "not_found"),
    Unknown: (404, "not_found"),
    Conflict: (409, "conflict"),
    Invalid: (422, "invalid"),
}


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Turn(Part):
    """One line of the conversation so far."""

    role: Literal["user", "assistant"]
    content: Text


class Confirm(Part):
    """The click: a proposal by its id."""

    proposal: Annotated[str, StringConstraints(min_length=1, max_length=64)]


class Body(Part):
    """`question` is another name of `message`; the last user turn of `history` wins over both."""

    history: Annotated[list[Turn], "oldest first"] = []
    message: Text | None = None
    question: Text | None = None
    confirm: Confirm | None = None


class Failed(Exception):
    """A request that is not answered: an HTTP status, a short code, what may be told of it, and after how many seconds to come again."""

    def __init__(self, status: int, error: str, detail: str = "", seconds: float = 0.0) -> None:
        super().__init__(error)
        self.status, self.error, self.detail, self.seconds = status, error, detail, seconds

    @property
    def body(self) -> dict[str, str]:
        """`{error, detail?}`."""
        return {"error": self.error} | ({"detail": self.detail} if self.detail else {})


def read_body(value: object) -> Body:
    """A body that fits. Raises Failed (400), which repeats nothing of what was sent."""
    if not isinstance(value, dict):
        raise Failed(400, "malformed", "The body must be a JSON object.")
    try:
        return Body.model_validate(value)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_context=False, include_input=False)[0]
        known = [str(part) for part in error["loc"] if isinstance(part, int) or part in KNOWN]
        what = "is not known" if error["type"] == "extra_forbidden" else "is not what it should be"
        raise Failed(400, "malformed", f"{'.'.join(known) or 'A property'} {what}.") from None


KNOWN = frozenset(("history", "message", "question", "confirm", "proposal", "role", "content"))


def answer(text: str, came: Came | None = None) -> dict[str, Any]:
    """What goes back: words, and with an operation what it did or what it waits for."""
    if came is None:
        return {"answer": text}
    if came.status == "waits":
        return {"answer": text, "confirmationRequired": True, "proposal": came.proposal}
    return {"answer": text, **{name: came.facts[name] for name in FACTS if name in came.facts}}


def failed(refused: Refused, detail: str) -> Failed:
    """A refusal of the service as a status."""
    status, error = STATUSES[type(refused)]
    return Failed(status, error, detail)
