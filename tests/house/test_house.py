"""The house grows by decision alone."""

from tests.house.limits import LIMITS
from tests.house.source import counts


def test_no_count_is_worse_than_what_was_reached() -> None:
    """Whoever raises a count raises its limit as well (`limits.toml`), and says why."""
    worse = {name: n for name, n in counts().items() if name in LIMITS and not LIMITS[name].holds(n)}
    assert not worse, f"{worse}, and {({name: LIMITS[name].now for name in worse})} was reached"
