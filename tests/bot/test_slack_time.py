"""When a card came to be on screen, from Slack's answers alone: neither skew nor delay puts it at the wrong time."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.slack.client import Budget
from bot.slack.posts import NEVER, Poster
from bot.slack.replies import SlackTime
from state.engine.events import could_be_read
from state.stores.rows import OutboxRow, Posted
from tests.patience import PATIENCE
from tests.thoroughness import examples

DELAYS = st.floats(0, 10)
SKEWS = st.sampled_from([-5.0, -0.5, 0.0, 0.5, 5.0])
ACTS = st.lists(st.tuples(st.sampled_from(["post", "click", "paint"]), DELAYS, DELAYS, DELAYS), max_size=8)
MICRO = 1e-5
"""What is lost to rounding."""


@dataclass
class Line:
    """Slack at one end, the bot at the other. `now` is Slack's time; the bot's clock is `skew` ahead and runs on its own."""

    skew: float
    pace: float = 1.0
    now: float = 1_700_000_000.3
    time: SlackTime = field(init=False)

    def __post_init__(self) -> None:
        self.time = SlackTime(lambda: (self.now - 1_700_000_000) * self.pace + self.skew)

    def post(self, out: float, back: float, _in: float = 0.0) -> None:
        """A message of its own, whose time Slack says."""
        sent = self.time.clock()
        self.now += out
        ts = f"{self.now:.6f}"
        self.now += back
        self.time.posted(sent, ts)

    def click(self, _out: float, _back: float, on_its_way: float) -> None:
        """A click that the bot hears of some time later."""
        at = f"{self.now:.6f}"
        self.now += on_its_way
        self.time.heard(at)

    def paint(self, out: float, back: float, _in: float = 0.0, *, dated: bool = True) -> tuple[float, Posted]:
        """A card in another one's message: when it was painted, and what is known of that."""
        sent = self.time.clock()
        self.now += out
        painted, headers = self.now, {"Date": formatdate(self.now, usegmt=True)} if dated else {}
        self.now += back
        return painted, Posted("c", "D", "1600000000.000000", self.time.shown(sent, headers))


@example(-5.0, -3.4e-5, [("post", 0.0, 1.0, 0.0)], 0.0, 0.0)
@given(SKEWS, st.floats(-5e-5, 5e-5), ACTS, DELAYS, DELAYS)
@settings(max_examples=examples(200))
def test_a_card_is_painted_between_the_two_moments_that_are_kept(
    skew: float, drift: float, acts: list[tuple[str, float, float, float]], out: float, back: float
) -> None:
    """Whatever went before, and however long each way took, the true moment lies between them, and they name at most a second of Slack's."""
    line = Line(skew, 1 + drift)
    for act, *ways in acts:
        getattr(line, act)(*ways)
    painted, posted = line.paint(out, back)
    assert (
        float(posted.not_before) <= painted + MICRO and painted - MICRO <= float(posted.surely) <= painted + 1 + MICRO
    )


@given(SKEWS, ACTS, DELAYS, DELAYS, st.sampled_from([0.0, 0.05, 0.2, 0.45, 0.7, 0.95, 0.999]))
@settings(max_examples=examples(200))
def test_no_click_counts_before_a_second_has_passed(
    skew: float, acts: list[tuple[str, float, float, float]], out: float, back: float, after: float
) -> None:
    """The delay on any way, and the skew of any clock, make no unread card count; two seconds always do."""
    line = Line(skew)
    for act, *ways in acts:
        getattr(line, act)(*ways)
    painted, posted = line.paint(out, back)
    assert not could_be_read(f"{painted + after:.6f}", posted.surely)
    assert could_be_read(f"{painted + 2.001:.6f}", posted.surely)


