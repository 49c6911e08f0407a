"""Natural answers to questions for texts, in every language: taken, put back, or rightly nothing."""

import pytest

from tests.corpus.value_fields import LOCALES, answers, become, ends_well

LEAST = 0.98
ENOUGH = 20
EVERY = pytest.mark.parametrize("code", LOCALES)


@EVERY
def test_nearly_every_answer_is_taken_or_put_back(code: str) -> None:
    """At least 98 of 100 natural answers are taken or put back with the right value, those written last among themselves as well."""
    told = [a for a in answers(code) if a.comes_to != "nothing"]
    for some in (told, [a for a in told if a.fresh]):
        lost = [(a.question, a.text, become(a)) for a in some if not ends_well(a)]
        assert len(lost) <= (1 - LEAST) * len(some), lost
    assert len(told) >= ENOUGH


@EVERY
def test_no_wrong_value_is_taken(code: str) -> None:
    """What is taken is what the person meant, and an estimate is never taken."""
    wrong = [
        (a.question, a.text, become(a))
        for a in answers(code)
        if become(a)[0] == "taken" and (a.comes_to != "taken" or become(a)[1] != a.value)
    ]
    assert not wrong


@EVERY
def test_what_is_no_answer_comes_to_nothing(code: str) -> None:
    """Questions, greetings, holds, refusals, thanks, remarks, ranges and sums of another kind come to nothing."""
    read = [(a.question, a.text, become(a)) for a in answers(code) if a.comes_to == "nothing" and not ends_well(a)]
    assert not read
