"""Around a model: requests in a dialect come back as replies like any other, after one retry at most.

A text is read in its dialect: words and calls, or Flawed. That decides nothing: calls are judged like native ones.
"""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import structlog

from bot.model import shapes
from bot.model.protocol import DEADLINE, Away, Cause, Model, ModelAway, ModelError
from prompts.dialects import LINE, SETTER, WORDS, asked_again, is_setter
from prompts.request import Dialect, Request, Tool
from state.draft.reply import Reply, ToolCall, Usage
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
    """The meaning of a text: words for the person, calls to be judged."""

    text: str = ""
    calls: tuple[Proposed, ...] = ()
    asks: bool = False


def read(dialect: Dialect, text: str, tools: Sequence[Tool]) -> Meant:
    """Return the text's meaning; `tools` are those on offer. Raises Flawed with what is wrong."""
    if not text.strip():
        raise Flawed("it is empty")
    if len(text) > shapes.LONGEST:
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
    action = shapes.fitted(shapes.ACTION, _one_name(shapes.read_object("\n".join(lines[place + 1 :])), STEP, "to"))
    match action:
        case shapes.Collect():
            calls = _setters(action.data, action.words, tools)
            if not calls:
                raise Flawed("`data` holds no value of a field")
            return Meant(words, calls)
        case shapes.Transition():  # what the step rests on comes before it
            quote = "" if isinstance(action.words, dict) else action.words
            step = Proposed(GO, {"to": action.to} | _quoting(quote))
            return Meant(words, (*_setters(action.data, action.words, tools), step))
        case shapes.ClarifyAction():
            return Meant("\n".join(part for part in (words, action.question) if part), asks=not words)
        case shapes.ToolAction():
            return Meant(words, (Proposed(action.name, action.arguments),))
    return Meant()


def _names(tools: Sequence[Tool]) -> set[str]:
    """Return the names of tools and fields in code."""
    return {tool["name"] for tool in tools} | {name for tool in tools for name in tool["input_schema"]["properties"]}


def _one_name(given: dict[str, Any], names: tuple[str, ...], name: str) -> dict[str, Any]:
    """Return the same with the one of these names that is in it under its own. Raises Flawed where there are several."""
    found = [one for one in names if one in given]
    if len(found) > 1:
        raise Flawed("one thing stands in it under several names")
    return {name if key in found else key: value for key, value in given.items()}


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


def _one_object(text: str, _tools: Sequence[Tool]) -> Meant:
    """Exactly one object with exactly one of the kinds: as its only key, or named in `type` beside its parts."""
    given = shapes.read_object(text)
    if "type" in given:
        return _typed(given)
    kinds = [name for name in given if name in shapes.OBJECTS]
    if len(given) != 1 or not kinds:
        raise Flawed("it must have exactly one key: clarify, tool_call, answer or silent")
    shape = shapes.fitted(shapes.OBJECTS[kinds[0]], given[kinds[0]])
    if isinstance(shape, shapes.NamedCall):
        return Meant("", (Proposed(shape.name, shape.arguments, shape.confirm.message if shape.confirm else ""),))
    return _spoken(shape)


def _typed(given: dict[str, Any]) -> Meant:
    kind, parts = given["type"], {name: part for name, part in given.items() if name != "type"}
    if not isinstance(kind, str) or kind not in shapes.TYPED:
        raise Flawed("`type` is none of clarify, tool_call, answer and silent")
    name = SPOKEN.get(kind)
    shape = shapes.fitted(shapes.TYPED[kind], _one_name(parts, (name, *SAID), name) if name else parts)
    if isinstance(shape, shapes.TypedCall):
        return Meant("", (Proposed(shape.tool, shape.args, shape.confirm),))
    return _spoken(shape)


def _spoken(shape: shapes.Silent | shapes.Answer | shapes.Clarify) -> Meant:
    if isinstance(shape, shapes.Silent):
        return Meant()
    return Meant(shape.text) if isinstance(shape, shapes.Answer) else Meant(shape.question, asks=True)


STEP = ("to", "trigger", "next_state")
"""Names of a step: by its trigger, or by the stage that it leads to."""
SPOKEN = {"clarify": "question", "answer": "text"}
SAID = ("message", "content", "answer")
"""Names of words beside `type`, where not by their own name."""


READERS: dict[Dialect, Callable[[str, Sequence[Tool]], Meant]] = {"block": _block, "json": _one_object}


log = structlog.get_logger()


class Speaking:
    """A model that is understood in every dialect. Requests with native tools pass unchanged.

    `deadline` is for a reply and its retry together, in seconds: the question is on screen meanwhile.
    """

    def __init__(self, model: Model, *, deadline: float = DEADLINE) -> None:
        self._model, self._deadline = model, deadline

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    async def reply(self, request: Request) -> Reply:
        """One reply. A second one that cannot be read is ModelAway (garbled), also where the first one was another request's.

        `usage` counts both, also an error's.
        """
        until = asyncio.get_running_loop().time() + self._deadline
        first = await self._model.reply(request)
        if request.dialect == "tools":
            return first
        understood = _understood(first, request)
        if isinstance(understood, Reply):
            return understood
        log.warning("model_reply_flawed", dialect=request.dialect, flaw=understood.what, again=request.again)
        if request.again:
            raise _garbled(first.usage, 1)
        return await self._again(request, first, understood, until)

    async def _again(self, request: Request, first: Reply, flaw: Flawed, until: float) -> Reply:
        try:
            second = await self._retried(asked_again(request, first.text, flaw.what), until)
        except ModelError as problem:
            problem.usage = first.usage + problem.usage
            raise
        understood = _understood(replace(second, usage=first.usage + second.usage, retried=True), request)
        if isinstance(understood, Reply):
            return understood
        log.warning("model_reply_flawed", dialect=request.dialect, flaw=understood.what, again=True)
        raise _garbled(first.usage + second.usage, 2)

    async def _retried(self, request: Request, until: float) -> Reply:
        try:
            async with asyncio.timeout_at(until):
                return await self._model.reply(request)
        except TimeoutError:
            late = ModelAway(Away.TIMEOUT, Cause("deadline", attempts=2))
        raise late


def _garbled(used: Usage, attempts: int) -> ModelAway:
    garbled = ModelAway(Away.GARBLED, Cause("Flawed", attempts=attempts))
    garbled.usage = used
    return garbled


def _understood(reply: Reply, request: Request) -> Reply | Flawed:
    """Return the reply with what its text means. Its content is not kept: later rounds write it anew, in whatever dialect they are in."""
    try:
        if reply.calls:
            raise Flawed("it holds native tool calls, and there are none here")
        meant = read(request.dialect, reply.text, request.told)
    except Flawed as flaw:
        return flaw
    mark = uuid.uuid4().hex[:12]  # ids of our own, which no other round has
    calls = tuple(
        ToolCall(f"said_{mark}_{i}", c.tool, c.arguments, c.confirm, unquoted=WORDS not in c.arguments)
        for i, c in enumerate(meant.calls)
    )
    said = replace(reply, text=meant.text, asks=meant.asks, content=())
    return replace(said, calls=calls, stop="calls" if calls else "end")
