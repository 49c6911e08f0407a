"""Natural answers to questions for a yes or no, a choice, a name or a place: code takes what is plain, and nothing else by itself."""

import pytest

from tests.corpus.reading import LOCALES, Entry, entries, read

CODE = pytest.mark.parametrize("code", LOCALES)
LEAST = 0.2
"""The share of answers that code takes by itself; the others are for a click, or for a model."""


def shown(entry: Entry) -> str:
    """An entry and what came of it, for a failing test."""
    return f"{entry.question} {entry.text!r}: wanted {entry.comes_to} {entry.value}, came to {read(entry)}"


@CODE
def test_no_answer_is_taken_for_another_one(code: str) -> None:
    """No answer is taken as another value than the one that was meant."""
    wrong = [shown(e) for e in entries(code) if e.comes_to == "taken" and read(e) not in (None, e.value)]
    assert wrong == []


@CODE
def test_what_is_soft_or_no_answer_is_never_taken(code: str) -> None:
    """Soft answers, questions, holds, doubts, refusals and possible disclosures set nothing."""
    assert [shown(e) for e in entries(code) if e.comes_to != "taken" and read(e) is not None] == []


@CODE
def test_plain_answers_need_no_click(code: str) -> None:
    """People who say yes, no or a choice and nothing else are understood without a model."""
    plain = [e for e in entries(code) if e.comes_to == "taken"]
    assert sum(read(e) is not None for e in plain) >= LEAST * len(plain)
