"""How a reason for a trade is graded."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.rules import Grade
from tests.thoroughness import ANY
from tests.workflows.dealing_cases import DEALING

GRADES = {
    Grade.EMPTY: ["", "   ", "…", "👍 👍", "?!", "\u200f"],
    Grade.BRIEF: [
        "good investment",
        "It is a really good investment for me",
        "diversify my pension",
        "Just because",
        "I want to buy this stock now",
        "I like the company a lot really",
        "for personal investment purposes only, thanks",
        "asdf asdf asdf asdf asdf",
        "a a a a a a",
        "to make money with this trade please",
    ],
    Grade.GOOD: [
        "I am spreading my pension over more sectors",
        "Saving for a house deposit",
        "because dividends have grown steadily",
        "Long-term growth for my retirement savings",
        "A good investment because its dividend has grown for years",
        "J’ai besoin d’un rendement régulier",
        "I need the money for a new boiler",
    ],
    Grade.OFF_TOPIC: [
        "No inside information",
        "I have no inside information about this company at all",
        "INSIDE INFO: none whatsoever, I promise you",
        "I am not an insider",
        "It is not for a related-party",
        "no  related \n parties are involved in this trade",
        "not for a connected person",
        "There is no conflict of interest with any client",
        "No, it's not leveraged at all thanks",
        "It is not a derivative of any sort",
    ],
}


@pytest.mark.parametrize(("grade", "text"), [(grade, text) for grade, texts in GRADES.items() for text in texts])
def test_a_reason_is_graded(grade: Grade, text: str) -> None:
    """A reason is empty, brief (under five words, or boilerplate), good, or an answer to a declaration."""
    assert DEALING.rules.graders["justification"](text) is grade


def test_a_reason_for_a_derivative_may_speak_of_derivatives() -> None:
    """A derivative's own reason may name what the trade's reason may not, but declarations stay out of it too."""
    grade = DEALING.rules.graders["derivative_reason"]
    assert grade("It is leveraged, a derivative that limits my losses") is Grade.GOOD
    assert grade("No inside information about this derivative at all") is Grade.OFF_TOPIC


SAID = ["saving", "for", "my", "house", "growth", "of", "dividends", "-", "’", "_", "5"]


@given(st.text(ANY) | st.lists(st.sampled_from(SAID)).map(" ".join))
def test_any_text_has_a_grade(text: str) -> None:
    """Whatever is written is graded, and never GOOD under five words."""
    grade = DEALING.rules.graders["justification"](text)
    assert grade is not Grade.GOOD or len(re.findall(r"[^\W_]+", text)) >= 5


@given(
    st.sampled_from(GRADES[Grade.GOOD]), st.sampled_from(["inside information", "related party", "connected person"])
)
def test_compliance_words_outweigh_a_reason(reason: str, words: str) -> None:
    """A good reason that also answers a declaration is off topic, wherever the words stand."""
    grade = DEALING.rules.graders["justification"]
    assert grade(f"{words}: none. {reason}") is grade(f"{reason}, no {words}") is Grade.OFF_TOPIC
