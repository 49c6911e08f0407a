"""The second half of a double click, by Slack's clock."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.listeners.intake import DoubleClicks

AT = "1795860000.100000"


async def acts(*clicks: tuple[str, str], fails: Sequence[int] = ()) -> list[int]:
    """Which of these clicks (a button, when) that come at once were acts; those that fail raise."""
    counted, came = DoubleClicks(), []

    async def act(n: int) -> None:
        await asyncio.sleep(0)
        came.append(n)
        if n in fails:
            raise OSError("the database is away")

    halves = [counted.once(hash(button), at, lambda n=n: act(n)) for n, (button, at) in enumerate(clicks)]  # type: ignore[misc]
    outcomes = await asyncio.gather(*halves, return_exceptions=True)
    assert [n for n, outcome in enumerate(outcomes) if outcome is not None] == list(fails)
    return came


@pytest.mark.parametrize(
    ("second", "counts"),
    [(("No", "1795860000.300000"), [0]), (("No", "1795860000.600000"), [0]), (("No", "1795860000.600001"), [0, 1]),
     (("Yes", "1795860000.300000"), [0, 1]), (("No", AT), [0, 1])],
)  # fmt: skip
async def test_the_same_button_within_half_a_second_is_one_act(second: tuple[str, str], counts: list[int]) -> None:
    """Another button counts, a later click counts, and a redelivery, which has the first one's moment, is known by its key."""
    assert await acts(("No", AT), second) == counts


async def test_a_second_half_counts_where_the_first_failed() -> None:
    """What could not be stored is not taken for done: the second half is the act."""
    assert await acts(("No", AT), ("No", "1795860000.300000"), fails=[0]) == [0, 1]
