"""Many people file at once while Slack's rate limits hold: everybody is answered soon, and every card ends up right."""

from pathlib import Path

from tests.bench.limits import SOON, play


async def test_a_crowd_is_answered_within_slacks_limits(tmp_path: Path) -> None:
    """Ten people file at the rate of a hundred in ten minutes; all are answered, and each message shows what was written last for it.

    They act twenty times as fast as people, with Slack's tiers as much faster; three seconds are this machine's, however busy it is.
    """
    played = await play(tmp_path, people=10, pace=20)
    assert played.wrong == []
    assert (played.dead, played.given_up, played.alive) == (0, 0, 0)
    assert len(played.waits) >= 60
    assert sorted(played.waits)[int(0.95 * len(played.waits))] / 20 < SOON
