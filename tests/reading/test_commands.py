"""Commands in words: whole utterances, in three languages, and a form's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.fields.base import Context
from state.language import language_of
from state.language.small_talk import NoAnswer
from state.understanding.commands import SpokenCommand as Said
from state.understanding.commands import is_asking, no_answer, read_command, told_of
from state.understanding.form_commands import read_form_command
from tests.reading.forms import CASE, TRADE
from tests.shipped import shipped
from tests.thoroughness import ANY


@pytest.mark.parametrize(
    ("text", "said"),
    [("cancel", Said.CANCEL), ("Cancel please!", Said.CANCEL), ("can I cancel?", Said.CANCEL), ("start over", Said.START_OVER),
     ("I'd like to start again", Said.START_OVER), ("help", Said.HELP), ("what's missing?", Said.MISSING), ("what's still missing?", Said.MISSING),
     ("how many questions left?", Said.MISSING), ("show me my answers", Said.MISSING), ("are we done yet?", Said.MISSING),
     ("What’s missing", Said.MISSING),
     ("talk to a person", Said.PERSON), ("I'd like to talk to a person please", Said.PERSON), ("undo", Said.UNDO),
     ("I'd like to retract my request", Said.CANCEL),
     ("submit it please", Said.SUBMIT), ("my requests", Said.MY_REQUESTS), ("show my requests", Said.MY_REQUESTS), ("🙏 cancel", Said.CANCEL)],
)  # fmt: skip
def test_english_commands(text: str, said: Said) -> None:
    """A command is read with its courtesies."""
    assert read_command(text, "en-GB") is said


@pytest.mark.parametrize(
    "text",
    ["cancel my gym", "help me buy Tesco", "don't cancel", "stop buying", "submitting 200", "what's missing in your account",
     "undo the damage to my leg",
     "please", "", "I want to talk to a person about Tesco", "no", "cancel " * 30, "yes", "start over with Barclays"],
)  # fmt: skip
def test_a_command_is_never_a_part_of_a_sentence(text: str) -> None:
    """A sentence that merely holds a command's words gives none."""
    assert read_command(text, "en-GB") is None


@pytest.mark.parametrize(
    ("text", "locale", "said"),
    [("quante domande mancano?", "it-IT", Said.MISSING), ("¿cuántas preguntas quedan?", "es-ES", Said.MISSING),
     ("wie viele Fragen noch?", "de-DE", Said.MISSING), ("vorrei annullare", "it-IT", Said.CANCEL),
     ("cosa manca?", "it-IT", Said.MISSING), ("/operatore", "it-IT", Said.PERSON),
     ("le mie richieste", "it-IT", Said.MY_REQUESTS), ("cancel", "it-IT", Said.CANCEL), ("cancelar", "es-ES", Said.CANCEL),
     ("¿qué falta?", "es-ES", Said.MISSING), ("quiero hablar con una persona", "es-ES", Said.PERSON), ("deshacer", "es-ES", Said.UNDO),
     ("help", "es-ES", Said.HELP), ("annulla", "es-ES", Said.CANCEL), ("von vorne", "en-GB", Said.START_OVER), ("abbrechen",
     "en-GB", Said.CANCEL), ("ricominciare da capo", "it-IT", Said.START_OVER),
     ("envíalo", "es-ES", Said.SUBMIT), ("invia", "it-IT", Said.SUBMIT)],
)  # fmt: skip
def test_commands_in_other_languages(text: str, locale: str, said: Said | None) -> None:
    """Commands are read in any language, whatever the form's is."""
    assert read_command(text, locale) is said


@pytest.mark.parametrize(
    ("text", "command"),
    [("can I trade Tesco?", ("can_i_trade", "Tesco")), ("Can I trade Marks and Spencer please", ("can_i_trade", "Marks and Spencer")),
     ("may Shell plc be traded", ("can_i_trade", "Shell plc")), ("please show the rules", ("rules", "")), ("show the rules!", ("rules", ""))],
)  # fmt: skip
def test_a_forms_own_commands(text: str, command: tuple[str, str]) -> None:
    """A form's own command is read with the words that stand in its slot, as they were written."""
    assert read_form_command(TRADE, text) == command


