"""Natural answers to yes-or-no and choice questions in four languages: none is misread, and hardly one is refused."""

import pytest

from state.fields import kind_of
from tests.corpus.reading import LOCALES, Entry, context, ends_well, entries, questions, read

LEAST = 0.98
"""The share of answers that must be taken or put back with their value."""
MANY = 90
"""Entries of a language, at least."""
CODE = pytest.mark.parametrize("code", LOCALES)


def shown(entry: Entry) -> str:
    """An entry and what came of it, for a failing test."""
    return f"{entry.question} {entry.text!r}: wanted {entry.comes_to} {entry.value}, came to {read(entry)}"


@CODE
def test_no_answer_has_the_wrong_polarity(code: str) -> None:
    """No answer is taken or put back as another value than the one that was meant."""
    wrong = [shown(e) for e in entries(code) if e.comes_to != "nothing" and read(e)[1] not in (None, e.value)]
    assert wrong == []


@CODE
def test_hardly_an_answer_is_refused(code: str) -> None:
    """At least 98 of 100 answers are taken or put back; what is soft is put back, never taken."""
    answers = [e for e in entries(code) if e.comes_to != "nothing"]
    lost = [shown(e) for e in answers if not ends_well(e)]
    assert len(lost) <= (1 - LEAST) * len(answers), lost
    assert not any(read(e)[0] == "taken" for e in answers if e.comes_to == "put back"), lost


@CODE
def test_what_is_no_answer_comes_to_nothing(code: str) -> None:
    """Questions, holds, doubts, remarks, refusals and possible disclosures are neither taken nor put back."""
    assert [shown(e) for e in entries(code) if e.comes_to == "nothing" and not ends_well(e)] == []


@CODE
def test_the_corpus_is_large_enough(code: str) -> None:
    """Each language has many answers, each once to a question, and every question has some."""
    every = list(entries(code))
    assert len({(e.question, e.text) for e in every}) == len(every) >= MANY
    assert {e.question for e in every} == questions(code).keys()


@CODE
def test_an_open_reading_never_contradicts(code: str) -> None:
    """What the open words say of a field by name is never the contrary of what the whole message answers."""
    for entry in entries(code):
        field = questions(code)[entry.question]
        value = read(entry)[1]
        named = kind_of(field).find(field, entry.text, context(code)) if isinstance(value, bool) else ()
        assert all(r.data == value for r in named), entry.text
