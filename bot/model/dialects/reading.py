"""A model's text read in its dialect: words and calls, or Flawed. It decides nothing: calls are judged like native ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model.dialects.shapes import (
    ACTION,
    OBJECTS,
    Answer,
    ClarifyAction,
    Collect,
    Silent,
    SilentAction,
    ToolAction,
    ToolCall,
    Transition,
    fitted,
    unfit,
)
from bot.model.dialects.strict_json import LONGEST, Flawed, read_object
from prompts.dialects.catalogue import SETTER, WORDS, is_setter
from prompts.dialects.writing import LINE
from prompts.request import Dialect, Tool
from state.draft.scope import GO


@dataclass(frozen=True)
class Proposed:
    """A call without an id yet."""

    tool: str
    arguments: dict[str, Any]
    confirm: str = ""


@dataclass(frozen=True)
class Meant:
    """What a text says: words for the person, calls to be judged."""

    text: str = ""
    calls: tuple[Proposed, ...] = ()


def read(dialect: Dialect, text: str, tools: Sequence[Tool]) -> Meant:
    """The text's meaning; `tools` are those on offer. Raises Flawed with what is wrong."""
    if not text.strip():
        raise Flawed("it is empty")
    if len(text) > LONGEST:
        raise Flawed("it is far too long")
    return READERS[dialect](text, tools)


def _block(text: str, tools: Sequence[Tool]) -> Meant:
    """Words, then perhaps the line and one action."""
    lines = text.split("\n")
    place = next((i for i, line in enumerate(lines) if line.strip() == LINE), len(lines))
    words = "\n".join(lines[:place]).strip()
    if unfit(words):
        raise Flawed(f"JSON, braces or a code fence stand in the words; an action stands below a line {LINE}")
    if place == len(lines):
        return Meant(words)
    action = fitted(ACTION, read_object("\n".join(lines[place + 1 :])))
    return _MEANINGS[type(action)](words, action, tools)


def _collect(words: str, action: Collect, tools: Sequence[Tool]) -> Meant:
    """A call per setter that holds some of the fields; a field of none gets the setter of its name, to be refused for the right reason."""
    setter_of = {n: t["name"] for t in tools if is_setter(t) for n in t["input_schema"]["properties"] if n != WORDS}
    calls: dict[str, dict[str, Any]] = {}
    for name, value in action.data.items():
        if value is not None:
            calls.setdefault(setter_of.get(name, f"{SETTER}{name}"), {})[name] = value
    if not calls or WORDS in action.data:
        raise Flawed("`data` holds no value of a field")
    return Meant(words, tuple(Proposed(tool, {**given, WORDS: action.words}) for tool, given in calls.items()))


def _transition(words: str, action: Transition, _tools: Sequence[Tool]) -> Meant:
    return Meant(words, (Proposed(GO, {"to": action.to, WORDS: action.words}),))


def _clarify(words: str, action: ClarifyAction, _tools: Sequence[Tool]) -> Meant:
    return Meant("\n".join(part for part in (words, action.question) if part))


def _silent(_words: str, _action: SilentAction, _tools: Sequence[Tool]) -> Meant:
    return Meant()


def _tool(words: str, action: ToolAction, _tools: Sequence[Tool]) -> Meant:
    return Meant(words, (Proposed(action.name, action.arguments),))


_MEANINGS: dict[type, Callable[[str, Any, Sequence[Tool]], Meant]] = {
    Collect: _collect,
    Transition: _transition,
    ClarifyAction: _clarify,
    ToolAction: _tool,
    SilentAction: _silent,
}


def _one_object(text: str, _tools: Sequence[Tool]) -> Meant:
    """Exactly one object with exactly one of the three kinds."""
    given = read_object(text)
    kinds = [name for name in given if name in OBJECTS]
    if len(given) != 1 or not kinds:
        raise Flawed("it must have exactly one key: clarify, tool_call, answer or silent")
    shape = fitted(OBJECTS[kinds[0]], given[kinds[0]])
    if isinstance(shape, ToolCall):
        return Meant("", (Proposed(shape.name, shape.arguments, shape.confirm.message if shape.confirm else ""),))
    if isinstance(shape, Silent):
        return Meant()
    return Meant(shape.text if isinstance(shape, Answer) else shape.question)


READERS: dict[Dialect, Callable[[str, Sequence[Tool]], Meant]] = {"block": _block, "json": _one_object}
