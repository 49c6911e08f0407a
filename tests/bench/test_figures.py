"""What the benchmark makes of its measurements."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import chart, walls
from tests.bench.__main__ import whole
from tests.bench.crowd import Crowd
from tests.bench.figures import SHORT, Figure, Scale, Target, cells, sample, single
from tests.bench.syncs import counted

CLICK = Figure("click", "a click", "ms", sample([30.0, 10.0, 20.0]), sample([5.0]), Target(times=3), "Two commits.")


def test_a_sample_is_a_median_and_the_nearest_rank() -> None:
    """The 99th percentile of a hundred measurements is the 99th of them, and of a few the largest."""
    hundred = sample([float(n) for n in range(1, 101)])
    assert (hundred.p50, hundred.p99, hundred.most, hundred.n) == (50.5, 99.0, 100.0, 100)
    assert sample([3.0, 1.0]).p99 == 3.0


@pytest.mark.parametrize(
    ("target", "ours", "peer", "met"),
    [
        (Target(times=3), 15.0, 5.0, True),
        (Target(times=3), 15.1, 5.0, False),
        (Target(times=5, plus=1000), 1025.0, 5.0, True),
        (Target(times=5, plus=1000), 1026.0, 5.0, False),
        (Target(least=150), 150.0, 900.0, True),
        (Target(least=150), 149.0, None, False),
        (Target(most=4), 4.0, None, True),
        (Target(most=4), 5.0, None, False),
        (Target(times=3), 1.0, None, None),
    ],
)
def test_a_target_is_met_up_to_its_edge(target: Target, ours: float, peer: float | None, met: bool | None) -> None:
    """A target that counts in peers says nothing where there is no peer."""
    assert target.met(ours, peer) is met


def test_a_target_may_be_one_of_the_slowest() -> None:
    """Where the 99th percentile is what counts, a good median does not make up for it."""
    slow = Figure("hanging", "a click", "ms", sample([1.0, 1.0, 90.0]), sample([1.0]), Target(times=2, of="p99"))
    assert slow.met is False
    assert cells(slow)[6] == "p99 ≤ 2 × peer ✗"


def test_a_row_shows_both_sides_and_the_verdict() -> None:
    """Twenty milliseconds beside five are four times the peer, which is more than three."""
    row = cells(CLICK)
    assert row[1:7] == ("20 ms", "30", "5", "", "4.00", "≤ 3 × peer ✗")


def test_the_chart_marks_what_is_to_be_reached_in_peers() -> None:
    """A model's second stands in the mark too; a target for the slowest has no place among medians."""
    peer = sample([50.0])
    assert chart.mark(Figure("model", "", "ms", single(1.0), peer, Target(times=5, plus=1000))) == 25.0
    assert chart.mark(Figure("start", "", "s", single(1.0), peer, Target(most=100))) == 2.0
    assert chart.mark(Figure("hanging", "", "ms", single(1.0), peer, Target(times=2, of="p99"))) is None


def test_strace_is_read_by_name() -> None:
    """Rows with an errors column and rows without one are both counted."""
    summary = (
        "% time     seconds  usecs/call     calls    errors syscall\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        " 94.11    0.401000         133      3004       170 futex\n"
        "  5.89    0.025100        1792        14           fdatasync\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        "100.00    0.426100         141      3018       170 total\n"
    )
    assert counted(summary) == {"futex": 3004, "fdatasync": 14, "total": 3018}


def test_a_wait_is_unfair_where_another_is_served_twice() -> None:
    """Somebody who begins two acts and has both answered while another waits passes them over; one act, or two people's, does not."""
    crowd = Crowd.__new__(Crowd)
    crowd.spans = [(0.0, 9.0, 1), (1.0, 2.0, 2), (3.0, 4.0, 2), (0.5, 3.0, 3), (5.0, 6.0, 4), (7.0, 10.0, 2)]
    assert crowd.passed_over == 1


def test_walls_are_reckoned_from_what_was_measured() -> None:
    """With twice the CPU an act a replica holds half as many workspaces; without PostgreSQL's figures nothing is reckoned."""
    told = {
        "40 people at once: CPU of the bot an act: PostgreSQL, one replica": 20.0,
        "40 people at once: CPU of the database's server an act: PostgreSQL, one replica": 5.0,
        "40 people at once: CPU of the bot an act: PostgreSQL, two replicas": 99.0,
        "log of PostgreSQL an act": 20.0,
        "PostgreSQL grown by an act": 3.0,
        "connections of a replica to PostgreSQL": 7.0,
    }
    figures = [Figure(walls.NEEDS, what, "", single(value)) for what, value in told.items()]
    found = {wall.name: wall for wall in walls.walls(figures)}
    core = found["a replica's core"]
    assert core.workspaces == pytest.approx(1800) and core.needed == "6 replicas"
    assert found["PostgreSQL's connections as it is installed"].needed == "120 connections"
    doubled = [replace(f, ours=single(2 * f.ours.p50)) for f in figures]
    assert walls.walls(doubled)[0].workspaces == pytest.approx(core.workspaces / 2)
    assert [wall.workspaces for wall in walls.walls(figures)] == sorted(wall.workspaces for wall in found.values())
    assert list(walls.lines([])) == [] and any("| Socket Mode |" in line for line in walls.lines(figures))


def test_a_part_that_fails_leaves_what_the_others_measure() -> None:
    """What a part measured is kept, also where it fails after that, and the run says in the end that one did not come to its end."""

    async def breaks(_scale: Scale, _folder: Path) -> AsyncIterator[Figure | str]:
        yield CLICK
        raise OSError("the disk is full")

    async def goes_on(_scale: Scale, _folder: Path) -> AsyncIterator[Figure | str]:
        yield "left out: a thing"
        yield replace(CLICK, part="other")

    kept: list[Figure] = []
    assert whole({"click": breaks, "other": goes_on}, SHORT, kept.extend) == 1
    assert [figure.part for figure in kept] == ["click", "other"]
