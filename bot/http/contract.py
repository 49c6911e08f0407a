"""The bodies of `/chat`, requests and answers. Nothing in a body says who asks."""

import json
import secrets
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from babel.numbers import get_currency_precision
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from bot.effects.service import OperationOutcome, Unknown
from state.draft.operations import Conflict, Forbidden, Invalid, NotFound, Refused
from state.draft.reply import ToolCall
from state.fields import file_field, kind_of
from state.fields.money import CURRENCIES
from state.form import Form

LONGEST = 64 * 1024
"""Bytes of a body."""
MESSAGE = 4000
"""Characters of a message."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MESSAGE)]
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
    content: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST)]
    """As long as an answer may be: clients send these back."""


class Call(Part):
    """An operation and its arguments."""

    tool: Name
    args: dict[str, Any]


class Exactly(Call):
    """All that a proposal holds: one call, and `more` where several things wait for one click."""

    more: list[Call] = []


class Confirm(Part):
    """The click: a proposal by its id, or by what it holds, in any shape in which either was given out."""

    proposal: Name | Exactly | None = None
    proposal_id: Annotated[Name, Field(alias="proposalId")] = ""
    tool: Name | None = None
    args: dict[str, Any] | None = None
    more: list[Call] = []

    @model_validator(mode="after")
    def _one_way(self) -> "Confirm":
        spread = (self.tool, self.args) != (None, None) or self.more
        whole = self.tool is not None and self.args is not None
        if (spread and (self.proposal is not None or not whole)) or not (spread or self.proposal or self.proposal_id):
            raise PydanticCustomError("either", "a proposal, or a tool with its args")
        return self

    @property
    def name(self) -> str:
        """The proposal's id; empty where it is not given."""
        return self.proposal if isinstance(self.proposal, str) else self.proposal_id

    @property
    def calls(self) -> list[Call]:
        """The calls that the proposal holds, where they are given."""
        if isinstance(self.proposal, Exactly):
            return [self.proposal, *self.proposal.more]
        return [Call(tool=self.tool, args=self.args), *self.more] if self.tool and self.args is not None else []


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
    """Return a body that fits. Raises Failed (400), which repeats nothing of what was sent."""
    if not isinstance(value, dict):
        raise Failed(400, "malformed", "The body must be a JSON object.")
    try:
        return Body.model_validate(value)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_context=False, include_input=False)[0]
        known = [str(part) for part in error["loc"] if isinstance(part, int) or part in KNOWN]
        what = "is not known" if error["type"] == "extra_forbidden" else "is not what it should be"
        raise Failed(400, "malformed", f"{'.'.join(known) or 'A property'} {what}.") from None


KNOWN = frozenset({
    "history", "message", "question", "confirm", "proposal", "proposalId", "tool", "args", "more", "role", "content", "userContext",
})  # fmt: skip


def answer(text: str, form: Form, came: OperationOutcome) -> dict[str, Any]:
    """Return what goes back of an operation: words, and what it did or what it waits for, sums as numbers."""
    if came.status == "waits":
        first, *more = ({"tool": call.operation, "args": _numbers(form, call.arguments)} for call in came.calls)
        proposal = {**first, **({"more": more} if more else {})}
        return {"answer": text, "confirmationRequired": True, "proposal": proposal, "proposalId": came.proposal}
    facts = {name: came.facts[name] for name in FACTS if name in came.facts}
    return {"answer": text, **{name: _numbers(form, value) for name, value in facts.items()}}


def _numbers(form: Form, value: Any) -> Any:
    """Return a row, rows, or sums by currency, with each sum as the exact number that it is."""
    if isinstance(value, list):
        return [_numbers(form, row) for row in value]
    fields = [field for operation in form.operations.values() for field in operation.fields.values()]
    sums, code = {f.name for f in fields if kind_of(f).listing == "amount"}, str(value.get("currency") or "")
    if set(value) <= CURRENCIES:
        return {currency: _number(amount, currency) for currency, amount in value.items()}
    return {n: _number(v, code) if n in sums and v is not None else v for n, v in value.items()}


def _number(amount: object, currency: str) -> Decimal:
    value = Decimal(str(amount))
    return round(value, get_currency_precision(currency)) if currency else value


def written(body: object) -> str:
    """Return a body as JSON, its decimals digit by digit: no float is between."""
    mark = secrets.token_hex(16)
    text = json.dumps(body, default=lambda value: f"{mark}{value:f}{mark}")
    return text.replace(f'"{mark}', "").replace(f'{mark}"', "")


def failed(refused: Refused, detail: str) -> Failed:
    """Return a refusal of the service as a status."""
    status, error = STATUSES[type(refused)]
    return Failed(status, error, detail)


def unfit(form: Form, tool: str, arguments: Mapping[str, Any] | None) -> Failed:
    """Return a call of an operation that there is not, or with arguments that it does not take: said with the form's own names alone."""
    known = {o.name: o for o in form.operations.values() if not file_field(o)}
    if tool not in known:
        return Failed(422, "unknown_operation", f"There is no such operation. There are: {', '.join(known)}.")
    fields = known[tool].fields
    if set(arguments or ()) - set(fields):
        return Failed(422, "unknown_field", f"{tool} has no such field. It has: {', '.join(fields)}.")
    return Failed(422, "bad_arguments", f"{tool} cannot take these arguments. It has: {', '.join(fields)}.")


def misfit(form: Form, calls: Sequence[ToolCall], results: Mapping[str, Mapping[str, Any]]) -> Failed | None:
    """Return the first of a reply's calls that no operation can take; None where they are refused for what was said."""
    codes = {call.id: results.get(call.id, {}).get("code") for call in calls}
    return next((unfit(form, c.tool, c.arguments) for c in calls if codes[c.id] in UNFIT), None)


UNFIT = ("tool", "schema", "missing")
"""Refusals of a call for itself, whatever the person said."""
