"""One act of a person, timed at the sandbox: from its sending to the bot's next message."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from bot.sandbox import inputs
from bot.sandbox.people import Person
from bot.sandbox.workspace import Message
from tests.bench.sides import PATIENCE, Side
from tests.whole.steps import DECLARATIONS, OPENING, REASON

PAUSE = 0.12
"""Seconds between acts, in which a bot finishes what follows its answer, so that it does not run beside the peer's."""


LATEST = 6
"""Messages in which a person looks for what to click."""


@dataclass(frozen=True)
class Act:
    """What a person does; `kind` names the row that it counts for."""

    kind: str
    words: str
    clicks: bool = False
    changes: bool = False
    """The answer may be a change of the clicked card instead of a message."""


def request(typed: bool, corrected: bool = False) -> Iterator[Act]:
    """A whole PA request; its declarations are clicked or typed, and the quantity may be corrected twice in a sentence."""
    yield Act("opening", OPENING)
    yield Act("click", "Use this", clicks=True)
    if corrected:
        yield Act("sentence", "actually make it 250 shares")
        yield Act("sentence", "actually make it 200 shares")
    for _ in DECLARATIONS:
        yield Act("typed", "No") if typed else Act("click", "No", clicks=True)
    yield Act("click", "I understand", clicks=True)
    yield Act("text", REASON)
    yield Act("submit", "Submit", clicks=True, changes=True)


def requests(count: int, typed: bool) -> Iterator[Act]:
    """So many requests, one after the other."""
    for _ in range(count):
        yield from request(typed, corrected=typed)


@dataclass
class Seat:
    """A person at a side, and what was measured there: kind to milliseconds."""

    side: Side
    who: Person
    found: dict[str, list[float]] = field(default_factory=dict)
    acks: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    """Milliseconds of CPU of the bot for each act and what follows it, in the ticks that the system counts."""

    def newest(self) -> Message | None:
        """The bot's newest message to this person."""
        kept = self.side.sandbox.workspace.channels[self.who.dm].messages
        return next((m for m in reversed(kept.values()) if "bot_id" in m.body), None)

    async def do(self, act: Act) -> float:
        """Act, wait for the answer, and give the milliseconds between; TimeoutError where none comes."""
        act = self._bare(act) if self.side.bare else act
        await self.side.sandbox.until(lambda: self._ready(act), timeout=PATIENCE)
        before = self.newest()
        ts, body = (before.ts, before.body) if before else ("", {})
        began = time.perf_counter()
        if act.clicks:
            card = self._card(act.words)
            began = time.perf_counter()
            await self.who.click(act.words, card)
            self.acks.append(time.perf_counter() - began)
        else:
            await self.who.say(act.words)
        await self.side.sandbox.until(lambda: self._answered(act, ts, body), timeout=PATIENCE)
        taken = (time.perf_counter() - began) * 1000
        self.found.setdefault(act.kind, []).append(taken)
        return taken

    def _ready(self, act: Act) -> bool:
        return not act.clicks or bool(self._card(act.words))

    def _card(self, words: str) -> str:
        """The newest message of the bot with these words on an element of it; empty where there is none."""
        kept = self.side.sandbox.workspace.channels[self.who.dm].messages
        for message in islice(reversed(kept.values()), LATEST):
            if any(words == placed.label for placed in inputs.elements(message.body.get("blocks") or [])):
                return message.ts
        return ""

    def _answered(self, act: Act, ts: str, body: dict[str, object]) -> bool:
        now = self.newest()
        if now is None:
            return False
        return now.ts != ts or (act.changes and now.body.get("blocks") != body.get("blocks"))

    def _bare(self, act: Act) -> Act:
        """The peer has one question with two buttons."""
        return Act(act.kind, "No", clicks=True) if act.clicks else act


async def side_by_side(ours: Seat, peer: Seat, acts: Iterator[Act]) -> None:
    """Each act on both sides, one after the other, whoever is first by turns."""
    for n, act in enumerate(acts):
        for seat in (ours, peer) if n % 2 else (peer, ours):
            used = seat.side.cpu()
            await seat.do(act)
            await quiet(seat.side)
            seat.cpu.append((seat.side.cpu() - used) * 1000)


async def quiet(side: Side) -> None:
    """Until the bot has called nothing for a pause."""
    while True:
        newest = side.sandbox.sent[-1]
        await asyncio.sleep(PAUSE)
        if side.sandbox.sent[-1] is newest:
            return
