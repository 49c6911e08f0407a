"""Many people file at once while Slack's rate limits hold: everybody is answered soon, and every card ends up right."""

from pathlib import Path

from tests.bench.limits import SOON, play


async def test_a_crowd_is_answered_within_slacks_limits(tmp_path: Path) -> None:
    """Ten people who file at the rate of a hundred in ten minutes, at ten times the pace of people with Slack's tiers ten times as fast:
    each act is answered within three seconds, nothing is refused for good, and each message shows what was written last for it."""
    played = await play(tmp_path, people=10, pace=10)
    assert played.wrong == []
    assert played.dead == 0
    assert len(played.waits) >= 60
    assert max(played.waits) / 10 < SOON
