"""Questions about a filed request, read without a model."""

import pytest

from state.fields.base import Context
from state.form import Form
from state.understanding.form_commands import topics_in
from tests.shipped import shipped

ASKED = {
    "withdraw": (
        "can I still cancel it?", "is it too late to pull it", "kann ich das noch stornieren?", "me lo podéis anular?", "posso ancora ritirarla",
        "Non ho più bisogno, come faccio ad annullarla?",
    ),
    "change": ("I made a typo, can it be fixed?", "Kann ich die Anzahl noch ändern?", "posso ancora modificarla?", "puedo corregir un dato"),
    "valid": ("when can I trade?", "how long do I have?", "wann darf ich handeln?", "fino a quando vale?", "¿hasta cuándo es válida?",
        "what are my conditions?", "welche Auflagen gibt es?", "quali sono le condizioni?", "¿qué condiciones tengo?"),
    "time": ("when will I know?", "why is it taking so long", "wie lange dauert das noch?", "quanto ci vuole di solito?", "¿cuánto tardan?"),
    "why": ("why was it approved?",
        "on what basis was that declined", "warum wurde das abgelehnt?", "come mai è stata respinta?", "¿por qué la rechazaron?"),
    "who": ("hi, who is looking at this?",
        "do you know who has to sign this off?", "wer hat das gerade?", "chi la sta valutando?", "¿quién la tiene ahora?"),
    "next": ("what happens next?", "what do I need to do now", "was muss ich jetzt tun?", "e adesso cosa devo fare?", "y ahora qué?"),
    "state": (
        "status", "status of Tesco", "stato della mia richiesta", "estado de mi solicitud", "any news?",
        "has my manager approved it yet?", "where is my Tesco request?",
        "wie ist der Stand?", "a che punto è la mia richiesta?",
        "¿en qué punto está?", "PA-2026-000003?", "what about pa 2026 3", "has PA-2026-000003 been approved", "where's PA-2026-3",
        "what is my approval number?", "wie ist mein Aktenzeichen?", "qual è il numero della mia pratica?", "¿cuál es mi número de expediente?",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("topic", "text"), [(topic, text) for topic, some in ASKED.items() for text in some])
@pytest.mark.parametrize("form", ["pa_dealing", "loan"])
def test_a_question_is_read_in_every_language(topic: str, text: str, form: str) -> None:
    """In whatever language the form is, the question means the same."""
    there = _form(form)
    text = text.replace("PA-", f"{there.prefix}-").replace("pa ", f"{there.prefix} ")
    assert topics_in(there, text, Context(there.language, "")) == (topic,)


def test_two_questions_in_one_message_are_both_read() -> None:
    """Each clause asks its own."""
    assert topics_in(_form("pa_dealing"), "who approved it and why?", Context("en-GB", "")) == ("who", "why")


@pytest.mark.parametrize(
    "text",
    ["I sold the shares to my sister", "what is a derivative?", "how long is the holding period?", "buy 200 Vodafone for my pension",
     "my sister works there", "it is leveraged after all", "ok great", "no, thanks", "grazie mille",
     "same as PA-2026-000003, to spread my pension", "how does this affect my tax return?", "does the restaurant open on Saturdays?"],
)  # fmt: skip
def test_anything_else_is_left_to_its_reader(text: str) -> None:
    """A statement, a question about a field and one about the world ask nothing of the record."""
    assert topics_in(_form("pa_dealing"), text, Context("en-GB", "")) == ()


STATED = {
    "I put the wrong quantity, it should be 300": ("change",), "scrap that, I don't want to do it anymore": ("withdraw",),
    "it's urgent, the price is moving": ("time",), "ho cambiato idea": ("withdraw",), "ich habe es mir anders überlegt": ("withdraw",),
    "me lo he pensado mejor, no la envíen": ("withdraw",), "noch nichts gehört": ("time",), "he puesto mal la cantidad": ("change",),
    "I don't want to cancel it": (), "my sister could cancel her order": (), "it was approved by my wife": (), "my broker is Example Bank": (),
}  # fmt: skip


@pytest.mark.parametrize("text", STATED)
def test_a_statement_that_begins_with_its_topic_counts_where_nothing_else_reads_it(text: str) -> None:
    """Whoever tells that they changed their mind, made a slip or are in a hurry reads what the record says of that; a no to it is none."""
    assert topics_in(_form("pa_dealing"), text, Context("en-GB", ""), told=True) == STATED[text]
    assert topics_in(_form("pa_dealing"), text, Context("en-GB", "")) == ()


def _form(name: str) -> Form:
    return shipped(name).form
