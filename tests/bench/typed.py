"""A typed answer, and the reply without a model: a plain one, a sentence that the rules read, a text."""

from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.acts import Seat, by_turns
from tests.bench.figures import Figure, Target, sample
from tests.bench.requests import requests
from tests.bench.scale import Scale
from tests.bench.sides import bare, holdfast

BOUND = "As for a click, and the reading of the words; a sentence is read against every field that it may set."
ROWS = {
    "typed": "typed “No” → next question, no model",
    "sentence": "typed sentence (a correction) → reply, no model",
    "text": "typed reason → review card, no model",
    "opening": "opening sentence → first card, no model",
}


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Typed PA requests on both sides, act by act."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = Seat(ours, ours.person(0)), Seat(peer, peer.person(0))
        both = [(seat, requests(seat, typed=True, corrected=True)) for seat in (mine, theirs)]
        await by_turns(both, lambda: len(mine.found.get("submit", ())) >= scale.requests)
        for kind, what in ROWS.items():
            found = (sample(seat.found[kind]) for seat in (mine, theirs))
            yield Figure("typed", what, "ms", *found, Target(times=5), BOUND)
