"""A short form of the state machine that `make chaos` plays for long."""

from tests.chaos.machines import play


def test_an_office_breaks_nothing() -> None:
    """Two requesters and the reviewers do anything in any order beside any model, and no invariant breaks."""
    play(examples=2, steps=10)
