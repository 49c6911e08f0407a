"""One act of a person, timed at the sandbox; and PA requests as a person files them: what is next follows from their screen."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice

from bot.sandbox import inputs
from bot.sandbox.people import Person
from bot.sandbox.workspace import Message
from tests.bench.sides import PATIENCE, Side
from tests.whole.steps import DECLARATIONS, OPENING, REASON

MOST_PAUSES = 50
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


@dataclass
class Seat:
    """A person at a side, and what was measured there: kind to milliseconds."""

    side: Side
    who: Person
    found: dict[str, list[float]] = field(default_factory=dict)
    acks: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    """Milliseconds of CPU of the bot for each act and what follows it, in the ticks that the system counts."""

    def latest(self) -> Iterator[Message]:
        """The bot's last messages to this person, the newest first."""
        kept = self.side.sandbox.workspace.channels[self.who.dm].messages
        return islice((m for m in reversed(kept.values()) if "bot_id" in m.body), LATEST)

    async def asked(self, wanted: Sequence[str]) -> str:
        """Which of these words stands newest on the screen, on a button or in a text; waits until one does."""
        return str(await self.side.sandbox.until(lambda: self._shown(wanted), timeout=PATIENCE))

    def _shown(self, wanted: Sequence[str]) -> str:
        for message in self.latest():
            there = labels(message)
            for words in wanted:
                if words in there or (words == WHY and there and words in message.body.get("text", "")):
                    return words
        return ""

    async def do(self, act: Act) -> float:
        """Act, wait for the answer, and give the milliseconds between; where none comes, all that it was waited for."""
        if self.side.bare and act.clicks:
            act = Act(act.kind, "No", clicks=True)
        card = await self._card(act.words) if act.clicks else ""
        before = next(self.latest(), None)
        there = content(before)  # as it is now: the answer may be on the screen before the click is acknowledged
        began = time.perf_counter()
        if act.clicks:
            await self.who.click(act.words, card)
            self.acks.append(time.perf_counter() - began)
        else:
            await self.who.say(act.words)
        with suppress(TimeoutError):
            await self.side.sandbox.until(partial(self._answered, act, before, there), timeout=PATIENCE)
        taken = (time.perf_counter() - began) * 1000
        self.found.setdefault(act.kind, []).append(taken)
        return taken

    async def _card(self, words: str) -> str:
        """The newest message with these words on an element of it."""
        place = self.side.sandbox.until(lambda: next((m.ts for m in self.latest() if words in labels(m)), ""), PATIENCE)
        return str(await place)

    def _answered(self, act: Act, before: Message | None, blocks: object) -> bool:
        now = next(self.latest(), None)
        if now is None or (before is not None and now.ts < before.ts):
            return False  # what stood there was taken away, and the answer is still to come
        return now is not before or (act.changes and content(now) != blocks)


def labels(message: Message) -> list[str]:
    """What is written on the elements of a message."""
    return [placed.label for placed in inputs.elements(message.body.get("blocks") or [])]


def content(message: Message | None) -> object:
    """A message's blocks."""
    return message.body.get("blocks") if message else None


Enough = Callable[[], bool]


async def by_turns(playing: Sequence[tuple[Seat, AsyncIterator[Act]]], enough: Enough) -> None:
    """An act at each seat, one after the other, whoever is first by turns, until it is enough."""
    order = list(playing)
    while not enough():
        order.reverse()
        for seat, acts in order:
            await whole(seat, await anext(acts))


async def whole(seat: Seat, act: Act) -> None:
    """An act with all that follows it, and what CPU that took."""
    used = seat.side.cpu()
    await seat.do(act)
    await quiet(seat.side)
    seat.cpu.append((seat.side.cpu() - used) * 1000)


async def quiet(side: Side) -> None:
    """Until the bot neither calls nor computes anything for a pause."""
    for _ in range(MOST_PAUSES):
        newest = side.sandbox.sent[-1]
        await asyncio.sleep(side.pause)
        if side.sandbox.sent[-1] is newest and not side.computes():
            return


SENTENCES = ("actually make it 250 shares", "actually make it 200 shares")
CLICKS = ("Change to 250", "Change to 200", "Use all of it", "Use this", "No", "I understand", "Submit")
WHY = "Why do you want to make this trade"


def clicked(words: str) -> Act:
    """A click on what reads like this, which is answered in the message that was clicked."""
    return Act("submit" if words == "Submit" else "click", words, clicks=True, changes=True)


def answer(words: str, typed: bool) -> Act:
    """The answer to what is asked; a declaration may be typed."""
    if words == WHY:
        return Act("text", REASON)
    return Act("typed", words) if typed and words == "No" else clicked(words)


def plan(typed: bool, corrected: bool) -> Iterator[Act]:
    """The acts of a request in order, for a peer that shows the same question always."""
    yield Act("opening", OPENING)
    yield clicked("Use all of it")
    yield answer("Use this", typed)
    yield from (Act("sentence", words) for words in (SENTENCES if corrected else ()))
    for words in ("No",) * len(DECLARATIONS) + ("I understand", WHY, "Submit"):
        yield answer(words, typed)


async def request(seat: Seat, typed: bool = False, corrected: bool = False) -> AsyncIterator[Act]:
    """A whole request; its declarations are clicked or typed, and the quantity may be corrected twice in a sentence."""
    if seat.side.bare:
        for act in plan(typed, corrected):
            yield act
        return
    yield Act("opening", OPENING)
    sentences = list(SENTENCES if corrected else ())
    while True:
        words = await seat.asked((*CLICKS, WHY))
        if words == "No" and sentences:
            yield Act("sentence", sentences.pop(0))
            continue
        yield answer(words, typed)
        if words == "Submit":
            return


async def requests(seat: Seat, typed: bool = False, corrected: bool = False) -> AsyncIterator[Act]:
    """One request after the other."""
    for _ in count():
        async for act in request(seat, typed, corrected):
            yield act


async def mixed(seat: Seat, first: int) -> AsyncIterator[Act]:
    """One request after the other, clicked and typed by turns; people begin with one or the other."""
    for n in count(first):
        async for act in request(seat, typed=n % 2 == 1):
            yield act
