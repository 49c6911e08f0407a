"""`make bench BENCH=peers`: play the same scripts against the three, and count.

Run: python -m tests.bench.peers.play [PART …] [--short] [--document]
"""

import argparse
import asyncio
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, fields
from pathlib import Path
from statistics import fmean, median
from typing import Any

from bot.sandbox.models.answers import Answer, Slow, tokens_of
from bot.sandbox.models.scripts import Body
from tests.bench.acts import Act, Seat, content
from tests.bench.figures import number, sample
from tests.bench.peers import page
from tests.bench.peers.contest import COMMANDS, PYTHON, Contender, contender, each
from tests.bench.peers.models import CORRECTION, HOSTILE, OPENING, REASON, good
from tests.bench.peers.page import Row
from tests.bench.peers.person import Outcome, Visit, act_out, latest, outcome


@dataclass(frozen=True)
class Scale:
    """How much of each script."""

    hostile: int = len(HOSTILE)
    people: int = 5
    turns: int = 200
    crowd: int = 20
    kills: int = 2


SHORT = Scale(hostile=1, people=2, turns=4, crowd=2, kills=1)
Found = AsyncIterator[tuple[str, Row]]
"""The name of a table and one of its rows, as soon as it is known."""


async def hostile(folder: Path, scale: Scale) -> Found:
    """Play one visit with each model, on all three at once, each visit by somebody else."""
    kinds = {"understands": lambda: good, **dict(list(HOSTILE.items())[: scale.hostile])}
    visits: dict[str, list[Visit]] = {name: [] for name in COMMANDS}

    async def once(one: Contender) -> None:
        for n, made in enumerate(kinds.values()):
            one.play, sent = made(), len(one.server.requests)
            visits[one.name].append(await through(one, n))
            assert len(one.server.requests) > sent, f"{one.name} did not ask the model"

    async with AsyncExitStack() as stack:
        three = [await stack.enter_async_context(contender(name, folder, good)) for name in COMMANDS]
        await asyncio.gather(*map(once, three))
        found = {one.name: await filed(one, visits[one.name]) for one in three}
    for line in totals(found):
        yield "hostile", line
    for kind, *outcomes in zip(kinds, *found.values(), strict=True):
        yield "models", (kind, *map(page.cell, outcomes))


async def through(one: Contender, n: int = 0, **options: Any) -> Visit:
    """Play a visit to its end."""
    visit = one.visit(n)
    while await visit.step(one.quiet, **options):
        pass
    await one.quiet()
    return visit


async def filed(one: Contender, visits: Sequence[Visit]) -> list[Outcome]:
    """Return the outcomes of visits, by what the database holds."""
    kept = await one.filed()
    return [outcome(visit, kept.get(visit.seat.who.dm, [])) for visit in visits]


def totals(found: Mapping[str, Sequence[Outcome]]) -> Iterator[Row]:
    """Add outcomes up, a line for each thing that is counted; the acts are those of people who filed."""
    for told in fields(Outcome):
        columns = [[getattr(one, told.name) for one in results] for results in found.values()]
        if told.name == "acts":
            columns = [[one.acts for one in results if not one.dead_end] for results in found.values()]
            yield (page.COUNTED["acts"], *(f"{median(acts):g}" if acts else "–" for acts in columns))
        else:
            yield (page.COUNTED[told.name], *(str(sum(counts)) for counts in columns))


@dataclass
class Clock:
    """What acts took on one side: kind to milliseconds, and CPU of the bot for each."""

    found: dict[str, list[float]] = field(default_factory=dict)
    cpu: list[float] = field(default_factory=list)

    async def step(self, one: Contender, do: Callable[[], Coroutine[Any, Any, bool]]) -> bool:
        """Do an act and add what CPU it took."""
        used = one.side.cpu()
        more = await do()
        self.cpu += [(one.side.cpu() - used) * 1000] if more else []
        return more

    def add(self, seat: Seat) -> None:
        """Add what was measured at a seat."""
        for kind, taken in seat.found.items():
            self.found.setdefault(kind, []).extend(taken)


