"""One person clicks while the model calls of many others hang."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from bot.sandbox.models.playback import MessagesServer
from tests.bench.acts import Act, Seat, quiet
from tests.bench.figures import Figure, Target, sample
from tests.bench.model import begin, pointed, served, slow, understanding
from tests.bench.scale import Scale
from tests.bench.sides import Side, holdfast
from tests.whole.steps import OPENING

BOUND = "Nothing but the click itself: model calls wait in places of their own."
SETTLED = 1.0
"""Seconds without a new model call, after which all are under way that will be."""


async def clicks(seat: Seat, count: int) -> list[float]:
    """Milliseconds of so many declarations, clicked."""
    found = []
    for _ in range(count):
        found.append(await seat.do(Act("click", "No", clicks=True, changes=True)))
        await quiet(seat.side)
    return found


async def hang(side: Side, server: MessagesServer, people: int) -> None:
    """So many others say something, and their model calls are under way: as many as the bot makes at once."""
    others = (side.person(n) for n in range(2, 2 + people))
    await asyncio.gather(*(other.say(OPENING) for other in others))
    await quiet(side)
    before = -1
    while len(server.requests) != before:
        before = len(server.requests)
        await asyncio.sleep(SETTLED)


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The same clicks without the others, and with them."""
    async with served(understanding()) as server, holdfast(folder / "ours", **pointed(server)) as ours:
        without, during = (Seat(ours, ours.person(n)) for n in (0, 1))
        await begin(without)
        await begin(during)
        calm = await clicks(without, scale.hang_clicks)
        server.script = slow(server.script, scale.hang_seconds)
        await hang(ours, server, scale.crowd)
        crowded = await clicks(during, scale.hang_clicks)
        what = f"click while {scale.crowd} others' model calls hang for {scale.hang_seconds:g} s"
        found = sample(crowded), sample(calm)
        yield Figure("hanging", what, "ms", *found, Target(times=2, of="p99"), BOUND, peer_is="the same without them")
