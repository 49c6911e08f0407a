"""A model's text read in its dialect: words and calls, or Flawed. It decides nothing: calls are judged like native ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model.dialects.shapes import (
    ACTION,
    OBJECTS,
    TYPED,
    Answer,
    Clarify,
    ClarifyAction,
    Collect,
    Silent,
    SilentAction,
    ToolAction,
    ToolCall,
    Transition,
    TypedCall,
    fitted,
)
from bot.model.dialects.strict_json import LONGEST, read_object
from prompts.dialects import LINE, SETTER, WORDS, is_setter
from prompts.request import Dialect, Tool
from state.draft.scope import GO
from state.exact_json import Flawed
from state.guards.free_words import reads_as_code


@dataclass(frozen=True)
class Proposed:
    """A call without an id yet."""

    tool: str
    arguments: dict[str, Any]
    confirm: str = ""


@dataclass(frozen=True)
class Meant:
    """The content of a reply: words for the person, calls to be judged."""

    text: str = ""
    calls: tuple[Proposed, ...] = ()
    asks: bool = False


def read(dialect: Dialect, text: str, tools: Sequence[Tool]) -> Meant:
    """Return the text's meaning; `tools` are those on offer. Raises Flawed with what is wrong."""
    if not text.strip():
        raise Flawed("it is empty")
    if len(text) > LONGEST:
        raise Flawed("it is far too long")
    return READERS[dialect](text, tools)


def _block(text: str, tools: Sequence[Tool]) -> Meant:
    """Return words, then perhaps the line and one action."""
    lines = text.split("\n")
    place = next((i for i, line in enumerate(lines) if line.strip() == LINE), len(lines))
    words = "\n".join(lines[:place]).strip()
    if reads_as_code(words, _names(tools)):
        raise Flawed(f"JSON, braces or a code fence stand in the words; an action stands below a line {LINE}")
    if place == len(lines):
        return Meant(words)
    action = fitted(ACTION, _one_name(read_object("\n".join(lines[place + 1 :])), STEP, "to"))
    return _MEANINGS[type(action)](words, action, tools)


def _names(tools: Sequence[Tool]) -> set[str]:
    """How tools and fields are called in code."""
    return {tool["name"] for tool in tools} | {name for tool in tools for name in tool["input_schema"]["properties"]}


def _one_name(given: dict[str, Any], names: tuple[str, ...], name: str) -> dict[str, Any]:
    """Return the same with the one of these names that is in it under its own. Raises Flawed where there are several."""
    found = [one for one in names if one in given]
    if len(found) > 1:
        raise Flawed("one thing stands in it under several names")
    return {name if key in found else key: value for key, value in given.items()}


def _collect(words: str, action: Collect, tools: Sequence[Tool]) -> Meant:
    calls = _setters(action.data, action.words, tools)
    if not calls:
        raise Flawed("`data` holds no value of a field")
    return Meant(words, calls)


def _setters(data: dict[str, Any], words: str | dict[str, str], tools: Sequence[Tool]) -> tuple[Proposed, ...]:
    """Return a call per setter that holds some of the fields; a field of none gets the setter of its name, to be refused for the right reason."""
    if WORDS in data:
        raise Flawed("`data` holds no value of a field")
    setter_of = {n: t["name"] for t in tools if is_setter(t) for n in t["input_schema"]["properties"] if n != WORDS}
    calls: dict[str, dict[str, Any]] = {}
    for name, value in data.items():
        if value is not None:
            calls.setdefault(setter_of.get(name, f"{SETTER}{name}"), {})[name] = value
    return tuple(Proposed(tool, given | _quoting(words)) for tool, given in calls.items())


def _quoting(words: str | dict[str, str]) -> dict[str, Any]:
    return {WORDS: words} if words else {}


def _transition(words: str, action: Transition, tools: Sequence[Tool]) -> Meant:
    """Return what the step rests on comes before it."""
    quote = "" if isinstance(action.words, dict) else action.words
    step = Proposed(GO, {"to": action.to} | _quoting(quote))
    return Meant(words, (*_setters(action.data, action.words, tools), step))


def _clarify(words: str, action: ClarifyAction, _tools: Sequence[Tool]) -> Meant:
    return Meant("\n".join(part for part in (words, action.question) if part), asks=not words)


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
    """Exactly one object with exactly one of the kinds: as its only key, or named in `type` beside its parts."""
    given = read_object(text)
    if "type" in given:
        return _typed(given)
    kinds = [name for name in given if name in OBJECTS]
    if len(given) != 1 or not kinds:
        raise Flawed("it must have exactly one key: clarify, tool_call, answer or silent")
    shape = fitted(OBJECTS[kinds[0]], given[kinds[0]])
    if isinstance(shape, ToolCall):
        return Meant("", (Proposed(shape.name, shape.arguments, shape.confirm.message if shape.confirm else ""),))
    return _spoken(shape)


def _typed(given: dict[str, Any]) -> Meant:
    kind, parts = given["type"], {name: part for name, part in given.items() if name != "type"}
    if not isinstance(kind, str) or kind not in TYPED:
        raise Flawed("`type` is none of clarify, tool_call, answer and silent")
    name = SPOKEN.get(kind)
    shape = fitted(TYPED[kind], _one_name(parts, (name, *SAID), name) if name else parts)
    if isinstance(shape, TypedCall):
        return Meant("", (Proposed(shape.tool, shape.args, shape.confirm),))
    return _spoken(shape)


def _spoken(shape: Silent | Answer | Clarify) -> Meant:
    if isinstance(shape, Silent):
        return Meant()
    return Meant(shape.text) if isinstance(shape, Answer) else Meant(shape.question, asks=True)


STEP = ("to", "trigger", "next_state")
"""Names of a step: by its trigger, or by the stage that it leads to."""
SPOKEN = {"clarify": "question", "answer": "text"}
SAID = ("message", "content", "answer")
"""Names of words beside `type`, where not by their own name."""


READERS: dict[Dialect, Callable[[str, Sequence[Tool]], Meant]] = {"block": _block, "json": _one_object}
