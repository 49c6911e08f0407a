"""Tokens that a model is sent, beside the design that Holdfast replaces: a bare "continue" after a click, all tools, the whole history."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import tokens_of
from bot.sandbox.models.playback import Body, MessagesServer
from tests.bench.acts import Act, Seat, quiet, request
from tests.bench.figures import Figure, Scale, Target, sample, single
from tests.bench.growth import correction
from tests.bench.model import begin, pointed, served, understanding
from tests.bench.sides import holdfast
from tests.world import shown

BOUND = {
    "request": "One model call for each act: the system prompt, the tools of what is missing, ground truth, a summary, a window of the conversation.",
    "turn": "The window of the conversation is folded when it is full, so a request has a largest size.",
}
PEER = "the design replaced"
CONTINUE = "continue"


@dataclass
class Replaced:
    """The design that Holdfast replaces: each request has every tool and everything that was said so far.

    It asks the model as often as Holdfast does for the same act, and at least once. Its system prompt is Holdfast's own, and its tools
    those that Holdfast has offered so far to anybody; what it would have sent back as tool results is left out.
    """

    system: object = None
    tools: dict[str, Body] = field(default_factory=dict)
    history: list[Body] = field(default_factory=list)
    _sent: list[tuple[int, int]] = field(default_factory=list)
    _size: int = 0

    def hear(self, act: Act) -> None:
        """A click says nothing but that one may go on."""
        self.history.append({"role": "user", "content": CONTINUE if act.clicks else act.words})
        self._size = tokens_of(self.history)

    def answer(self, requests: int, words: list[str]) -> None:
        """What the bot said after so many requests."""
        self._sent.append((max(1, requests), self._size))
        self.history += [{"role": "assistant", "content": one} for one in words]

    def learn(self, requests: list[Body]) -> None:
        """The system prompt, and every tool with every property that it was ever offered with."""
        for body in requests:
            self.system = self.system or body.get("system")
            for tool in body.get("tools", ()):
                known = self.tools.setdefault(tool["name"], tool)
                properties = known["input_schema"].setdefault("properties", {})
                properties.update(tool["input_schema"].get("properties", {}))

    @property
    def turns(self) -> list[int]:
        """Tokens of each act's requests."""
        fixed = tokens_of({"system": self.system, "tools": list(self.tools.values())})
        return [requests * (fixed + size) for requests, size in self._sent]


@dataclass
class Played:
    """Tokens of each act on both designs."""

    ours: list[int]
    peer: list[int]


async def played(seat: Seat, server: MessagesServer, acts: AsyncIterator[Act]) -> Played:
    """The acts, and what the model was sent for each."""
    replaced, ours = Replaced(), []
    async for act in acts:
        sent, seen = len(server.requests), set(messages(seat))
        replaced.hear(act)
        await seat.do(act)
        await quiet(seat.side)
        requests = server.requests[sent:]
        ours.append(sum(map(tokens_of, requests)))
        replaced.answer(len(requests), [shown(m) for ts, m in messages(seat).items() if ts not in seen])
    replaced.learn(server.requests)
    return Played(ours, replaced.turns)


async def talked(turns: int) -> AsyncIterator[Act]:
    """So many changes of mind."""
    for n in range(turns):
        yield correction(n)


def messages(seat: Seat) -> dict[str, dict[str, Any]]:
    """The bot's messages to a person."""
    kept = seat.side.sandbox.workspace.channels[seat.who.dm].messages
    return {ts: m.body for ts, m in kept.items() if "bot_id" in m.body}


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """A whole PA request, and a conversation that goes on."""
    async with served(understanding()) as server, holdfast(folder / "ours", **pointed(server)) as ours:
        one = Seat(ours, ours.person(0))
        whole = await played(one, server, request(one, corrected=True))
        pair = single(sum(whole.ours)), single(sum(whole.peer))
        what = f"a whole PA request, {len(whole.ours)} acts"
        yield Figure("tokens", what, "tokens", *pair, Target(times=1), BOUND["request"], PEER)
        talker = Seat(ours, ours.person(1))
        await begin(talker)
        talk = await played(talker, server, talked(scale.talk))
        for figure in along(talk, scale.talk):
            yield figure


def along(talk: Played, last: int) -> Iterator[Figure]:
    """Tokens of single turns, the first to the last, and the largest."""
    for n in dict.fromkeys(max(1, last * tenths // 10) for tenths in (0, 2, 5, 10)):
        pair = single(talk.ours[n - 1]), single(talk.peer[n - 1])
        yield Figure("tokens", f"turn {n} of a conversation", "tokens", *pair, None, BOUND["turn"], PEER)
    pair = sample(talk.ours), sample(talk.peer)
    curves = {"Holdfast": tuple(talk.ours), PEER: tuple(talk.peer)}
    what = f"all of {last} turns"
    yield Figure("tokens", what, "tokens", *pair, Target(times=1), BOUND["turn"], PEER, curves)
