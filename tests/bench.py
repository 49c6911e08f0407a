"""`make bench`: figures, and ratios measured side by side in one run. Anything per turn should not grow with what is stored.

Run: python -m tests.bench [--short]
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bot.keys import Place, person_key
from bot.root import load_workflows
from bot.turn.turn import TurnHandler
from prompts.budget import estimate
from prompts.build import build_request
from state.draft.draft import Draft
from state.engine import advance, begin
from state.engine.codec import encode
from state.engine.effects import CallModel
from state.engine.events import Clicked, MessageReceived
from state.stores.opener import open_store
from state.stores.protocol import Hold, InboxRow, Store
from state.stores.vault import Vault
from tests.world import settings

AT = "2026-11-20T12:00:00+00:00"
TEAM = "T0BENCH"
HOLD = Hold(6.0, lambda lane: lane.startswith(TEAM))


def out(line: str) -> None:
    """One line of the report."""
    sys.stdout.write(line + "\n")


async def one_turn(turns: TurnHandler, store: Store, place: Place, n: int, text: str) -> float:
    """Seconds from a message's arrival to the end of its transaction."""
    began = time.perf_counter()
    event = MessageReceived(f"{place.key}/{n}", AT, "U0ALEX", text, f"1700000000.{n:06d}")
    incoming = InboxRow(event.id, place.key, person_key(TEAM, "U0ALEX"), {"event": encode(event)})
    received = await store.receive(incoming, HOLD)
    assert received and received.taken
    await turns.handle(received.taken.lease, received.row, received, HOLD)
    return time.perf_counter() - began


async def series(turns: TurnHandler, store: Store, place: Place, start: int, count: int) -> list[float]:
    """That many turns of one conversation."""
    return [await one_turn(turns, store, place, start + i, f"small talk number {i}") for i in range(count)]


async def turns_and_growth(var: Path, long: int, many: int) -> None:
    """Turns a second on SQLite, and how a turn's time grows with the conversation and with the number of drafts."""
    workflows = {"pa_dealing": load_workflows(settings(var))["pa_dealing"]}
    store = open_store(f"sqlite:///{var}/bench.db", Vault.make_key())
    await store.start()
    ids = iter(range(10**9))
    turns = TurnHandler(store, workflows, lambda: f"draft{next(ids)}", {})
    first = Place(TEAM, "D0")
    early = await series(turns, store, first, 0, 50)
    await series(turns, store, first, 50, long - 100)
    late = await series(turns, store, first, long, 50)
    report("a turn, first 50 of a conversation", early)
    report(f"a turn, after {long} messages", late, early)
    for n in range(many):
        await one_turn(turns, store, Place(TEAM, f"D{n + 1}"), 0, "hello")
    crowded = await series(turns, store, Place(TEAM, "DLAST"), 0, 50)
    report(f"a turn, beside {many} other drafts", crowded, early)
    await store.stop()


def report(what: str, seconds: list[float], against: list[float] | None = None) -> None:
    """Median and 95th percentile in milliseconds, and the ratio of medians."""
    median = statistics.median(seconds)
    tail = statistics.quantiles(seconds, n=20)[-1]
    ratio = f"   {median / statistics.median(against):.2f} x" if against else ""
    out(f"{what:<44} median {median * 1000:6.2f} ms   p95 {tail * 1000:6.2f} ms{ratio}")


def judging(var: Path, rounds: int) -> None:
    """`advance()` alone, on an empty and on a full draft."""
    workflow = load_workflows(settings(var))["pa_dealing"]
    empty = begin(workflow.form, "d", TEAM, "U0ALEX", f"{TEAM}:D0:", AT)
    asked = advance(workflow.form, workflow.rules, empty, Clicked("e0", AT, "U0ALEX", "begin")).draft
    message = MessageReceived("e1", AT, "U0ALEX", "I'd like to buy 200 Tesco for my pension, about £720", "1.1")
    report(
        "advance(), a message on a new draft",
        timed(lambda: advance(workflow.form, workflow.rules, asked, message), rounds),
    )
    before = timed(lambda: build_request(workflow.form, asked, CallModel(asked.turn), AT[:10]), rounds)
    report("a model's request built", before)


def timed(work: Callable[[], object], rounds: int) -> list[float]:
    """Seconds of each round."""
    found = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return found


def prompts(var: Path) -> None:
    """The largest request of a conversation, by the estimate that errs on the high side."""
    workflow = load_workflows(settings(var))["pa_dealing"]
    draft = begin(workflow.form, "d", TEAM, "U0ALEX", f"{TEAM}:D0:", AT)
    sizes = [size(workflow.form, draft)]
    for n in range(60):
        said = MessageReceived(f"s{n}", AT, "U0ALEX", f"some words about this and that, number {n}. " * 10, f"1.{n}")
        draft = replace(advance(workflow.form, workflow.rules, draft, said).draft, status=draft.status)
        sizes.append(size(workflow.form, draft))
    out(f"{'a request and its newest message, tokens':<44} first {sizes[0]}   largest in 60 long messages {max(sizes)}")


def size(form: object, draft: Draft) -> int:
    """Estimated tokens of the next request."""
    return estimate(build_request(form, draft, CallModel(draft.turn), AT[:10]))  # type: ignore[arg-type]  # a Form


def main() -> None:
    """All figures; with --short on little data."""
    short = "--short" in sys.argv
    with tempfile.TemporaryDirectory() as var:
        judging(Path(var), 50 if short else 500)
        prompts(Path(var))
        asyncio.run(turns_and_growth(Path(var), 200 if short else 2000, 100 if short else 2000))


if __name__ == "__main__":
    main()
