"""A sample of the replay: real conversations end in what their people meant, whatever the model does beside it."""

import random
from pathlib import Path

import pytest

from tests.replay.actor import Actor
from tests.replay.core import core
from tests.replay.data import DIALOGUES, Dialogue, dialogues
from tests.replay.lots import pool
from tests.replay.player import Seen, play
from tests.replay.whole import whole

RATES = (0.0, 0.05, 0.2)
SAMPLE, WHOLE = 40, 5


@pytest.fixture(scope="module")
def every() -> list[Dialogue]:
    """All dialogues, where this machine has them."""
    if not DIALOGUES.exists():
        pytest.skip(f"{DIALOGUES.name} is not on this machine: its dialogues were NOT replayed")
    return list(dialogues())


def fit(seen: list[Seen]) -> None:
    """Gold was filed once, and no finished answer was asked for."""
    assert seen
    for one in seen:
        assert one.equal, (one.dialogue, one.form, one.differs, one.stuck)
        assert not one.twice and not one.asked_filled, one.dialogue


@pytest.mark.parametrize("rate", RATES)
async def test_real_conversations_end_in_what_their_people_meant(
    every: list[Dialogue], rate: float, tmp_path: Path
) -> None:
    """At every fault rate each form of the sample is filed once, with the values that the person gave, and nothing filled is asked."""
    picked = random.Random(7).sample(every, SAMPLE)
    async with core(tmp_path, Actor(rate, random.Random(7), pool(every))) as stage:
        fit([one for dialogue in picked for one in await play(stage, dialogue)])


@pytest.mark.parametrize("rate", RATES)
async def test_they_do_so_through_the_whole_bot(every: list[Dialogue], rate: float, tmp_path: Path) -> None:
    """The same with Slack's SDKs, the sandbox, the store and a model behind HTTP."""
    picked = random.Random(8).sample(every, WHOLE)
    async with whole(tmp_path, Actor(rate, random.Random(8), pool(every))) as stage:
        fit([one for dialogue in picked for one in await play(stage, dialogue)])
