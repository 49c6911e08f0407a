"""A short form of what `python -m tests.chaos hostile` plays."""

from tests.chaos.hostile.play import tally

TURNS = 400


def test_no_model_keeps_a_person_from_filing_what_they_said() -> None:
    """Whatever a model does, a person files what they said, no more, and in at most 1.5 times the acts; one of no use is as good as none."""
    assert not tally(TURNS).told
