"""Corrections of answers that stand, and disclosures of worse ones."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.draft import Status
from state.understanding.corrections import wanted_anew
from tests.reading.forms import DECLARED, ENGLISH, FILLED, STAY, TRADE, draft, proposed

ASKED = draft("has_inside_info", **FILLED)


def corrected(field: str, value: Any) -> tuple[str, dict[str, Any]]:
    """A proposed correction."""
    return "correct", {"field": field, "value": value}


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [("actually make it 250", "quantity", 250), ("change the quantity to 300", "quantity", 300), ("no, sell", "direction", "sell"),
     ("it should be EUR", "currency", "EUR"), ("actually it's £900", "value", "900.00"),
     ("and it is leveraged after all", "is_leveraged", True), ("I made a mistake, it is a derivative", "is_derivative", True),
     ("250 shares please", "quantity", 250), ("no, 3", "quantity", 3), ("I think it should be EUR", "currency", "EUR"),
     ("change the security to Barclays", "security", "Barclays"),
     ("make it 300 instead of 200", "quantity", 300),
     ("change it from 200 to 300", "quantity", 300)],
)  # fmt: skip
def test_corrections(text: str, field: str, value: object) -> None:
    """Words that put an answer right propose the new value for the one field that it fits."""
    assert proposed(text, ASKED) == [corrected(field, value)]


def test_one_message_may_correct_two_answers() -> None:
    """Two new values for two answers are two corrections."""
    assert proposed("make it 250 for €900", ASKED) == [
        corrected("quantity", 250),
        corrected("value", "900.00"),
        corrected("currency", "EUR"),
    ]


@pytest.mark.parametrize(
    "text",
    ["I want to sell", "actually 250 or 300", "what if I make it 250?", "should I change it to 250?", "actually it's 200", "actually forget that",
     "sorry Dana told me it is all fine now", "actually I'm not sure about Barclays", "it's not leveraged", "no, the account should be wrong"],
)  # fmt: skip
def test_what_corrects_nothing(text: str) -> None:
    """A statement without a word of correction, two values, a question, a doubt or the value that stands corrects nothing."""
    assert [c for c in proposed(text, ASKED) if c[0] == "correct"] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("change the quantity", ["quantity"]), ("I'd like to edit the security please", ["security"]), ("wrong direction", ["direction"]),
        ("the security isn't right", ["security"]), ("can I change the quantity?", ["quantity"]), ("I picked the wrong security", ["security"]),
        ("change the direction and the quantity", ["direction", "quantity"]), ("no, the quantity is wrong", ["quantity"]),
        ("change the quantity to 300", []), ("the quantity is right", []), ("is the quantity right?", []), ("no, the quantity is right", []),
        ("what does the quantity mean", []), ("wrong", []), ("change something", []),
        ("no, it's not leveraged, right", []),
    ],
)  # fmt: skip
def test_answers_that_are_only_named_as_wrong_are_asked_anew(text: str, named: list[str]) -> None:
    """Who says which answer is to be changed, and not to what, is asked that question; nothing else opens one."""
    assert [f.name for f in wanted_anew(TRADE, ASKED, text, ENGLISH)] == named


def test_what_may_be_the_text_that_was_asked_for_has_to_be_an_order() -> None:
    """To a question for words "the wrong security" may be the answer; "change the security" is none."""
    asked = replace(ASKED, asked="justification")
    assert wanted_anew(TRADE, asked, "the wrong security", ENGLISH) == ()
    assert [f.name for f in wanted_anew(TRADE, asked, "change the security", ENGLISH)] == ["security"]


def test_a_value_that_fits_two_answers_is_proposed_for_the_first() -> None:
    """A number that two answers could take is proposed for the first of them, unless another is named."""
    booked = draft("price", nights=2, guests=2)
    assert proposed("actually make it 3", booked, STAY) == [corrected("nights", 3)]
    assert proposed("change the nights to 3", booked, STAY) == [corrected("nights", 3)]


def test_a_correction_is_no_answer_to_an_open_field() -> None:
    """A bare number in a correction is proposed for the answered field that it fits, and for no open one."""
    assert proposed("no, 3", draft("check_in", nights=2), STAY) == [corrected("nights", 3)]
    assert proposed("no, 250", draft("has_inside_info", quantity=200), TRADE) == [corrected("quantity", 250)]
    assert proposed("no, 900", draft("has_inside_info", value="720.00"), TRADE) == [corrected("value", "900.00")]


def test_an_answer_that_stands_is_not_corrected_by_itself() -> None:
    """A correction that only repeats what stands changes nothing."""
    assert proposed("no, 200 shares", ASKED) == []


@pytest.mark.parametrize(
    "text",
    [
        "hm, I did hear something from their CFO",
        "actually, I do have inside information",
        "yes and I also got a tip",
        "I think I got a tip",
    ],
)
def test_a_worse_answer_is_disclosed(text: str) -> None:
    """The worse answer after a better one is a disclosure, whatever is asked now and however doubtful."""
    assert proposed(text, draft("holding_ack", **DECLARED)) == [("disclose", {"field": "has_inside_info"})]


def test_a_disclosure_silences_the_rest_of_the_message() -> None:
    """A message that discloses sets and corrects nothing beside it."""
    assert proposed("make it 250, I got a tip", draft("justification", **DECLARED)) == [
        ("disclose", {"field": "has_inside_info"})
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I didn't hear something from them",
        "what if I got a tip?",
        "No inside information",
        "I have no inside information",
    ],
)
def test_what_discloses_nothing(text: str) -> None:
    """A denial or a supposition discloses nothing."""
    assert proposed(text, draft("holding_ack", **DECLARED)) == []


def test_a_first_worse_answer_is_an_answer() -> None:
    """Told before the question was answered, or as it was answered, the worse answer is no disclosure."""
    assert proposed("I do have inside information", draft("is_derivative")) == [
        ("set_has_inside_info", {"has_inside_info": True})
    ]
    told = draft("holding_ack", **{**DECLARED, "has_inside_info": True})
    assert proposed("I do have inside information", told) == []


def test_after_submission_only_disclosures_count() -> None:
    """A closed draft takes a disclosure and nothing else."""
    closed = replace(draft("", **DECLARED), status=Status.SUBMITTED)
    assert proposed("I got a tip, and make it 250", closed) == [("disclose", {"field": "has_inside_info"})]
    assert proposed("actually make it 250", closed) == []


def test_a_yes_or_no_that_was_wrong_is_corrected_by_its_name() -> None:
    """Words that name an answered question propose the other answer, for a click on the card that shows both."""
    wrong = draft("has_inside_info", is_leveraged=True)
    assert proposed("sorry no, it is not leveraged", wrong, TRADE) == [corrected("is_leveraged", False)]
