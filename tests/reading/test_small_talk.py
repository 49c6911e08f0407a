"""What is no answer to a question for words, in every language and mixed; and what only sounds like that."""

import pytest

from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from state.understanding.small_talk import NoAnswer, no_answer
from state.understanding.text_answers import whole_text
from tests.reading.forms import TODAY, form

CONTEXTS = tuple(Context(locale, TODAY) for locale in ("en-GB", "it-IT", "es-ES", "de-DE"))
NAME = Field(name="name", kind="text", label="Name", ask="Who are you?", short=True, words=("name",))
CITY = Field(name="city", kind="text", label="City", ask="Which city?", short=True, words=("city",))
SHOP = Field(
    name="shop", kind="text", label="Workshop: name", ask="What is it called?", short=True, words=("workshop name",)
)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda c: c.locale)
@pytest.mark.parametrize(
    ("text", "reason"),
    [("espera un momento, que lo miro", "hold"), ("one sec", "hold"), ("un attimo", "hold"), ("Moment, ich schau nach", "hold"),
     ("hang on, let me grab my passport", "hold"), ("let me check with my wife", "hold"), ("hmmm let me think", "hold"),
     ("Sounds great!", "thanks"), ("perfetto, grazie", "thanks"), ("grazieeee", "thanks"), ("thnaks a lot", "thanks"), ("ok grazie mille", "thanks"),
     ("Danke, passt", "thanks"), ("thank you very much!! 😊", "thanks"), ("thanks for the info", "thanks"),
     ("it's a mess honestly", "remark"), ("che confusione", "remark"), ("qué lío", "remark"), ("was für ein Chaos", "remark"),
     ("è un casino", "remark"),
     ("hahaha", "remark"), ("this is so complicated", "remark"), ("👍", "remark"), ("ugh this is so boring", "remark"),
     ("I'd rather not say", "refusal"), ("preferisco non dirlo", "refusal"), ("das sag ich nicht", "refusal"), ("no quiero decirlo", "refusal"),
     ("approved", "approval"), ("ok that's fine", "approval"), ("vale", "approval"), ("ja genau", "approval"), ("use that one", "approval"),
     ("no idea", "doubt"), ("boh", "doubt"), ("ni idea", "doubt"), ("keine Ahnung", "doubt"), ("weiss nicht", "doubt"), ("not sure yet", "doubt"),
     ("hello", "greeting"), ("buongiorno a tutti", "greeting"), ("hi there, good morning", "greeting"), ("guten Abend", "greeting"),
     ("what do you mean", "question"), ("cosa significa", "question"), ("que significa eso", "question"), ("was heißt das", "question"),
     ("why do you need this?", "question")],
)  # fmt: skip
def test_small_talk_is_no_answer(text: str, reason: str, context: Context) -> None:
    """A hold, thanks, a remark, a refusal, an approval, a doubt, a greeting and a question are known in a form of any language."""
    assert no_answer(text, context) == NoAnswer(reason)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda c: c.locale)
@pytest.mark.parametrize(
    "text",
    ["because I am diversifying", "Invoice approval", "Las Vegas", "Will", "Hope", "May", "Grace", "Leeds", "Great Yarmouth", "Perfetti",
     "Customer says hello and gets a quote", "perché voglio cambiare la macchina", "porque quiero diversificar", "weil ich streuen möchte",
     "Moment of truth", "I want to hold it for the long term", "Waiting times are too long", "It is a mess of spreadsheets and emails",
     "thanks to my brother's advice I want to buy", "Hallo-Welt-Projekt", "the checkout is slow and customers leave", "Via Roma 3",
     "because I'm not sure about cash", "no reason other than I like the company", "Chaos im Lager", "They wait for a call"],
)  # fmt: skip
def test_what_may_be_an_answer_is_left_alone(text: str, context: Context) -> None:
    """Names, titles and reasons that hold a word of small talk are no small talk."""
    assert no_answer(text, context) is None


def test_a_command_is_no_answer() -> None:
    """An order to the bot is none either."""
    assert no_answer("start over please", CONTEXTS[0]) is NoAnswer.COMMAND


@pytest.mark.parametrize(
    ("text", "context", "name"),
    [("me llamo Juan", CONTEXTS[2], "Juan"), ("my name is Anna", CONTEXTS[0], "Anna"), ("I'm called Li", CONTEXTS[0], "Li"),
     ("mi chiamo Giulia Sala", CONTEXTS[1], "Giulia Sala"), ("ich heiße Jens", CONTEXTS[3], "Jens"), ("hi, my name is Jo", CONTEXTS[0], "Jo"),
     ("its Will", CONTEXTS[0], "Will")],
)  # fmt: skip
def test_an_introduction_gives_a_name_and_nothing_else(text: str, context: Context, name: str) -> None:
    """A field for a person's name takes the name alone; a field for anything else, a thing's name included, takes nothing."""
    assert kind_of(NAME).whole(NAME, text, context) == name
    of = form("who", context.locale, NAME, CITY, SHOP)
    for field in (CITY, SHOP) if "Will" not in text else ():
        assert kind_of(field).whole(field, text, context) is None
        assert whole_text(field, of, text, (), context) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("city is Leeds", "Leeds"), ("City: Leeds", "Leeds"), ("the city is Leeds, thanks", "Leeds"), ("I live in Leeds", "Leeds"),
     ("hi, Leeds", "Leeds"),
     ("Leeds, thank you!", "Leeds")],
)  # fmt: skip
def test_a_text_is_what_follows_its_cue(text: str, value: str) -> None:
    """The field's name, words that lead to an answer and courtesies are no part of it."""
    read = [r.data for r in kind_of(CITY).find(CITY, text, CONTEXTS[0])]
    assert value in (kind_of(CITY).whole(CITY, text, CONTEXTS[0]), *read)
    assert not read or read == [value]
