"""Around a model: requests in a dialect come back as replies like any other, after one retry at most."""

import asyncio
import uuid
from dataclasses import replace

import structlog

from bot.model.dialects.reading import Meant, read
from bot.model.protocol import DEADLINE, Away, Cause, Model, ModelAway, ModelError
from prompts.dialects import WORDS, asked_again
from prompts.request import Request
from state.draft.reply import Reply, ToolCall, Usage
from state.exact_json import Flawed

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
    calls = _called(meant)
    said = replace(reply, text=meant.text, asks=meant.asks, content=())
    return replace(said, calls=calls, stop="calls" if calls else "end")


def _called(meant: Meant) -> tuple[ToolCall, ...]:
    """Calls with ids of our own, which no other round has."""
    mark = uuid.uuid4().hex[:12]
    return tuple(
        ToolCall(f"said_{mark}_{i}", c.tool, c.arguments, c.confirm, unquoted=WORDS not in c.arguments)
        for i, c in enumerate(meant.calls)
    )
