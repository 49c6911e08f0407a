"""Words that turn down all that a search found, as its button does."""

import pytest

from state.fields.yes_no import said
from state.language import language_of
from state.understanding.plain_answers import says_enough, turns_all_down
from tests.world import World


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        *(("en-GB", text) for text in ("none of these", "None of them", "none, thanks")),
        *(("it-IT", text) for text in ("nessuno di questi", "nessuna di queste")),
        *(("es-ES", text) for text in ("ninguno de estos", "ninguno de ellos")),
        *(("de-DE", text) for text in ("keine von denen",)),
    ],
)
def test_none_of_them_is_none_of_them(locale: str, text: str) -> None:
    """What the button says, and what people say in its place, turns all results down."""
    assert turns_all_down(text, language_of(locale))


@pytest.mark.parametrize(
    "text", ["none of these apply to me except the second", "none of your business", "these", "of them"]
)
def test_words_that_say_more_turn_nothing_down(text: str) -> None:
    """What says something else as well, or no "none" at all, is no such answer."""
    assert not turns_all_down(text, language_of("en-GB"))


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
