"""Conversations simulated on a virtual clock: what `make chaos` does ten thousand times, in short."""

from typing import Literal

import pytest

from tests.chaos.fabric import settings
from tests.chaos.simulation import ALSO, SCRIPTS, Faults, drawn, kept, known, play, play_seed, simulate

SEEDS = 200
ONE = next(script for script in SCRIPTS if script.name == "pa_dealing/typed_one")
EXPENSES = next(script for script in ALSO if script.name == "expenses/plain_lines")
TYPED = next(script for script in ALSO if script.name == "gifts/two_languages")

settings()  # made before there are forks, which share what is kept there
OPEN = {seed: pytest.mark.xfail(strict=True, reason=why) for seed, why in known().items()}


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=OPEN.get(n, ())) for n in dict.fromkeys((*kept(), *range(SEEDS)))]
)
def test_seed(seed: int) -> None:
    """Whatever is lost, late, doubled, cut off or killed, a conversation ends as it does without that."""
    assert play_seed(seed).broken == [], drawn(seed)


@pytest.mark.parametrize("at", [20, 24, 27, 30, 33])
def test_killed_at_a_gate(at: int) -> None:
    """Wherever a process is killed, another one goes on, and nobody waits for an answer."""
    assert play(0, (ONE,), Faults(kill_at=at)).broken == []


@pytest.mark.parametrize("then", ["", "cut", "killed"])
def test_stopped_before_a_post(then: Literal["", "cut", "killed"]) -> None:
    """Of what a process posts that stood still right before it, while another has posted the same, one stays.

    Also where the database breaks off before it could say that another has the lane, and where it is killed before it asks.
    """
    gates = simulate(0, (ONE,), Faults(replicas=2)).gates
    posts = [at for at, gate in enumerate(gates, 1) if gate == "call chat.postMessage"]
    runs = [play(0, (ONE,), Faults(replicas=2, stop_at=at, then=then)) for at in posts]
    assert posts and [run.broken for run in runs] == [[] for _ in posts]


@pytest.mark.parametrize("at", range(60, 70))
def test_stopped_before_what_is_answered(at: int) -> None:
    """Words below the post of the process that went on answer it, also where the one that stood still posts the same later and reads them."""
    assert play(0, (TYPED,), Faults(replicas=2, stop_at=at)).broken == []


@pytest.mark.parametrize("seed", range(4))
def test_an_expense_is_written_once_however_often_the_database_is_cut_off(seed: int) -> None:
    """Nobody is asked to try again: it is written when the database is back, and once."""
    out = simulate(seed, (EXPENSES,), Faults(cut=0.06))
    said = [line for seen in out.screens[0] for line in seen]
    assert not any("Something went wrong" in line for line in said) and any("Added" in line for line in said)


def test_same_again() -> None:
    """The same seed plays the same to the last callback."""
    assert play_seed(1).trace == play_seed(1).trace
