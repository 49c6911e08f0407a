"""Answers that lean to a yes or no, or to a choice, and come back to the person for one click; and those that may be taken."""

import pytest

from state.draft.draft import Data
from state.fields import kind_of
from state.fields.base import Context
from state.form import Choice, Field
from tests.kinds.fields import DIRECTION, ENGLISH, GEAR, HOLDING, INSIDE, ITALIAN, LEVERAGED, SPANISH, found, whole

GERMAN = Context("de-DE", "2026-11-20")
CONSENT = Field(name="consent", kind="yes_no", label="Consenso", ask="Acconsente al trattamento?", words=("consenso",))
RELATED = Field(
    name="related", kind="yes_no", label="Connected person", ask="Is this trade for somebody connected to you?", worse=True,
    words=("connected person",),
)  # fmt: skip
PLAN = Field(
    name="plan", kind="choice", label="Plan", ask="Which plan?",
    choices=(Choice(value="basic", label="Basic"), Choice(value="premium", label="Premium")),
)  # fmt: skip


def leans(field: Field, text: str, context: Context = ENGLISH) -> Data | None:
    """The answer that a message leans to."""
    return kind_of(field).leans(field, text, context)


@pytest.mark.parametrize(
    ("text", "answer"),
    [("no its just a normal share", False), ("none whatsoever", False), ("I don't use leverage", False),
     ("nope nothing like that", False), ("no, it's for myself", False), ("yes because I bought on margin", True),
     ("noo", False), ("yess", True), ("yep pls", True), ("👍", True), ("👎", False), ("it isn't", False)],
)  # fmt: skip
def test_a_natural_answer_is_plain(text: str, answer: bool) -> None:
    """A reason behind an answer, a slip, an emoji or a turn of phrase leaves it plain."""
    assert whole(LEVERAGED, text) is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [("not that I know of", False), ("I don't think so", False), ("I wouldn't call it leveraged", False), ("probably not", False),
     ("as far as I know, no", False), ("I believe so", True), ("more or less, yes", True), ("no but I may add some", None),
     ("yes, but only a little", True), ("no. why?", False)],
)  # fmt: skip
def test_a_soft_answer_leans(text: str, answer: bool | None) -> None:
    """What is said softly, or with more beside it, is never taken and leans to what it says."""
    assert whole(LEVERAGED, text) is None
    assert leans(LEVERAGED, text) is answer


@pytest.mark.parametrize(
    "text",
    ["no idea", "no problem", "maybe", "I don't know", "I don't not use it", "no comment", "hold on", "hi", "no?"],
)
def test_what_says_neither_leans_to_nothing(text: str) -> None:
    """A doubt, an idiom, a denied denial, a refusal, a hold or a question leans to nothing."""
    assert whole(LEVERAGED, text) is leans(LEVERAGED, text) is None


@pytest.mark.parametrize(
    "text",
    ["no, but my sister works there", "no, apart from what my brother told me", "no, my neighbour told me", "no because my boss said so",
     "no, I work there", "ok", "should be fine", "no. does my sister's job count?"],
)  # fmt: skip
def test_what_may_disclose_is_no_denial(text: str) -> None:
    """Beside a no to a question with a worse answer, no other statement is passed over: it is neither taken nor put back."""
    assert whole(INSIDE, text) is leans(INSIDE, text) is None


def test_what_cannot_change_a_declaration_leaves_it_plain() -> None:
    """A no whose reason names nobody else is one; one that names somebody is none, and a yes is put back whatever stands beside it."""
    assert whole(RELATED, "no, it's for myself") is False
    assert whole(RELATED, "no, it's for my wife") is leans(RELATED, "no, it's for my wife") is None
    assert leans(INSIDE, "not to my knowledge") is False
    assert leans(INSIDE, "yes, my sister works there") is True


@pytest.mark.parametrize(
    ("text", "context", "answer"),
    [
        ("va bene, acconsento", ITALIAN, True),
        ("certo che no", ITALIAN, False),
        ("ci sto", ITALIAN, True),
        ("non la voglio", ITALIAN, False),
    ],
)
def test_agreeing_answers_a_proposal(text: str, context: Context, answer: bool) -> None:
    """Where a question proposes something, agreeing to it is a yes."""
    assert whole(CONSENT, text, context) is answer
    assert leans(CONSENT, "preferirei di no", context) is False


@pytest.mark.parametrize(
    ("text", "context", "answer"),
    [("para nada", SPANISH, False), ("qué va", SPANISH, False), ("auf keinen Fall", GERMAN, False), ("certo che no", ITALIAN, False),
     ("sí, por desgracia", SPANISH, True), ("ja, leider", GERMAN, True), ("lo è", ITALIAN, True)],
)  # fmt: skip
def test_turns_of_phrase_in_other_languages(text: str, context: Context, answer: bool) -> None:
    """Each language's own ways to say yes and no are plain."""
    assert whole(LEVERAGED, text, context) is answer


@pytest.mark.parametrize(
    ("text", "value"),
    [("probably sell", "sell"), ("I think the first one", "buy"), ("sel", "sell"), ("no, sell", "sell"), ("I'd say buy but let me check", "buy"),
     ("buy or sell", None), ("not sure whether to sell", None), ("sell?", None), ("if it rises, sell", None), ("neither", None)],
)  # fmt: skip
def test_a_choice_that_is_leant_to(text: str, value: str | None) -> None:
    """One choice in a softer or longer message is leant to; two of them, a condition, a doubt or a question is not."""
    assert whole(DIRECTION, text) is None
    assert leans(DIRECTION, text) == value


def test_a_choice_put_aside_leaves_the_other() -> None:
    """A choice that is denied before or behind its name is none, and what denies it adds nothing to the other."""
    assert (
        whole(DIRECTION, "not buy, sell")
        == whole(DIRECTION, "buy no, sell")
        == whole(DIRECTION, "sell, don't buy")
        == "sell"
    )
    assert whole(PLAN, "premium no") is leans(PLAN, "premium no") is None
    assert found(DIRECTION, "buying no, selling yes") == ["sell"]


def test_several_choices_and_an_acknowledgement_lean_too() -> None:
    """Softly named choices come back together; a soft understanding comes back as one."""
    assert leans(GEAR, "probably the tent and the skis") == ("tent", "skis")
    assert leans(HOLDING, "I guess so") is True
    assert leans(HOLDING, "not really") is whole(HOLDING, "no") is None
