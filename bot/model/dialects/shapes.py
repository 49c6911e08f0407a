"""The exact shapes of a reply: strict types, no key beyond those named here."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from bot.model.dialects.strict_json import Flawed

MOST_FIELDS = 60
_MACHINERY = re.compile(r"[{}]|```|^\s*---\s*$|\"\w+\"\s*:", re.MULTILINE)
"""What words for a person never hold."""


def unfit(words: str) -> bool:
    """Whether words hold JSON, a fence or a format's own line, which no person may read."""
    return bool(_MACHINERY.search(words))


def _readable(words: str) -> str:
    if unfit(words):
        raise PydanticCustomError("unfit", "holds JSON")
    return words


Quote = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Words = Annotated[Quote, AfterValidator(_readable)]
Named = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Given = dict[str, Any]


class Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Collect(Shape):
    """Fields by name, all said by the same words of the person."""

    action: Literal["collect"]
    data: Annotated[Given, Field(min_length=1, max_length=MOST_FIELDS)]
    words: Quote


class Transition(Shape):
    action: Literal["transition"]
    to: Named
    words: Quote


class ClarifyAction(Shape):
    action: Literal["clarify"]
    question: Words


class ToolAction(Shape):
    action: Literal["tool"]
    name: Named
    arguments: Given


Action = Collect | Transition | ClarifyAction | ToolAction
ACTION: TypeAdapter[Action] = TypeAdapter(Annotated[Action, Field(discriminator="action")])


class Clarify(Shape):
    question: Words


class Confirm(Shape):
    message: Words


class ToolCall(Shape):
    """One call; `confirm` suggests that the person confirms it, in these words."""

    name: Named
    arguments: Given
    confirm: Confirm | None = None


class Answer(Shape):
    text: Words


OBJECTS: dict[str, TypeAdapter[Any]] = {
    "clarify": TypeAdapter(Clarify),
    "tool_call": TypeAdapter(ToolCall),
    "answer": TypeAdapter(Answer),
}


def fitted(adapter: TypeAdapter[Any], value: object) -> Any:
    """The value in its shape. Raises Flawed that names the first thing which does not fit."""
    try:
        return adapter.validate_python(value)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    raise Flawed(_clause(error["type"], str(error["loc"][-1]) if error["loc"] else "the object"))


def _clause(kind: str, name: str) -> str:
    """`name` is one of our own keys, but for an unknown key, which is not repeated."""
    clauses = {
        "extra_forbidden": "it has a key that the format does not know",
        "missing": f"`{name}` is missing",
        "union_tag_invalid": "`action` is none of collect, transition, clarify and tool",
        "union_tag_not_found": "`action` is missing",
        "unfit": f"`{name}` holds JSON, braces or a code fence, which the user must never read",
        "string_too_short": f"`{name}` is empty",
        "string_too_long": f"`{name}` is too long",
        "too_short": f"`{name}` is empty",
        "too_long": f"`{name}` holds too much",
    }
    return clauses.get(kind, f"`{name}` has the wrong type")
