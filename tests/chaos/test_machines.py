"""A short form of the state machine that `make chaos` plays for long."""

import pytest

from tests.chaos.machines import play


@pytest.mark.xfail(
    strict=False,
    reason="an old button that is pressed twice is sometimes followed by nothing on screen: not traced yet",
)
def test_an_office_breaks_nothing() -> None:
    """Two requesters and the reviewers do anything in any order beside any model, and no invariant breaks."""
    play(examples=2, steps=10)
