"""A sample of the replay: real conversations end in what their people meant, whatever the model does beside it, and without one."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.replay.actor import Actor
from tests.replay.core import core
from tests.replay.data import DIALOGUES, Dialogue, dialogues
from tests.replay.faults import KINDS
from tests.replay.lots import pool
from tests.replay.persons import Care
from tests.replay.player import Seen, play
from tests.replay.whole import whole

RATES = (0.0, 0.2)
SAMPLE, MANY, WHOLE = 20, 50, 2
HARM = {"right value, wrong slot": 0.2, "wrong word": 0.1}
"""Share of a kind's injected values that may be taken; of every other kind none."""


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
        assert one.equal, (one.dialogue, one.form, one.wrong, one.lacking, one.stuck)
    kept_in_order(seen)


def kept_in_order(seen: list[Seen]) -> None:
    """Every form came to its end; nothing was filed twice and nothing filled was asked."""
    for one in seen:
        assert not one.twice and not one.asked_filled and not one.stuck, (one.dialogue, one.form, one.stuck)


async def played(
    every: list[Dialogue], where: Path, rate: float, count: int, care: Care = "careful", *, model: bool = True
) -> list[Seen]:
    """Outcomes of some dialogues on the core."""
    actor = Actor(rate, random.Random(7), pool(every))
    async with core(where, actor, model=model) as stage:
        return [one for d in random.Random(7).sample(every, count) for one in await play(stage, d, care)]


@pytest.mark.parametrize("rate", RATES)
async def test_real_conversations_end_in_what_their_people_meant(
    every: list[Dialogue], rate: float, tmp_path: Path
) -> None:
    """At every fault rate each form is filed once, with the values that a person who looks the review through gave."""
    fit(await played(every, tmp_path, rate, SAMPLE))


async def test_no_fault_gets_further_than_it_did(every: list[Dialogue], tmp_path: Path) -> None:
    """Beside a model that gets something wrong in every answer, and a person who corrects nothing, no kind of fault puts in more than is known."""
    seen = await played(every, tmp_path, 1.0, MANY, "careless")
    kept_in_order(seen)
    faults = [f for one in seen for f in one.faults]
    injected, harm = Counter(f.kind for f in faults), Counter(f.kind for f in faults if f.harm)
    assert set(injected) == set(KINDS)
    for kind, count in injected.items():
        assert harm[kind] <= HARM.get(kind, 0.0) * count, [f for f in faults if f.harm and f.kind == kind]


async def test_without_a_model_what_is_taken_is_right(every: list[Dialogue], tmp_path: Path) -> None:
    """The rule-based reader alone fills every form in, and takes no date, time, amount, choice or yes that was not said."""
    seen = await played(every, tmp_path, 0.0, SAMPLE, "careless", model=False)
    took = [t for one in seen for t in one.took if t.kind != "text"]
    wrong = [t for t in took if not t.right]
    assert took
    assert len(wrong) <= 0.03 * len(took), wrong
    assert all(not one.twice and not one.asked_filled for one in seen)


async def test_they_do_so_through_the_whole_bot(every: list[Dialogue], tmp_path: Path) -> None:
    """Beside a model that misbehaves in one answer of five, they end so with Slack's SDKs, the sandbox, the store and HTTP as well."""
    picked = random.Random(8).sample(every, WHOLE)
    async with whole(tmp_path, Actor(0.2, random.Random(8), pool(every))) as stage:
        fit([one for dialogue in picked for one in await play(stage, dialogue)])
