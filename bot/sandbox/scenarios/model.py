"""The models of scenarios: one that answers what each step says, one that plays a script throughout, and one that is away."""

from collections import deque

from bot.model.protocol import Away, ModelAway, ModelRefused
from bot.model.reading import reply_of
from bot.sandbox.models.answers import Said
from bot.sandbox.models.asked import Play
from bot.sandbox.models.rendering import message_of
from prompts.request import Request
from state.draft.reply import Reply, ToolCall
from state.workflow.scenario import ModelReply


class PlayedModel:
    """Gives the replies of the step under way, one a call; where they run out, it says nothing of use."""

    name = "scenario"

    def __init__(self) -> None:
        self._replies: deque[ModelReply] = deque()
        self._calls = 0

    def play(self, replies: tuple[ModelReply, ...]) -> None:
        """What to answer from now on."""
        self._replies = deque(replies)

    async def reply(self, request: Request) -> Reply:
        """The next reply. Raises ModelAway or ModelRefused where the scenario says so."""
        given = self._replies.popleft() if self._replies else ModelReply()
        if given.fails == "outage":
            raise ModelAway(Away.OUTAGE)
        if given.fails == "refusal":
            raise ModelRefused
        return Reply(given.text, self._made(given), "calls" if given.all_calls else "end", self.name)

    def _made(self, given: ModelReply) -> tuple[ToolCall, ...]:
        self._calls += 1
        return tuple(
            ToolCall(f"call_{self._calls}_{i}", c.tool, dict(c.arguments)) for i, c in enumerate(given.all_calls)
        )


class AwayModel:
    """A model that nobody reaches."""

    name = "away"

    async def reply(self, request: Request) -> Reply:
        """Raises ModelAway, always."""
        raise ModelAway(Away.UNREACHABLE)


class ScriptedModel:
    """Plays a script, with no endpoint between; what is no answer fails as it would there."""

    name = "scripted"

    def __init__(self, script: Play) -> None:
        self._script, self._calls = script, 0

    async def reply(self, request: Request) -> Reply:
        """The script's answer. Raises ModelRefused or ModelAway where it gives none."""
        return self.answer(request)

    def answer(self, request: Request) -> Reply:
        """The same at once."""
        self._calls += 1
        body = {"messages": list(request.messages), "tools": list(request.tools or request.told)}
        said = self._script(body)
        if not isinstance(said, Said):
            raise ModelAway(Away.OVERLOADED)
        reply = reply_of(message_of(said, {"model": self.name, **body}, self._calls), self.name)
        if reply.stop == "refusal":
            raise ModelRefused
        return reply
