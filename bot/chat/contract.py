"""What a request to `/chat` may hold, and what goes back. Nothing in a body says who asks."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from bot.operations.service import Came, Unknown
from state.draft.operations import Conflict, Forbidden, Invalid, NotFound, Refused
from state.draft.reply import ToolCall
from state.fields.tools import file_field
from state.form import Form

LONGEST = 64 * 1024
"""Bytes of a body."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
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
    """The click: a proposal by its id, or by the very operation and arguments that one of the caller's own holds."""

    proposal: Name | None = None
    tool: Name | None = None
    args: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "Confirm":
        by_id, exactly = self.proposal is not None, self.tool is not None and self.args is not None
        if by_id == exactly or (by_id and (self.tool, self.args) != (None, None)):
            raise PydanticCustomError("either", "a proposal, or a tool with its args")
        return self


class Body(Part):
    """`question` is another name of `message`; the last user turn of `history` wins over both.

    `userContext` is what clients of other systems send along. Nothing reads it: the token alone says who calls, and as what.
    """

    history: Annotated[list[Turn], "oldest first"] = []
    message: Text | None = None
    question: Text | None = None
    confirm: Confirm | None = None
    user_context: Annotated[Any, Field(alias="userContext")] = None


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


KNOWN = frozenset(
    ("history", "message", "question", "confirm", "proposal", "tool", "args", "role", "content", "userContext")
)


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


def unfit(form: Form, tool: str, arguments: Mapping[str, Any] | None) -> Failed:
    """A call of an operation that there is not, or with arguments that it does not take: said with the form's own names alone."""
    known = {o.name: o for o in form.operations.values() if not file_field(o)}
    if tool not in known:
        return Failed(422, "unknown_operation", f"There is no such operation. There are: {', '.join(known)}.")
    fields = known[tool].fields
    if set(arguments or ()) - set(fields):
        return Failed(422, "unknown_field", f"{tool} has no such field. It has: {', '.join(fields)}.")
    return Failed(422, "bad_arguments", f"{tool} cannot take these arguments. It has: {', '.join(fields)}.")


def misfit(form: Form, calls: Sequence[ToolCall], results: Mapping[str, Mapping[str, Any]]) -> Failed | None:
    """The first of a reply's calls that no operation can take; None where they are refused for what was said."""
    codes = {call.id: results.get(call.id, {}).get("code") for call in calls}
    return next((unfit(form, c.tool, c.arguments) for c in calls if codes[c.id] in UNFIT), None)


UNFIT = ("tool", "schema", "missing")
"""Refusals of a call for itself, whatever the person said."""
