"""The exact shapes of a reply in a dialect, and JSON read with limits.

What a store cannot hold, or a reader could take in two ways, is no JSON here.
"""

import json
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from bot.model.reading import NESTING_LIMIT, can_be_kept
from state.exact_json import Flawed, no_number, without_doubles
from state.guards.free_words import reads_as_code

MOST_FIELDS = 60
CONFIRM = "Please confirm."


def _readable(words: str) -> str:
    if reads_as_code(words):
        raise PydanticCustomError("unfit", "holds JSON")
    return words


Quote = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Words = Annotated[Quote, AfterValidator(_readable)]
Named = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Given = dict[Named, Any]
Quotes = Annotated[dict[Named, str], Field(min_length=1)]


class Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Collect(Shape):
    """Fields by name, and the person's words for them."""

    action: Literal["collect"]
    data: Annotated[Given, Field(min_length=1, max_length=MOST_FIELDS)]
    words: Quote | Quotes = ""
    """One quote for all of them, or each field's own; without any the newest message has to say them."""


class Transition(Shape):
    """A step, by its trigger or by the stage that it leads to, and fields as `Collect` has them."""

    action: Literal["transition"]
    to: Named
    data: Annotated[Given, Field(max_length=MOST_FIELDS)] = {}
    words: Quote | Quotes = ""


class ClarifyAction(Shape):
    """A question; or only why one is needed, which is for nobody to read: the question stands in the words then."""

    action: Literal["clarify"]
    question: Words = ""
    reason: Quote = ""

    @model_validator(mode="after")
    def _asks(self) -> "ClarifyAction":
        if not (self.question or self.reason):
            raise PydanticCustomError("missing", "no question")
        return self


class ToolAction(Shape):
    action: Literal["tool"]
    name: Named
    arguments: Given


class SilentAction(Shape):
    """Nothing to do and nothing to say."""

    action: Literal["silent"]


Action = Collect | Transition | ClarifyAction | ToolAction | SilentAction
ACTION: TypeAdapter[Action] = TypeAdapter(Annotated[Action, Field(discriminator="action")])


class Clarify(Shape):
    question: Words


class Confirm(Shape):
    message: Words


class NamedCall(Shape):
    """One call; `confirm` suggests that the person confirms it, in these words."""

    name: Named
    arguments: Given
    confirm: Confirm | None = None


class TypedCall(Shape):
    """One call in the shape that names its kind in `type`."""

    tool: Named
    args: Given
    suggested: bool = Field(default=False, alias="confirmationSuggested")
    message: Words = Field(default="", alias="confirmationMessage")

    @property
    def confirm(self) -> str:
        """The words of a confirmation, which nobody reads; empty where none is suggested."""
        return (self.message or CONFIRM) if self.suggested else ""


class Answer(Shape):
    text: Words


class Silent(Shape):
    """Nothing to do and nothing to say."""


OBJECTS: dict[str, TypeAdapter[Any]] = {
    "clarify": TypeAdapter(Clarify),
    "tool_call": TypeAdapter(NamedCall),
    "answer": TypeAdapter(Answer),
    "silent": TypeAdapter(Silent),
}


TYPED: dict[str, TypeAdapter[Any]] = {**OBJECTS, "tool_call": TypeAdapter(TypedCall)}
"""The same by the word in `type`, all parts beside it."""


def fitted(adapter: TypeAdapter[Any], value: object) -> Any:
    """Return the value in its shape. Raises Flawed that names the first thing which does not fit."""
    try:
        return adapter.validate_python(value)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    raise Flawed(_clause(error["type"], next((part for part in reversed(error["loc"]) if part in _KEYS), "")))


_KEYS = frozenset({
    "action", "data", "words", "to", "question", "name", "arguments", "confirm", "message", "text", "reason", "tool", "args",
    "confirmationSuggested", "confirmationMessage",
})  # fmt: skip
"""Keys that a clause may name; any other was made up by the model."""


def _clause(kind: str, key: object) -> str:
    name = f"`{key}`" if key else "what the key holds"
    clauses = {
        "extra_forbidden": "it has a key that the format does not know",
        "missing": f"{name} is missing",
        "union_tag_invalid": "`action` is none of collect, transition, clarify, tool and silent",
        "union_tag_not_found": "`action` is missing",
        "unfit": f"{name} holds JSON, braces or a code fence, which the user must never read",
        "string_too_short": f"{name} is empty",
        "string_too_long": f"{name} is too long",
        "too_short": f"{name} is empty",
        "too_long": f"{name} holds too much",
    }
    return clauses.get(kind, f"{name} has the wrong type")


LONGEST = 8_000
"""Characters of a reply: more than `max_tokens` gives a model, and less than what the adapter keeps of a text."""

DIGITS = 30
"""Digits of a number: no field of a form takes longer ones, and very long ones cost time to read."""


def read_object(written: str) -> dict[str, Any]:
    """Return the object. Raises Flawed for anything else, however it was written."""
    text = written.strip()
    if text.startswith("```"):
        raise Flawed("a code fence stands around the JSON")
    try:
        value, end = _DECODER.raw_decode(text)
    except Flawed:
        raise
    except (ValueError, RecursionError):
        raise Flawed("the JSON does not parse: it is cut off, misquoted or has something else around it") from None
    if text[end:].strip():
        raise Flawed("something stands after the JSON object; there must be exactly one object and nothing else")
    if not isinstance(value, dict):
        raise Flawed("the JSON is no object")
    if not can_be_kept(value, NESTING_LIMIT):
        raise Flawed("the JSON is nested too deeply, or holds text or numbers that cannot be stored")
    return value


def _integer(written: str) -> int:
    if len(written) > DIGITS:
        raise Flawed("a number of the JSON is too long")
    return int(written)


def exact(written: str) -> Decimal:
    """Return a number with a fraction or an exponent as it was written. Raises Flawed where it is too long or too large."""
    try:
        number = Decimal(written)
    except ArithmeticError:
        number = Decimal("nan")
    if len(written) > DIGITS or not number.is_finite():
        raise Flawed("a number of the JSON is too long")
    return number


def _float(written: str) -> float:
    """Return a number that a store can hold, if it loses no digit by that."""
    number = float(written)
    if Decimal(repr(number)) != exact(written):
        raise Flawed("a number of the JSON is too long")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=without_doubles, parse_int=_integer, parse_float=_float, parse_constant=no_number
)
