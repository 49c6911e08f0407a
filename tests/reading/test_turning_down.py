"""Words that turn down all that a search found, as its button does."""

import pytest

from state.fields.yes_no import said
from state.language import language_of
from state.understanding.plain_answers import says_enough, turns_all_down
from tests.world import World

DOWN = {
    "en": ("none of these", "None of them", "none, thanks", "no, not that one"), "it": ("nessuno di questi", "non è quella", "no, quella no"),
    "es": ("ninguno de estos", "no es esa", "ninguna"), "de": ("keine von denen", "nein danke", "keine davon"),
}  # fmt: skip


@pytest.mark.parametrize("text", [text for texts in DOWN.values() for text in texts])
def test_none_of_them_is_none_of_them(text: str) -> None:
    """What the button says, and what people say in its place in their language, turns all results down."""
    assert turns_all_down(text)


@pytest.mark.parametrize(
    "text", ["none of these apply to me except the second", "none of your business", "these", "of them"]
)
def test_words_that_say_more_turn_nothing_down(text: str) -> None:
    """What says something else as well, or no "none" at all, is no such answer."""
    assert not turns_all_down(text)


ENOUGH = {
    "en": ("no, that's everything", "nope, nothing else thanks"), "de": ("nein, das war alles", "nö, sonst nichts"),
    "it": ("no, è tutto", "no grazie, nient'altro"), "es": ("no, no hay nada más", "no, nada más"),
}  # fmt: skip
CASES = [(code, text) for code, texts in ENOUGH.items() for text in texts]


@pytest.mark.parametrize(("code", "text"), CASES)
def test_that_there_is_no_more_is_a_no_to_every_question_for_more(code: str, text: str) -> None:
    """It answers a plain yes or no with no, and says of a list that it is whole."""
    assert says_enough(text, language_of(code)) and said(text, language_of(code)) is False
    assert not says_enough("no", language_of(code)) and not says_enough(f"{text}: 30", language_of(code))


async def test_the_buttons_words_do_what_the_button_does(plain: World) -> None:
    """Typed below results, they ask for another name, and are no answer to the declarations."""
    await plain.say("I want to buy 50 Tesco")
    await plain.say("None of these")
    assert "ISIN" in plain.last() and "one at a time" not in plain.last()
    assert (await plain.draft()).asked == "security"
