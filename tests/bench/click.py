"""A click, and the next question on screen."""

from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.acts import Seat, requests, side_by_side
from tests.bench.figures import Figure, Target, sample
from tests.bench.scale import Scale
from tests.bench.sides import bare, holdfast

BOUND = (
    "Two commits that reach the disk (the event is stored before it is acked; the turn is one transaction) beside the peer's one, "
    "and two calls of Slack's API, of which the question is the first."
)
WARM = 3
"""Clicks left out at the start of a process."""


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Clicked PA requests on both sides, act by act."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = Seat(ours, ours.person(0)), Seat(peer, peer.person(0))
        await side_by_side(mine, theirs, requests(scale.requests, typed=False))
        clicks = (sample(seat.found["click"][WARM:]) for seat in (mine, theirs))
        yield Figure("click", "click → next question on screen", "ms", *clicks, Target(times=3), BOUND)
        acks = (sample([s * 1000 for s in seat.acks[WARM:]]) for seat in (mine, theirs))
        bound = "One commit: nothing is acked before it is stored. The peer acks before it stores."
        yield Figure("click", "click → ack", "ms", *acks, bound=bound)