@pytest.mark.parametrize(
    "text", ["can I trade", "can I trade?", "can I", "tell me whether I can trade Tesco",
    "can I trade " + "x " * 9, "show the rules of it", "", "x" * 500]
)  # fmt: skip
def test_what_is_none_of_the_forms_commands(text: str) -> None:
    """An empty slot, more words than a name has, or words around the pattern give no command."""
    assert read_form_command(TRADE, text) is None


@pytest.mark.parametrize("text", [
    "cuanto me va a costar esto?", "¿Y cuánto sale todo?", "que precio tiene", "¿Lleva IVA?", "el iva esta incluido?", "cuál es el precio final",
    "cuanto cobran por esto", "por favor, ¿incluye el certificado?",
])  # fmt: skip
def test_what_it_costs_is_asked_in_many_ways(text: str) -> None:
    """A question for the price is answered with it, also where the accents are left out, as people type."""
    assert read_form_command(shipped("vehicle_case").form, text) == ("price", "")


PUT_OFF = (
    "can't right now, in a meeting",
    "will send it tonight",
    "I don't have it with me",
    "give me 5 mins",
    "sono in treno, lo faccio dopo",
    "non ce l'ho qui",
    "chiedo a mia moglie e ti dico",
    "geht gerade nicht",
    "schicke ich heute Abend",
    "muss ich erst suchen",
    "luego te mando las fotos",
    "ahora no puedo",
    "le pregunto a mi mujer y te digo",
)
WRONG = ("that's wrong", "i made a mistake", "ho sbagliato", "da ist ein Fehler", "me equivoqué")
ANSWERS = (
    "tomorrow",
    "domani",
    "I'll send 200 to my broker",
    "a mistake in my tax return",
    "my wife's pension",
    "ich schicke 20 Stück",
)


@pytest.mark.parametrize(
    ("text", "why"),
    [*((t, NoAnswer.HOLD) for t in PUT_OFF), *((t, NoAnswer.MISTAKE) for t in WRONG), *((t, None) for t in ANSWERS)],
)
def test_what_is_put_off_or_found_wrong_answers_nothing(text: str, why: NoAnswer | None) -> None:
    """Who answers later, or says that something is wrong and not what, is heard as that in any language; with more in it, it may be an answer."""
    assert no_answer(text, Context("en-GB", "2026-11-20")) is why


def test_a_form_without_commands() -> None:
    """A form without commands of its own has none to read."""
    assert read_form_command(CASE, "can I trade Tesco") is None


@given(st.text(ANY, max_size=130), st.sampled_from(["en-GB", "it-IT", "es-ES", "es", "it_IT"]))
def test_no_text_breaks_the_commands(text: str, locale: str) -> None:
    """Any text in any locale that is known is a command or none."""
    assert read_command(text, locale) in (*Said, None)
    read_form_command(TRADE, text)


TOLD = {
    "done": ("I did the trade", "already bought them", "l'ho fatto", "ya lo compré", "hab ich gemacht", "I sold the shares"),
    "unused": ("I didn't trade after all", "ended up not buying it", "alla fine non ho comprato", "al final no lo compré", "doch nicht gekauft",
        "die Aktien habe ich nicht gekauft", "no compré las acciones"),
    None: ("I have not traded yet", "non ho ancora comprato", "aún no lo compré", "noch nicht gehandelt", "my wife bought it", "did I do it?"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), [(text, told) for told, some in TOLD.items() for text in some])
@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_what_was_done_with_an_approval_is_read_in_any_language(text: str, told: str | None, locale: str) -> None:
    """A whole message says that it was done, or was not; what is still to come, another's act and a question say neither."""
    assert told_of(text, language_of(locale)) == told


@pytest.mark.parametrize("text", ["hello?", "anyone there??", "ciao?", "¿hola?", "Hallo? jemand da?"])
def test_who_waits_asks_nothing(text: str) -> None:
    """A greeting with a question mark is no question that nobody can answer."""
    assert not is_asking(text, Context("en-GB", ""))
    assert is_asking(f"{text} what does leveraged mean?", Context("en-GB", ""))
