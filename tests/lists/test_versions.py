"""Which version of a list is in force, and how results name it."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from state.lists.versions import SHIPPED, InForce, Version, newest_in_force

BEGAN = datetime(2026, 11, 20, 9, tzinfo=UTC)
moments = st.integers(0, 30).map(lambda hours: BEGAN + timedelta(hours=hours))


@given(st.lists(moments, max_size=6), moments)
def test_the_version_in_force_is_the_newest_that_is_effective(effective: list[datetime], at: datetime) -> None:
    """Of those that have begun the one that was uploaded last holds; before any has, what ships does."""
    versions = [Version(n, when) for n, when in enumerate(effective, 1)]
    found = newest_in_force(versions, at)
    begun = [one.number for one in versions if one.effective is not None and one.effective <= at]
    assert found.number == max(begun, default=0)


@given(st.lists(moments, max_size=6), moments, moments)
def test_a_later_upload_changes_nothing_that_was(effective: list[datetime], at: datetime, later: datetime) -> None:
    """A version that begins after a moment leaves what held at that moment as it was."""
    versions = [Version(n, when) for n, when in enumerate(effective, 1)]
    more = [*versions, Version(len(versions) + 1, max(later, at + timedelta(seconds=1)))]
    assert newest_in_force(more, at) == newest_in_force(versions, at)


def test_what_ships_has_no_day() -> None:
    """A result names the list, the version, and the day from which it holds; version 0 has none."""
    assert SHIPPED.number == 0
    assert InForce("Restricted list").named == "restricted list, version 0"
    assert InForce("Restricted list", 3, "20 Nov 2026").named == "restricted list, version 3 of 20 Nov 2026"