async def speed(folder: Path, scale: Scale) -> Found:
    """Play people, and a long conversation, act by act in turn, with a model that takes no time. The first person warms up."""
    async with AsyncExitStack() as stack:
        three = [await stack.enter_async_context(contender(name, folder, good)) for name in COMMANDS]
        clocks: dict[str, Clock] = {}
        for n in range(scale.people):
            clocks = {name: clocks[name] if n > 1 else Clock() for name in COMMANDS}
            visits = [(one, one.visit(n)) for one in three]
            going = visits
            while going:
                going = [(o, v) for o, v in going if await clocks[o.name].step(o, lambda o=o, v=v: v.step(o.quiet))]
            for one, visit in visits:
                clocks[one.name].add(visit.seat)
        for kind, words in page.KINDS.items():
            yield "speed", (f"{words}: median ms", *(number(median(c.found[kind])) for c in clocks.values()))
        yield "speed", ("CPU of the bot an act: mean ms", *(number(fmean(c.cpu)) for c in clocks.values()))
        async for line in turns(three, scale):
            yield line


async def turns(three: Sequence[Contender], scale: Scale) -> Found:
    """Change one's mind again and again: tokens of the largest request of single turns, and milliseconds then."""
    seats, tokens, taken = {}, {one.name: [] for one in three}, {one.name: [] for one in three}
    for one in three:
        visit = one.visit(scale.people)
        for _ in range(4):
            await visit.step(one.quiet)
        seats[one.name] = Seat(one.side, visit.seat.who)
    for n in range(scale.turns):
        for one in three:
            sent = len(one.server.requests)
            await act_out(seats[one.name], Act("turn", CORRECTION.format(250 + n % 7)))
            await one.quiet()
            tokens[one.name].append(max(map(tokens_of, one.server.requests[sent:]), default=0))
            taken[one.name] = seats[one.name].found.get("turn", [])
    for n in (1, scale.turns // 2, scale.turns):
        largest = (max(of[max(0, n - 10) : n], default=0) for of in tokens.values())
        yield "turns", (f"tokens of the largest request up to turn {n}, of ten turns", *map(number, largest))
    for what, part in (("first", slice(0, 20)), ("last", slice(-20, None))):
        yield (
            "turns",
            (f"ms a turn, median of the {what} 20", *(number(median(t[part] or [0])) for t in taken.values())),
        )


async def doubled(folder: Path, scale: Scale) -> Found:
    """Deliver every event and every click twice."""

    async def once(name: str) -> tuple[Outcome, int]:
        async with contender(name, folder, good) as one:
            one.sandbox.knobs.redeliver = one.sandbox.knobs.duplicate_clicks = 1
            visit = await through(one)
            kept = (await one.filed()).get(visit.seat.who.dm, [])
            return outcome(visit, kept), len(kept)

    came = await each(once)
    yield "doubled", ("records of one request", *(str(count) for _, count in came.values()))
    yield "doubled", ("wrong values", *(str(found.wrong + found.forged) for found, _ in came.values()))


KILLED_AT: Mapping[str, Callable[[Act], bool]] = {
    "the opening sentence": lambda act: act.words == OPENING,
    "a clicked declaration": lambda act: act.words == "No" and act.clicks,
    "a typed declaration": lambda act: act.words == "No" and not act.clicks,
    "the typed reason": lambda act: act.words == REASON,
    "Submit": lambda act: act.words == "Submit",
}
AWAY = 12.0
"""Seconds that a person waits for an answer after a kill, the new process' start not counted."""


def unhurried(body: Body) -> Answer:
    """Understand, after half a second: time to be killed in."""
    return Slow(0.5, good(body))


@dataclass
class Killing:
    """Do acts, and kill the bot at the first one that is wanted: as soon as Slack has the ack, or once the model is being asked (`late`)."""

    one: Contender
    wanted: Callable[[Act], bool]
    late: bool
    killed: bool = False
    answered: bool = False

    async def act(self, seat: Seat, act: Act, card: str) -> bool:
        """Do an act; True where an answer came."""
        if self.killed or not self.wanted(act):
            return await act_out(seat, act, card)
        self.killed = True
        before = {m.ts: content(m) for m in latest(seat)}
        await (seat.who.click(act.words, card) if act.clicks else seat.who.say(act.words))
        await wait_for(lambda: act.clicks or not self.one.sandbox.under_way, AWAY)
        await wait_for(lambda: self.one.calls, float(self.late))
        await self.one.kill()
        await self.one.start()
        seat.side = self.one.side
        self.answered = await wait_for(lambda: any(before.get(m.ts) != content(m) for m in latest(seat)), AWAY)
        return self.answered


async def wait_for(what: Callable[[], object], seconds: float) -> bool:
    """Wait so long for what no event tells. False: it did not come."""
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:  # noqa: ASYNC110  nothing is set when it comes
        await asyncio.sleep(0.02)
    return bool(what())


async def kills(folder: Path, scale: Scale) -> Found:
    """Kill the process between ack and answer, once a visit, and start it anew; the first round at once, the others in a model call."""
    unanswered = {name: dict.fromkeys(KILLED_AT, 0) for name in COMMANDS}
    ends = dict.fromkeys(COMMANDS, (0, 0, 0))

    async def all_of(name: str) -> None:
        async with contender(name, folder, unhurried) as one:
            visits = []
            for n in range(scale.kills * len(KILLED_AT)):
                what = list(KILLED_AT)[n % len(KILLED_AT)]
                killing = Killing(one, KILLED_AT[what], late=n >= len(KILLED_AT))
                visits.append(await through(one, n, do=killing.act))
                unanswered[name][what] += not killing.answered
            kept = await one.filed()
            counts = [len(kept.get(visit.seat.who.dm, [])) for visit in visits]
            wrong = sum(o.wrong + o.forged for o in await filed(one, visits))
            ends[name] = (counts.count(0), sum(c > 1 for c in counts), wrong)

    await each(all_of)
    for what in KILLED_AT:
        yield "kills", (f"{what}: unanswered of {scale.kills}", *(str(of[what]) for of in unanswered.values()))
    for place, what in enumerate(("requests never filed", "requests filed twice", "wrong values")):
        yield "kills", (what, *(str(of[place]) for of in ends.values()))


async def crowd(folder: Path, scale: Scale) -> Found:
    """File for many people at once, on one of the three after the other."""
    rows: dict[str, tuple[str, ...]] = {}
    for name in COMMANDS:
        async with contender(name, folder, good) as one:
            used, began = one.side.cpu(), time.monotonic()
            visits = [one.visit(n) for n in range(scale.crowd)]
            await asyncio.gather(*map(at_own_pace, visits))
            seconds, cpu = time.monotonic() - began, one.side.cpu() - used
            results = await filed(one, visits)
            found = sample([ms for v in visits for of in v.seat.found.values() for ms in of])
            wrong = sum(o.wrong + o.forged for o in results)
            filers = str(sum(not o.dead_end for o in results))
            times = (found.p50, found.p99, seconds, cpu * 1000 / found.n)
            rows[name] = (filers, str(wrong), *map(number, times))
    heads = (
        "people who filed",
        "wrong values",
        "answer, median ms",
        "answer, p99 ms",
        "seconds in all",
        "CPU of the bot an act, ms",
    )
    for place, head in enumerate(heads):
        yield "crowd", (head, *(of[place] for of in rows.values()))


async def at_own_pace(visit: Visit) -> None:
    """Play a visit; its person acts when their screen has been still for a moment, and waits where it asks nothing."""

    async def still() -> None:
        before: object = None
        while before != (before := [(m.ts, content(m)) for m in latest(visit.seat)]):  # noqa: ASYNC110  stillness has no event
            await asyncio.sleep(0.3)
        await wait_for(lambda: not visit.waits, AWAY)

    while await visit.step(still):
        pass


PARTS = {"hostile": hostile, "doubled": doubled, "kills": kills, "crowd": crowd, "speed": speed}


async def play(parts: Sequence[str], scale: Scale) -> dict[str, list[Row]]:
    """Play the parts one after the other and return the rows of each table."""
    tables: dict[str, list[Row]] = {}
    page.out(("", *page.NAMES))
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="holdfast-peers-") as folder:
            async for name, row in PARTS[part](Path(folder), scale):
                page.out(row)
                tables.setdefault(name, []).append(row)
    return tables


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="The same form in Holdfast, LangGraph and pydantic-ai, the same scripts."
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which scripts; without any, all")
    parser.add_argument("--short", action="store_true", help="little of everything")
    parser.add_argument("--document", action="store_true", help="put the tables into docs/comparison.md")
    given = parser.parse_args()
    if given.document and (given.parts or given.short):
        parser.error("the page takes one whole run")
    installed = page.versions(PYTHON)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no bot outlives its measurement
    tables = asyncio.run(play(given.parts or list(PARTS), SHORT if given.short else Scale()))
    if given.document:
        page.write(tables, installed)


if __name__ == "__main__":
    main()
