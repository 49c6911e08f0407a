"""Single acts: a click and the next question on screen; a typed answer and the reply without a model."""

from collections.abc import AsyncIterator
from pathlib import Path
from statistics import fmean

from tests.bench.acts import Seat, by_turns, requests
from tests.bench.figures import Figure, Scale, Target, sample, single
from tests.bench.sides import bare, holdfast

BOUND = (
    "Two commits that reach the disk (the event is stored before it is acked; the turn is one transaction) beside the peer's one, "
    "and two calls of Slack's API, of which the question is the first."
)
CPU = "Judging, the blocks of two messages with Slack's limits kept, sealing, the rows of two transactions, two calls of the SDK."
WARM = 3
"""Clicks left out at the start of a process."""


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Clicked PA requests on both sides, act by act."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = Seat(ours, ours.person(0)), Seat(peer, peer.person(0))
        both = [(seat, requests(seat)) for seat in (mine, theirs)]
        await by_turns(both, lambda: len(mine.found.get("submit", ())) >= scale.requests)
        clicks = (sample(seat.found["click"][WARM:]) for seat in (mine, theirs))
        yield Figure("click", "click → next question on screen", "ms", *clicks, Target(times=2.5), BOUND)
        acks = (sample([s * 1000 for s in seat.acks[WARM:]]) for seat in (mine, theirs))
        bound = "One commit: nothing is acked before it is stored. The peer acks before it stores."
        yield Figure("click", "click → ack", "ms", *acks, bound=bound)
        used = (single(fmean(seat.cpu[WARM:])) for seat in (mine, theirs))
        what = "CPU of the bot an act, the mean of whole clicked requests"
        yield Figure("click", what, "ms", *used, Target(most=10), CPU)


READ = (
    "As for a click, and the reading of the words against every field that they may set, in the same commit; "
    "an opening sentence also begins a draft, and is judged again by what its look-up finds."
)
ROWS = {
    "typed": "typed “No” → next question, no model",
    "sentence": "typed sentence (a correction) → reply, no model",
    "text": "typed reason → review card, no model",
    "opening": "opening sentence → first card, no model",
}


async def run_typed(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Typed PA requests on both sides, act by act."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = Seat(ours, ours.person(0)), Seat(peer, peer.person(0))
        both = [(seat, requests(seat, typed=True, corrected=True)) for seat in (mine, theirs)]
        await by_turns(both, lambda: len(mine.found.get("submit", ())) >= scale.requests)
        for kind, what in ROWS.items():
            found = (sample(seat.found[kind]) for seat in (mine, theirs))
            yield Figure("typed", what, "ms", *found, Target(times=4), READ)
