"""Sentences that a model reads; and one person clicks while the model calls of many others hang."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.sandbox.models.answers import Answer, Slow, call, text, tools
from bot.sandbox.models.playback import MessagesServer, Script
from bot.sandbox.models.scripts import by_newest_message
from tests.bench.acts import Act, Seat, quiet
from tests.bench.figures import Figure, Scale, Target, sample
from tests.bench.sides import Side, bare, holdfast
from tests.whole.steps import OPENING, REASON

BOUND = "The model's own time, which nobody can take away, and then as for a typed answer; its reply is stored before it is used."
WHOLE = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}


def understanding() -> Script:
    """A model that understands the opening of a request, corrections of its quantity, and its reason."""
    words = {n: f"actually make it {n} shares" for n in (200, 250)}
    table: dict[str, Answer] = {
        said: tools(call("correct", field="quantity", value=str(n), words=said)) for n, said in words.items()
    }
    trade = OPENING.replace("I'd like to ", "")
    opening = (call("set_security", security="Tesco", words="Tesco"), call("set_trade", **WHOLE, words=trade))
    table[OPENING] = tools(*opening)
    table[REASON] = tools(call("set_justification", justification=REASON, words=REASON))
    return by_newest_message({re.escape(k): v for k, v in table.items()}, otherwise=text("All right."))


def slow(script: Script, seconds: float) -> Script:
    """The same model, later."""

    def play(body: dict[str, object]) -> Answer:
        return Slow(seconds, script(body))

    return play


@asynccontextmanager
async def served(script: Script) -> AsyncIterator[MessagesServer]:
    """A local Messages API that plays this script."""
    server = MessagesServer(script)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def begin(seat: Seat) -> None:
    """An open request that waits at its first declaration."""
    clicks = (Act("click", words, clicks=True, changes=True) for words in ("Use all of it", "Use this"))
    for act in (Act("opening", OPENING), *clicks):
        await seat.do(act)
        await quiet(seat.side)


def pointed(server: MessagesServer) -> dict[str, str]:
    """A bot's environment with this server for a model."""
    return {"ANTHROPIC_API_KEY": "sk-bench", "ANTHROPIC_BASE_URL": server.url}


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Corrections that the model reads, beside the peer's typed answers without a model."""
    async with (
        served(understanding()) as server,
        holdfast(folder / "ours", **pointed(server)) as ours,
        bare(folder / "bare") as peer,
    ):
        mine, theirs = Seat(ours, ours.person(0)), Seat(peer, peer.person(0))
        await begin(mine)
        server.script, ours.pause = slow(server.script, scale.model_seconds), ours.pause + scale.model_seconds
        for n in range(scale.waits):
            for seat in (mine, theirs):
                await seat.do(Act("sentence", f"actually make it {(250, 200)[n % 2]} shares"))
                await quiet(seat.side)
        found = (sample(seat.found["sentence"]) for seat in (mine, theirs))
        target = Target(times=5, plus=scale.model_seconds * 1000)
        what = f"sentence → reply with a model that takes {scale.model_seconds:g} s"
        yield Figure("model", what, "ms", *found, target, BOUND, peer_is="bare, no model")


HELD_UP = "Nothing but the click itself: model calls wait in places of their own."
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


async def run_hanging(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
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
        yield Figure("hanging", what, "ms", *found, Target(times=2, of="p99"), HELD_UP, peer_is="the same without them")
