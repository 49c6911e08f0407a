"""The budget of Slack's rate tiers: pure arithmetic, with the time passed in."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sandbox.knobs import A_MINUTE as SLACKS
from bot.sandbox.knobs import BURST as SLACKS_BURST
from bot.sandbox.knobs import EACH as SLACKS_EACH
from bot.sandbox.knobs import Tiers
from bot.slack.client import A_MINUTE, BURST, EACH, MINUTE, POST, UPDATE, Bucket, Budget, Window, part
from bot.slack.errors import Later

TEAM = "T1"
GAPS = st.lists(st.floats(0, 20, allow_nan=False), min_size=1, max_size=60)
SOME = st.integers(1, 8)


class Hand:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def arrivals(gaps: Sequence[float]) -> list[float]:
    """Times with these gaps between them."""
    now, times = 1000.0, []
    for gap in gaps:
        now += gap
        times.append(now)
    return times


@given(GAPS, SOME)
def test_no_minute_holds_more_than_the_tier(gaps: list[float], most: int) -> None:
    """However they are asked for, at most so many calls fall into any such time, in the order of asking, none before it was asked for."""
    window, asked = Window(most, 60.0), arrivals(gaps)
    given_ = [window.reserve(now) for now in asked]
    assert given_ == sorted(given_)
    assert all(at >= now for at, now in zip(given_, asked, strict=True))
    assert all(later - first >= 60.0 - 1e-6 for first, later in zip(given_, given_[most:], strict=False))


@given(GAPS, SOME)
def test_nothing_waits_while_the_minute_has_room(gaps: list[float], most: int) -> None:
    """A call is put off only as long as the calls before it fill the minute."""
    window, asked = Window(most, 60.0), arrivals(gaps)
    given_ = [window.reserve(now) for now in asked]
    for n, (at, now) in enumerate(zip(given_, asked, strict=True)):
        assert at == now or at == pytest.approx(given_[n - most] + 60.0)


@given(GAPS, SOME, st.floats(0, 300, allow_nan=False))
def test_retry_after_is_kept(gaps: list[float], most: int, seconds: float) -> None:
    """After a refusal nothing is given before the time that Slack named, and then one call at a time."""
    window, asked = Window(most, 60.0), arrivals(gaps)
    for now in asked:
        window.reserve(now)
    until = asked[-1] + seconds
    window.hold(until)
    after = [window.reserve(asked[-1]) for _ in range(2 * most)]
    assert after[0] >= until
    assert all(b - a == pytest.approx(60.0 / most, abs=1e-3) for a, b in pairwise(after))


@given(GAPS, st.integers(1, 40))
def test_what_is_cosmetic_leaves_room_for_questions(gaps: list[float], most: int) -> None:
    """Calls that go only when there is room to spare never fill a minute beyond their part, and take nothing by asking."""
    window = Window(most, 60.0)
    for now in arrivals(gaps):
        before = list(window.given)
        at = window.spare(now)
        assert list(window.given) == before
        if at == now:
            window.reserve(now)
        assert len([t for t in window.given if t > now - 60.0]) <= part(most)


@given(GAPS, SOME)
def test_a_conversation_takes_a_few_posts_at_once_and_then_one_by_one(gaps: list[float], burst: int) -> None:
    """Over any stretch of time there are at most the burst and one for each interval of it."""
    bucket, asked = Bucket(burst, 2.0), arrivals(gaps)
    given_ = [bucket.reserve(now) for now in asked]
    assert given_ == sorted(given_)
    for n, first in enumerate(given_):
        for m, last in enumerate(given_[n:], 1):
            assert m <= burst + (last - first) / 2.0 + 1e-6


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.floats(0, 1, allow_nan=False)), min_size=1, max_size=150))
def test_slack_refuses_nothing_that_the_budget_gives(acts: list[tuple[str, float]]) -> None:
    """Posts sent when the budget says so, each a moment under way, are within what Slack takes in each conversation and in all."""
    hand = Hand()
    budget, slack = Budget(clock=hand), Tiers(hand)
    for n, (channel, jitter) in enumerate(acts):
        while True:
            try:
                budget.spend(TEAM, POST, f"row/{n}", channel)
            except Later as later:
                hand.now += later.seconds
            else:
                break
        hand.now += jitter * 0.05
        assert slack.wait(POST, {"channel": channel}, 1) == 0


def test_the_budget_is_below_the_tiers() -> None:
    """Each figure leaves a margin below Slack's own."""
    assert all(ours < SLACKS[method] for method, ours in A_MINUTE.items())
    assert MINUTE > 60
    assert BURST < SLACKS_BURST
    assert EACH > SLACKS_EACH


def test_what_is_promised_is_given_when_its_time_comes() -> None:
    """A question that had to wait goes at its time, before those that came after it."""
    hand = Hand()
    budget = Budget(clock=hand)
    for n in range(A_MINUTE[UPDATE]):
        budget.spend(TEAM, UPDATE, f"row/{n}")
    with pytest.raises(Later) as first:
        budget.spend(TEAM, UPDATE, "first")
    assert first.value.seconds == MINUTE
    hand.now += first.value.seconds
    with pytest.raises(Later):
        for n in range(A_MINUTE[UPDATE]):
            budget.spend(TEAM, UPDATE, f"other/{n}")
    budget.spend(TEAM, UPDATE, "first")


def test_paint_queues_up_behind_questions() -> None:
    """What is cosmetic goes in its order, one by one as the minute frees; a question in between is given its call at once."""
    hand = Hand()
    budget = Budget(clock=hand)
    for n in range(part(A_MINUTE[UPDATE])):
        budget.spend_spare(TEAM, UPDATE, f"paint/{n}")
        hand.now += 0.5
    waits = []
    for key in ("first", "second"):
        with pytest.raises(Later) as later:
            budget.spend_spare(TEAM, UPDATE, key)
        waits.append(later.value.seconds)
    assert waits[1] - waits[0] == pytest.approx(0.5)
    budget.spend(TEAM, UPDATE, "question")
    hand.now += MINUTE
    for key in ("first", "second"):
        budget.spend_spare(TEAM, UPDATE, key)


def test_a_refusal_holds_its_method_in_its_workspace_and_nothing_else() -> None:
    """What Slack refused in one workspace goes on in another, and other methods go on in the same."""
    hand = Hand()
    budget = Budget(clock=hand)
    assert budget.refused(TEAM, UPDATE, 30.0).seconds == 30.0
    with pytest.raises(Later):
        budget.spend(TEAM, UPDATE, "row")
    with pytest.raises(Later):
        budget.spend_spare(TEAM, UPDATE)
    budget.spend("T2", UPDATE, "row")
    budget.spend(TEAM, POST, "row", "C1")


def test_a_local_slack_may_be_faster_or_without_limits() -> None:
    """With minutes thirty times as fast, waits are a thirtieth; without a pace only what Slack itself refuses waits."""
    hand = Hand()
    fast, free = Budget(30, hand), Budget(0, hand)
    for n in range(A_MINUTE[UPDATE]):
        fast.spend(TEAM, UPDATE, f"row/{n}")
    with pytest.raises(Later) as later:
        fast.spend(TEAM, UPDATE, "row")
    assert later.value.seconds == pytest.approx(MINUTE / 30)
    for n in range(1000):
        free.spend(TEAM, UPDATE, f"row/{n}")
    free.refused(TEAM, UPDATE, 3.0)
    with pytest.raises(Later):
        free.spend(TEAM, UPDATE, "row")
    hand.now += 3.1
    free.spend(TEAM, UPDATE, "row")
