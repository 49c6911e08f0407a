"""A model's own words in a conversation of operations: which questions and answers may be shown, by their shape alone, in four languages."""

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from state.advance import begin
from state.draft.draft import ChatLine
from state.draft.reply import Reply
from state.fields.base import Context
from state.form import Form
from state.guards.free_words import LONGEST, flattened
from state.guards.operations import judge_reply
from tests.shipped import shipped

TODAY = "2026-11-20"
SAID = tomllib.loads((Path(__file__).parent / "free_words.toml").read_text("utf-8"))
LONG = (["coffee", "x" * (LONGEST + 1)], ["coffee", "How much was " + "very " * 70 + "good coffee?"])


@cache
def form() -> Form:
    """The shipped expenses."""
    return shipped("expenses").form


def flaw(said: str, text: str, *, asks: bool) -> str:
    """What keeps a reply from a person who has said this."""
    draft = begin(form(), "d1", "T1", "U1", "T1:D1:", f"{TODAY}T09:00:00+00:00")
    heard = replace(draft, window=(ChatLine("user", said),))
    return judge_reply(form(), heard, Reply(text, asks=asks), Context("en-GB", TODAY)).flaw


@pytest.mark.parametrize(("said", "text"), SAID["questions"])
def test_a_question_about_what_is_not_said_is_shown(said: str, text: str) -> None:
    """One sentence that ends in its one question mark, and names no figure but the person's, reaches the person."""
    assert flaw(said, text, asks=True) == flaw(said, text, asks=False) == ""


@pytest.mark.parametrize(("said", "text"), SAID["answers"])
def test_an_answer_that_tells_nothing_of_its_own_is_shown(said: str, text: str) -> None:
    """An answer without a figure, day, link or name but the person's reaches the person."""
    assert flaw(said, text, asks=False) == ""


@pytest.mark.parametrize(("said", "text"), [*SAID["no_questions"], *LONG])
def test_what_is_no_question_is_not_shown_as_one(said: str, text: str) -> None:
    """Several questions, other figures, links, markup, claims before the question, and what is no question at all are dropped."""
    assert flaw(said, text, asks=True)


@pytest.mark.parametrize(("said", "text"), [*SAID["no_answers"], *LONG])
def test_an_answer_that_tells_what_nobody_said_is_not_shown(said: str, text: str) -> None:
    """Figures, days, links and names that the person did not say, words about what they only named, and what is too long are dropped."""
    assert flaw(said, text, asks=False)


def test_words_are_shown_in_one_line() -> None:
    """A line that looks like one of the code's own cannot be written below a model's words."""
    assert flattened(Reply("Good morning!\n\nFine, thanks.")) == "Good morning! Fine, thanks."
