"""Slips that are put right within a message, and other words of hasty people that must not be read as they stand."""

import pytest

from state.fields.base import Context
from state.form import Field
from state.language.small_talk import NoAnswer
from state.understanding.small_talk import no_answer
from tests.reading.forms import ENGLISH, FILLED, ITALIAN, SPANISH, TODAY, TRADE, draft, proposed, values

GERMAN = Context("de-DE", TODAY)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("buy 200 no wait 300 shares", {"direction": "buy", "quantity": 300}),
        ("buy, no, sell 200 shares", {"direction": "sell", "quantity": 200}),
        ("I want to buy 200 sorry sell 200 shares", {"direction": "sell", "quantity": 200}),
        ("sell 200 shares, actually make that 300", {"direction": "sell", "quantity": 300}),
        ("its worth 70 pounds, no sorry 75 pounds", {"value": "75.00", "currency": "GBP"}),
        ("GBP 70. Scratch that, GBP 75", {"value": "75.00", "currency": "GBP"}),
    ],
)
def test_what_is_put_right_within_a_message_gives_way(text: str, given: dict[str, object]) -> None:
    """Of two values of one field of which words of correction announce the second, only that one was meant."""
    assert values(text, draft("value")) == given


@pytest.mark.parametrize(
    ("text", "quantity"),
    [("make it 300 instead of 200 shares", 300), ("300 shares, not 200", 300), ("not 200 but 300 shares", 300)],
)
def test_words_that_only_look_like_a_repair_keep_the_value(text: str, quantity: int) -> None:
    """A value that is put aside after the one that counts takes nothing away from it."""
    assert values(text, draft("quantity"))["quantity"] == quantity


def test_either_of_two_is_no_repair() -> None:
    """Who wavers between two values has put nothing right."""
    assert "quantity" not in values("buy 200 or rather 300")


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("same as last time", ENGLISH), ("same account as last time", ENGLISH), ("the usual", ENGLISH), ("my usual account", ENGLISH),
        ("come l'ultima volta", ITALIAN), ("il solito", ITALIAN), ("lo de siempre", SPANISH), ("como la última vez", SPANISH),
        ("wie immer", GERMAN), ("wie beim letzten Mal", GERMAN),
    ],
)  # fmt: skip
def test_another_time_is_no_answer(text: str, context: Context) -> None:
    """Words that point at another time are no answer in any language, and no text either."""
    assert no_answer(text, context) is NoAnswer.REFERENCE
    assert values(text, draft("account")) == {}


def test_an_answer_beside_another_time_stands() -> None:
    """Whoever names the thing as well has answered."""
    assert values("ISA as usual", draft("account")) == {"account": "ISA as usual"}


KIN = Field(
    name="kin", kind="yes_no", label="Connected person", ask="Is it for somebody connected to you?", worse=True,
    words=("connected person",), disclosure=("for my wife",),
)  # fmt: skip


def test_words_that_disclose_are_no_name_to_look_up() -> None:
    """Where a thing was asked, words that tell of another field are not searched for."""
    form = TRADE.model_copy(update={"fields": {**TRADE.fields, "kin": KIN}})
    assert values("it's for my wife actually", draft("security"), form) == {"kin": True}


@pytest.mark.parametrize(
    "text", ["got a tip from someone who works there", "err, got a tip tho, from the guy who knows"]
)
def test_a_relative_clause_makes_no_question_of_a_disclosure(text: str) -> None:
    """A disclosure is heard whatever the rest of its clause tells about whoever said it."""
    assert proposed(text, draft("direction")) == [("set_has_inside_info", {"has_inside_info": True})]


def test_a_question_about_what_discloses_is_none() -> None:
    """Who asks what would happen has disclosed nothing."""
    assert proposed("what if I got a tip", draft("direction")) == []


@pytest.mark.parametrize(
    "text",
    ["hang on, I meant Tesla not Tesco", "I meant Tesla", "wait, wrong one. Tesla please", "sorry, Tesla instead"],
)
def test_another_thing_is_heard_in_a_hurry(text: str) -> None:
    """Another thing to look up is told among holds and apologies, the one that stands put aside by name."""
    standing = draft("has_inside_info", **FILLED)
    tesco = standing.values["security"]
    named = {**standing.values, "security": type(tesco)(tesco.data, tesco.provenance, label="Tesco PLC (GB00BLGZ9862)")}
    asked = type(standing)(**{**vars(standing), "values": named})
    assert proposed(text, asked) == [("correct", {"field": "security", "value": "Tesla"})]


def test_a_changed_number_without_a_word_of_correction_is_proposed() -> None:
    """A named value that stands among small words alone is heard for an answered field; the engine has it clicked."""
    assert proposed("oh and it's 250 shares", draft("has_inside_info", **FILLED)) == [
        ("correct", {"field": "quantity", "value": 250})
    ]


def test_a_sum_in_doubt_is_proposed_beside_its_currency() -> None:
    """That the currency of two sums is clear does not lose the sums."""
    assert values("about GBP 500, exactly GBP 505", draft("value")) == {"value": "500.00", "currency": "GBP"}
