"""The house grows by decision alone."""

import pytest

from tests.house.limits import LIMITS
from tests.house.source import counts

COUNTS = counts()


@pytest.mark.parametrize("name", sorted(COUNTS.keys() & LIMITS.keys()))
def test_a_count_is_no_worse_than_what_was_reached(name: str) -> None:
    """Whoever raises a count raises its limit as well (`limits.toml`), and says why."""
    assert LIMITS[name].holds(COUNTS[name]), f"{name} is {COUNTS[name]}, and {LIMITS[name].now} was reached"
