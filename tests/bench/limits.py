"""A hundred people file a request within ten minutes, at the pace of people, while Slack's rate limits hold."""

import asyncio
import random
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.sandbox.workspace import Message
from state.stores.opener import open_store
from state.stores.store import Store
from state.stores.vault import installation_key
from tests.bench.acts import CLICKS, WHY, Act, Seat, labels, request
from tests.bench.crowd import Crowd
from tests.bench.figures import Figure, Scale, Target, sample, single
from tests.bench.sides import PATIENCE, holdfast

A_MINUTE = 10
"""People who file in a minute."""
THINKS, TAKES = (6.0, 18.0), 120.0
"""Seconds that a person takes for an act, at least and at most, and for a request."""
OF_THE_RECEIPT = ("I've traded", "I didn't trade", "Extend", "Ask a person")
"""What an approval offers: the answers stay as they were filed."""
SOON = 3.0
TEAM = "T0HOLDFAST"
FILED = "Submitted"
SHOWING = ("chat.postMessage", "chat.update", "response_url", "chat.delete")
BOUND = (
    "A click's answer takes its own message over, which no tier counts; words cost a post, and a paint that can wait."
)
LATE = "Slack takes about one post a second in a conversation; questions go first, and who answers within that second waits for it."
WRONG = "A paint that was neither made nor replaced by a later one; each is named where the run prints it."
HURRIED = "Slack takes 300 posts a minute in a workspace, and a typed answer costs one; a click's answer costs none."
TOLD = "Where the bot is written to, it “is waiting for Slack…”, with the seconds, from the moment at which it knows."
LONG, WAITS = 10.0, "is waiting for Slack…"
DRAINED = 1500.0
"""Seconds of Slack's within which the last paint is on the screen."""


@dataclass
class Played:
    """What came of it. `waits` are the seconds from an act to what it asks for next; times are people's own."""

    people: int
    minutes: float
    waits: list[float] = field(default_factory=list)
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    given_up: int = 0
    """People whom nobody answered for two minutes."""
    drained: float = 0.0
    wrong: list[str] = field(default_factory=list)
    alive: int = 0
    """Buttons that are left on cards of requests that are filed."""
    dead: int = 0

    @property
    def refused(self) -> int:
        """Calls that Slack refused for their rate."""
        return sum(n for (_, error), n in self.calls.items() if error == "ratelimited")

    def lines(self) -> list[str]:
        """The figures, as lines for people."""
        ordered = sorted(self.waits)
        p95 = ordered[max(0, int(0.95 * len(ordered)) - 1)]
        limited = {method: n for (method, error), n in self.calls.items() if error == "ratelimited"}
        granted = {method: n for (method, error), n in sorted(self.calls.items()) if not error}
        told = ", ".join(f"{method} {n} ({limited.get(method, 0)} refused)" for method, n in granted.items())
        return [
            f"{self.people} people in {self.minutes:.1f} minutes, {len(ordered)} acts; act → question: "
            f"median {statistics.median(ordered):.2f} s, p95 {p95:.2f} s, longest {ordered[-1]:.2f} s, {self.given_up} gave up; "
            f"the last paint {self.drained:.0f} s after the last act; {len(self.wrong)} cards wrong, {self.dead} dead letters, "
            f"{self.alive} buttons left on filed requests",
            f"calls: {told}",
            *self.wrong[:10],
        ]


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """One side alone: what is compared with is Slack's tiers."""
    played = await play(folder, scale.filing, scale.filing_pace)
    for line in played.lines():
        yield line
    who = f"{played.people} people in {played.minutes:.0f} minutes"
    waits = [1000 * wait for wait in played.waits]
    yield Figure("limits", f"{who}: act → question", "ms", sample(waits), bound=BOUND)
    longest = Target(most=1000 * SOON)
    yield Figure("limits", f"{who}: longest wait for a question", "ms", single(max(waits)), target=longest, bound=LATE)
    yield Figure("limits", f"{who}: last act → last paint", "s", single(played.drained))
    for method in SHOWING:
        made = sum(n for (name, _), n in played.calls.items() if name == method)
        yield Figure("limits", f"{who}: {method}, calls an act", "", single(made / len(waits)))
    yield Figure("limits", f"{who}: calls refused for their rate", "", single(played.refused))
    wrong = single(len(played.wrong))
    yield Figure("limits", f"{who}: cards that end up wrong", "", wrong, target=Target(most=0), bound=WRONG)
    for figure in await _hurried(scale, folder / "hurried"):
        yield figure


async def _hurried(scale: Scale, folder: Path) -> list[Figure]:
    """People who read for a second before each act, all at once: more posts than Slack takes. Who waits long is told so."""
    async with holdfast(folder, pace=1) as side:
        crowd = Crowd(side, scale.readers, reads=1.0)
        await crowd.round(scale.hurried_seconds)
        long = Counter(crowd.seats[n].who.dm for began, ended, n in crowd.spans if ended - began > LONG)
        told = Counter(str(one.args.get("channel_id")) for one in side.sandbox.sent if one.args.get("status") == WAITS)
    who = f"{scale.readers} people who read for a second"
    return [
        Figure("limits", f"{who}: act → answer", "ms", sample(crowd.taken), bound=HURRIED),
        Figure("limits", f"{who}: waits of more than ten seconds", "", single(long.total())),
        Figure(
            "limits",
            f"{who}: of these nobody was told",
            "",
            single((long - told).total()),
            target=Target(most=0),
            bound=TOLD,
        ),
    ]


