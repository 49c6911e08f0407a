"""Natural answers to questions for a yes or no, a choice, a name or a place: code takes what is plain, and nothing else by itself."""

import pytest

from tests.corpus.reading import LOCALES, entries, read

CODE = pytest.mark.parametrize("code", LOCALES)
LEAST = 0.2
"""The share of plain answers that code takes by itself; the others are for a click, or for a model."""


@CODE
def test_no_answer_is_taken_for_another_one(code: str) -> None:
    """Nothing is taken as another value than the one that was meant; soft answers, questions, doubts, holds and idle words set nothing."""
    wrong = [(e.question, e.text, e.value, read(e)) for e in entries(code) if read(e) not in (None, e.value)]
    assert wrong == []


@CODE
def test_plain_answers_need_no_click(code: str) -> None:
    """People who say yes, no, a choice or a name and nothing else are understood without a model."""
    plain = [e for e in entries(code) if e.plain]
    assert sum(read(e) is not None for e in plain) >= LEAST * len(plain)