@given(SKEWS, DELAYS, st.floats(0, 10))
@settings(max_examples=examples(50))
def test_where_a_post_was_answered_at_once_a_second_is_a_second(skew: float, on_its_way: float, back: float) -> None:
    """Slack tells the exact time of each post: from then on a repaint is known as exactly as the ways are short."""
    line = Line(skew)
    line.post(0.02, 0.02)
    line.click(0, 0, on_its_way)
    painted, posted = line.paint(0.02, 0.02)
    assert not could_be_read(f"{painted + 0.95:.6f}", posted.surely)
    assert could_be_read(f"{painted + 1.05:.6f}", posted.surely)
    late, kept = line.paint(0.02, back)
    assert could_be_read(f"{late + 2.001:.6f}", kept.surely)


@pytest.mark.parametrize("step", [3600.0, 2.5, 0.4, -3600.0])
def test_a_clock_that_was_set_is_noticed(step: float) -> None:
    """Where Slack's times contradict what was known, only what is said now counts."""
    line = Line(0.0)
    line.post(0.01, 0.01)
    line.now, line.skew = line.now + step, line.skew - step
    line.click(0, 0, 0.01)
    painted, posted = line.paint(0.01, 0.01)
    assert (
        float(posted.not_before) <= painted + MICRO and painted - MICRO <= float(posted.surely) <= painted + 1 + MICRO
    )


def test_without_a_date_the_click_tells() -> None:
    """An answer that names no second: the click's own time and how long the bot took are all there is; before any, nothing is kept."""
    line = Line(5.0)
    assert line.paint(0.1, 0.1, dated=False)[1].shown == ""
    line.click(0, 0, 0.05)
    painted, posted = line.paint(0.1, 0.1, dated=False)
    assert abs(float(posted.surely) - painted) <= 0.1 + MICRO


class Silent:
    """A Slack that may have done what it was asked, and breaks off."""

    async def chat_postMessage(self, **_: Any) -> None:  # noqa: N802  Slack's own name
        raise TimeoutError

    async def chat_update(self, **_: Any) -> None:
        raise TimeoutError


class Kept:
    """What the database holds of a card's place: whatever the last process wrote that posted it."""

    def __init__(self, posted: Posted | None = None) -> None:
        self.it = posted

    async def posted(self, _card: str) -> Posted | None:
        return self.it

    async def now(self) -> datetime:
        return datetime.now(UTC)


async def unanswered(kind: str, kept: Kept) -> Poster:
    """Return a poster that has sent card c1, and knows nothing of what Slack made of it."""
    client = Silent()

    async def client_for(_team: str) -> Any:
        return client

    poster = Poster(kept, client_for, Budget(0))  # type: ignore[arg-type]  # as much of a store as it asks
    body = {"team": "T1", "channel": "D1", "thread": "", "card": "c1", "text": "Well?", "blocks": [{}]}
    row = OutboxRow("k", "slack:D1", kind, "T1:U1", body, fresh=True)
    with pytest.raises(TimeoutError):
        await getattr(poster, kind)(row)
    return poster


async def test_what_another_process_posted_after_all_is_on_screen() -> None:
    """Slack did not answer this process, and another one has posted the card since: a click on it counts from then on, and does not wait."""
    kept = Kept()
    poster = await unanswered("post", kept)
    kept.it = Posted("c1", "D1", "1700000000.000100")
    async with asyncio.timeout(PATIENCE):
        assert await poster.placed("c1") == kept.it


async def test_an_older_paint_tells_nothing_of_one_without_an_answer() -> None:
    """A card that was painted again without an answer is not surely on screen until somebody has written when."""
    kept = Kept(Posted("c1", "D1", "1700000000.000100"))
    poster = await unanswered("repaint", kept)
    looked = asyncio.create_task(poster.placed("c1"))
    await asyncio.wait([looked], timeout=1)
    assert not looked.done()
    kept.it = Posted("c1", "D1", "1700000000.000100", "1700000005.000000")
    assert await looked == kept.it and kept.it.surely < NEVER