async def play(folder: Path, people: int, pace: int, **more: str) -> Played:
    """Have so many people file, and look at every card in the end. `more` is the bot's environment."""
    played = Played(people, people / A_MINUTE)
    async with holdfast(folder, pace=pace, **more) as side:
        began = time.monotonic()
        rng = random.Random(people)
        seats = [Seat(side, side.person(n)) for n in range(people)]
        begin = max(played.minutes * 60 - TAKES, TAKES / 4)
        starts = [rng.uniform(0, begin) for _ in seats]
        filing = (
            _file(seat, n, start, pace, played) for n, (seat, start) in enumerate(zip(seats, starts, strict=True))
        )
        await asyncio.gather(*filing)
        played.minutes = (time.monotonic() - began) * pace / 60
        async with store_of(folder) as store:
            await _drained(store, pace, played)
            played.dead = len(await store.dead())
            for seat in seats:
                await _look(store, seat, played)
        played.calls = side.sandbox.slack.records.counts.copy()
    return played


async def _file(seat: Seat, n: int, start: float, pace: int, played: Played) -> None:
    """One request, from the first word to the receipt; every second person types what others click."""
    rng = random.Random(n)
    await asyncio.sleep(start / pace)
    async for act in request(seat, typed=n % 2 == 1):
        taken = await _timed(seat, act)
        played.waits.append(taken * pace)
        if taken >= PATIENCE:
            played.given_up += 1
            return
        await asyncio.sleep(rng.uniform(*THINKS) / pace)


async def _timed(seat: Seat, act: Act) -> float:
    """Seconds until the person sees what comes next, or gives up."""
    before = _asking(seat)
    began = time.perf_counter()
    if act.clicks:
        await seat.who.click(act.words, next(m.ts for m in seat.latest() if act.words in labels(m)))
    else:
        await seat.who.say(act.words)
    with suppress(TimeoutError):
        await seat.side.sandbox.until(partial(_goes_on, seat, before), timeout=PATIENCE)
    return time.perf_counter() - began


def _asking(seat: Seat) -> tuple[str, str] | None:
    """The newest message that asks something, or says that it is filed, as it stands."""
    for message in seat.latest():
        words = str(message.body.get("text", ""))
        if set(CLICKS) & set(labels(message)) or WHY in words or FILED in words:
            return message.ts, str(message.body.get("blocks"))
    return None


def _goes_on(seat: Seat, before: tuple[str, str] | None) -> bool:
    return _asking(seat) not in (None, before)


@asynccontextmanager
async def store_of(var: Path) -> AsyncIterator[Store]:
    """The bot's own database, to look at."""
    store = open_store(f"sqlite:///{var}/holdfast.db", installation_key(var / "holdfast.key"))
    await store.start()
    try:
        yield store
    finally:
        await store.stop()


async def _drained(store: Store, pace: int, played: Played) -> None:
    """Wait until everything that was to be posted or painted is."""
    began = time.monotonic()
    while await _open(store, played.people) and (time.monotonic() - began) * pace < DRAINED:  # noqa: ASYNC110  another process's database
        await asyncio.sleep(1 / pace)
    played.drained = (time.monotonic() - began) * pace


async def _open(store: Store, people: int) -> bool:
    """Return True if anything is still to be shown; what waits for its own day, as a reminder does, is not."""
    for n in range(people):
        async for one in store.everything(f"{TEAM}:U0CROWD{n}"):
            if one.table == "outbox" and one.row["kind"] != "remind" and one.row["status"] in ("new", "unclear"):
                return True
    return False


async def _look(store: Store, seat: Seat, played: Played) -> None:
    """Return True if each message shows what was written last for it, stands once, and has nothing to click once the request is filed."""
    messages = seat.side.sandbox.workspace.channels[seat.who.dm].messages.values()
    shown = {message.ts: message for message in messages if "bot_id" in message.body}
    for card, body in (await _last(store, seat.who.id)).items():
        posted = await store.posted(card)
        message = shown.pop(posted.ts, None) if posted else None
        if not (_shows(message, body) if message else not body["blocks"]):
            played.wrong.append(
                f"{seat.who.id}, card {card}: {body['text'][:80]!r}, and on the screen {_text(message)!r}"
            )
        played.alive += sum(label not in OF_THE_RECEIPT for label in labels(message)) if message else 0
    played.wrong += [f"{seat.who.id}: nothing was written for {_text(message)!r}" for message in shown.values()]


async def _last(store: Store, who: str) -> Mapping[str, dict[str, Any]]:
    """Of each message, by the card that has it now, the row that was written last for it."""
    last: dict[str, dict[str, Any]] = {}
    rows = [one.row async for one in store.everything(f"{TEAM}:{who}") if one.table == "outbox"]
    for row in rows:
        body = (row.get("sealed") or {}).get("body") or {}
        if row["kind"] == "post" and body.get("card"):
            last.pop(str(body.get("into") or ""), None)
            last[body["card"]] = body
        elif row["kind"] == "repaint" and body["card"] in last:
            last[body["card"]] = body
    return last


def _shows(message: Message, body: dict[str, Any]) -> bool:
    return _plain(message.body.get("blocks") or ()) == _plain(body["blocks"])


def _plain(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Blocks without the names that Slack gives them."""
    return [{key: value for key, value in block.items() if key != "block_id"} for block in blocks]


def _text(message: Message | None) -> str:
    return str(message.body.get("text"))[:80] if message else ""
