"""A short form of what `python -m tests.chaos hostile` plays."""

from tests.chaos.hostile.ledger import write_down
from tests.chaos.hostile.people import everybody
from tests.chaos.hostile.play import play, tally
from tests.chaos.hostile.whole import through_the_door

TURNS = 400


def test_no_model_keeps_a_person_from_filing_what_they_said() -> None:
    """Whatever a model does, a person files what they said, no more, and in at most 1.5 times the acts; one of no use is as good as none."""
    assert not tally(TURNS).told


def test_beside_a_good_model_no_question_is_put_again() -> None:
    """Whatever words of theirs people answer with, each question that is answered is done with; without a model as well."""
    plays = [
        (one.name, kind, play(one, kind, seed))
        for one in everybody()
        for kind in ("good", "absent")
        for seed in (5, 10)
    ]
    assert [(name, kind) for name, kind, played in plays if played.repeats] == []


async def test_the_whole_bot_files_what_was_said() -> None:
    """Beside a model that does another wrong thing with each call, one right record stands at the end, and nothing untrue was shown."""
    turns, wrong = await through_the_door(everybody()[0], "any 1", seed=3)
    assert turns > 5 and not wrong


async def test_expenses_are_what_was_said_beside_a_hostile_model() -> None:
    """Whatever a model does, every expense that stands was said and confirmed, once, and writing it down takes a line and a click."""
    turns, wrong = await write_down("any", seed=21)
    assert turns > 5 and not wrong
