"""Yes and no: plain answers, and answers to a field that open words name."""

import pytest

from tests.kinds.fields import DERIVATIVE, ENGLISH, INSIDE, LEVERAGED, found, parsed, refused, shown, whole

NO_TO_INSIDE = [
    "no", "No.", "NO!!!", "nope", "nah", "n", "no :)", "no thanks", "No inside information", "no, I do not", "No, I don't", "I don’t",
    "No, I don't hold any inside information.", "I have no inside information", "I do not have any inside information", "none", "nothing",
    "No, not at all", "definitely not", "no no no", "nope, none", "No\n", "  no  ", "no :+1:", "not me", "false", "I haven't",
]  # fmt: skip
YES_TO_INSIDE = [
    "yes",
    "Yes.",
    "yep",
    "yeah",
    "y",
    "yes I do",
    "I do",
    "Yes, I have inside information",
    "of course",
    "true",
    "I do have inside info",
]
NOT_PLAIN = [
    "not sure", "I'm not sure", "I think so", "I think not", "no idea", "no, wait", "wait, no", "I don't know", "yes but",
    "yes, but not about them",
    "maybe", "no?", "is it?", "no it is", "no, I do", "yes, no", "yes, no inside information", "I don't have no inside information", "not really",
    "no problem", "what?", "", "   ", "🎉", "it's", "no inside information but I heard something", "Do I have inside information", "why",
    "not to my knowledge", "no comment", "yes it is not", "no worries, it is", "200", "inside information", "yesterday", "another", "know",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_TO_INSIDE)
def test_plain_no(text: str) -> None:
    """A message that denies and says nothing else is No."""
    assert whole(INSIDE, text) is False


@pytest.mark.parametrize("text", YES_TO_INSIDE)
def test_plain_yes(text: str) -> None:
    """A message that affirms and says nothing else is Yes."""
    assert whole(INSIDE, text) is True


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_anything_else_is_no_plain_answer(text: str) -> None:
    """A doubt, a question, a contradiction or a second statement is not taken for an answer."""
    assert whole(INSIDE, text) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [("it isn't", False), ("it is not", False), ("it's not leveraged", False), ("It’s not leveraged", False), ("non-leveraged", False),
     ("no leverage", False), ("not leveraged", False), ("isnt leveraged", False), ("no, it isn't leveraged", False),
     ("this is not a leveraged product", False), ("it is leveraged", True), ("yes, it is a leveraged product", True), ("it is", True)],
)  # fmt: skip
def test_an_answer_may_repeat_the_question(text: str, answer: bool) -> None:
    """The field's own words around an answer leave it plain."""
    assert whole(LEVERAGED, text) is answer


@pytest.mark.parametrize(
    "text", ["isn't it leveraged", "is it leveraged", "is this leveraged?", "no, it is leveraged", "leveraged"]
)
def test_a_question_or_a_bare_name_is_no_answer(text: str) -> None:
    """Asking whether it is so, or only naming it, answers nothing."""
    assert whole(LEVERAGED, text) is None


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("and it is leveraged after all", [True]),
        ("it's not leveraged", [False]),
        ("I'd like 200 Tesco, it's not leveraged and no derivative", [False]),
        ("not a derivative or leveraged", [False]),
        ("it's neither a derivative nor leveraged", [False]),
        ("derivative no, leveraged yes", [True]),
        ("leveraged: no", [False]),
        ("no, it is leveraged", [True]),
        ("it is no longer leveraged", [False]),
        ("the ETF is leveraged", [True]),
        ("it is not a leveraged product; it is a derivative", [False]),
        ("it's leveraged. no wait, it's not leveraged", [True, False]),
    ],
)
def test_a_named_answer_in_open_words(text: str, answers: list[bool]) -> None:
    """A clause that names the field and affirms or denies it gives its answer."""
    assert found(LEVERAGED, text) == answers


@pytest.mark.parametrize(
    "text",
    ["I'm not sure if it's leveraged", "is it leveraged?", "if it is leveraged tell me", "they said it's not leveraged", "I think it's leveraged",
     "what is leverage", "tell me what is leveraged", "buy a leveraged ETF", "I do not want to buy a leveraged product", "it's not leveraged yet",
     "it's not not leveraged", "it's not leveraged more than twice", "it might be leveraged", "it was leveraged", "it is a derivative",
     "no", "yes"],
)  # fmt: skip
def test_what_is_uncertain_or_about_something_else_gives_nothing(text: str) -> None:
    """A doubt, a question, a condition, hearsay, the past, an exception or a mere mention is no answer."""
    assert found(LEVERAGED, text) == []


def test_a_denial_with_an_exception_is_none() -> None:
    """What follows a "but" or "except" takes the answer before it back, and keeps its own."""
    assert found(INSIDE, "no inside info except what their CFO said") == []
    assert found(LEVERAGED, "it's not leveraged but it is a derivative") == []
    assert found(DERIVATIVE, "it's not leveraged but it is a derivative") == [True]


@pytest.mark.parametrize(
    "text",
    ["they have inside information", "my friend has inside information", "nobody has it", "you have inside info"],
)
def test_what_others_hold_is_not_the_persons_answer(text: str) -> None:
    """Only what the person says of themselves answers a question about what they hold."""
    assert found(INSIDE, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "hm, I did hear something from their CFO",
        "actually, I do have inside information",
        "I've got inside info",
        "I think I heard something from a friend",
    ],
)
def test_a_worse_answer_is_heard(text: str) -> None:
    """A disclosure in the form's own words or by name is the worse answer, doubtful or not."""
    assert found(INSIDE, text) == [True]


@pytest.mark.parametrize(
    "text",
    ["I didn't hear something from their CFO", "what if I heard something from their CFO", "did I hear something from them?",
     "I never heard something from them", "No inside information about Tesco PLC"],
)  # fmt: skip
def test_a_denied_or_supposed_disclosure_is_none(text: str) -> None:
    """A denial, a condition or a question around a disclosure's words discloses nothing."""
    assert True not in found(INSIDE, text)


@pytest.mark.parametrize(
    ("given", "value"), [(True, True), (False, False), ("true", True), ("False", False), ("Yes", True), ("no", False)]
)
def test_entries(given: object, value: bool) -> None:
    """Booleans and plain words are taken."""
    assert parsed(LEVERAGED, given) is value


@pytest.mark.parametrize("given", [1, 0, None, "maybe", "", "no idea", 1.0, "y/n", "no " * 20_000])
def test_refused_entries(given: object) -> None:
    """Anything that is not clearly yes or no is refused, numbers included."""
    assert refused(LEVERAGED, given) == "not_yes_no"


def test_shown() -> None:
    """Yes and No are shown as words."""
    assert (shown(INSIDE, True, ENGLISH), shown(INSIDE, False, ENGLISH)) == ("Yes", "No")
