"""A model's own words in a conversation of operations: which questions and answers may be shown, by their shape alone, in four languages."""

from dataclasses import replace
from functools import cache

import pytest

from state.draft.draft import ChatLine
from state.draft.reply import Reply
from state.engine import begin
from state.fields.base import Context
from state.form import Form
from state.guards.free_words import LONGEST, flattened
from state.guards.operations import judge_reply
from tests.shipped import shipped

TODAY = "2026-11-20"
QUESTIONS = (
    ("coffee", "How much was the coffee?"),
    ("coffee 3.50", "In which currency did you pay?"),
    ("coffee 3.50", "Was that in EUR or GBP?"),
    ("coffee 3.50", "Was the 3,5 for one coffee?"),
    ("coffee five euros", "Is it 5 euros in all?"),
    ("coffee ٥", "Was it 5?"),
    ("lunch", "Was that today or yesterday?"),
    ("delete it", "Which one should be deleted?"),
    ("kaffee", "Wie viel hat der Kaffee gekostet?"),
    ("Kaffee 3,50", "In welcher Währung war das?"),
    ("Taxi", "Welche Ausgabe meinst du?"),
    ("caffè", "Quanto è costato il caffè?"),
    ("caffè 3,50", "In quale valuta hai pagato?"),
    ("café", "¿Cuánto costó el café?"),
    ("café 3,50", "¿En qué moneda fue?"),
    ("cena", "Per la cena, quanto hai speso?"),
    ("dinner with Anna", "Did Anna pay her share?"),
)  # fmt: skip
ANSWERS = (
    ("good morning", "Good morning! How can I help you today?"),
    ("good morning", "Good morning! 👋"),
    ("thanks", "You're welcome!"),
    ("what can you do", "I keep your expenses: tell me what you spent, and I note it."),
    ("what is the weather", "Sorry, I do not know that."),
    ("is 40 for a taxi too much?", "I cannot say if 40 is too much."),
    ("was dinner with Anna on Friday?", "I do not know if Anna came on Friday."),
    ("guten morgen", "Guten Morgen! Womit kann ich helfen?"),
    ("danke", "Gern geschehen!"),
    ("wie wird das wetter", "Das weiß ich leider nicht."),
    ("buongiorno", "Buongiorno! Come posso aiutarti?"),
    ("grazie", "Prego, figurati!"),
    ("che tempo fa", "Mi dispiace, non lo so."),
    ("buenos días", "¡Buenos días! ¿En qué puedo ayudarte?"),
    ("gracias", "De nada, a tu disposición."),
    ("qué tiempo hace", "Lo siento, no lo sé."),
)  # fmt: skip
NO_QUESTIONS = (
    ("coffee", "How much was the coffee"),
    ("coffee", "How much was it? And in which currency?"),
    ("coffee", "How much was it??"),
    ("coffee", "How much was it?!"),
    ("coffee", "How much? Please tell me."),
    ("coffee", "I see. How much was it?"),
    ("coffee", "Was it 5 euros?"),
    ("coffee", "Was it five euros?"),
    ("coffee", "Waren es fünfzig Euro?"),
    ("coffee", "Erano cinquanta euro?"),
    ("coffee", "¿Fueron cincuenta euros?"),
    ("coffee 3.50", "Was it 35?"),
    ("coffee 3.50", "Was it 350?"),
    ("coffee", "Was it ٥٠ euros?"),
    ("coffee", "Was it ⑤ euros?"),
    ("coffee", "Was it 五?"),
    ("coffee", "Was it ½?"),
    ("coffee", "Was it on 12/11?"),
    ("coffee", "I have added the coffee, ok?"),
    ("caffè", "Ho aggiunto il caffè, va bene?"),
    ("kaffee", "Ich habe den Kaffee eingetragen, ok?"),
    ("café", "He añadido el café, ¿vale?"),
    ("taxi", "Your manager approved it, right?"),
    ("taxi", "Anna Rossi has seen it, is that fine?"),
    ("taxi", "It is paid back tomorrow, ok?"),
    ("coffee", "How much was it, see evil.example?"),
    ("coffee", "How much was it <@U0DANA>?"),
    ("coffee", "How much was *the coffee*?"),
    ("coffee", "What？Which？"),
    ("coffee", "{\"amount\": null}?"),
    ("coffee", "How mu\u200bch was it?"),
    ("coffee", "?"),
    ("coffee", "How much was " + "very " * 70 + "good coffee?"),
)  # fmt: skip
NO_ANSWERS = (
    ("may I spend more", "You may spend 812 more."),
    ("may I spend more", "You may spend eight hundred more."),
    ("darf ich", "Du hast fünfzig Euro übrig."),
    ("posso", "Puoi spendere ancora cinquanta euro."),
    ("puedo", "Te quedan cincuenta euros."),
    ("may I", "You have ٨١٢ left."),
    ("may I", "You have 𝟖𝟏𝟐 left."),
    ("when", "You will get it back tomorrow."),
    ("wann", "Du bekommst es morgen zurück."),
    ("quando", "Lo riceverai domani."),
    ("cuándo", "Lo recibirás mañana."),
    ("when", "It is paid out on Friday."),
    ("when", "It was paid out last month."),
    ("who", "It goes to Anna Rossi."),
    ("chi", "La vede Mario Bianchi."),
    ("wer", "Das sieht Frau Schmidt."),
    ("quién", "Lo ve García."),
    ("who", "It goes to 田中."),
    ("how", "See https://evil.example for more."),
    ("how", "See evil.example for more."),
    ("how", "Write to help@evil.example."),
    ("how", "Ask <@U0DANA>."),
    ("how", "Ask @dana in #finance."),
    ("how", "Do it `so`."),
    ("how", "```\nso\n```"),
    ("how", "[here](there)"),
    ("coffee 3.50", "I have added 3.50 for coffee."),
    ("caffè", "Ho aggiunto il caffè."),
    ("kaffee", "Ich habe den Kaffee eingetragen."),
    ("café", "He añadido el café."),
    ("dinner with Anna on Friday", "I see, with Anna on Friday."),
    ("coffee", "What? When? Where?"),
    ("coffee", "Was it good? I hope so."),
    ("coffee", "\u202efine"),
    ("coffee", "x" * (LONGEST + 1)),
    ("coffee", "x" * 10_000),
    ("coffee", "   "),
)  # fmt: skip


@cache
def form() -> Form:
    """The shipped expenses."""
    return shipped("expenses").form


def flaw(said: str, text: str, *, asks: bool) -> str:
    """What keeps a reply from a person who has said this."""
    draft = begin(form(), "d1", "T1", "U1", "T1:D1:", f"{TODAY}T09:00:00+00:00")
    heard = replace(draft, window=(ChatLine("user", said),))
    return judge_reply(form(), heard, Reply(text, asks=asks), Context("en-GB", TODAY)).flaw


@pytest.mark.parametrize(("said", "text"), QUESTIONS)
def test_a_question_about_what_is_not_said_is_shown(said: str, text: str) -> None:
    """One sentence that ends in its one question mark, and names no figure but the person's, reaches the person."""
    assert flaw(said, text, asks=True) == flaw(said, text, asks=False) == ""


@pytest.mark.parametrize(("said", "text"), ANSWERS)
def test_an_answer_that_tells_nothing_of_its_own_is_shown(said: str, text: str) -> None:
    """An answer without a figure, day, link or name but the person's reaches the person."""
    assert flaw(said, text, asks=False) == ""


@pytest.mark.parametrize(("said", "text"), NO_QUESTIONS)
def test_what_is_no_question_is_not_shown_as_one(said: str, text: str) -> None:
    """Several questions, other figures, links, markup, claims before the question, and what is no question at all are dropped."""
    assert flaw(said, text, asks=True)


@pytest.mark.parametrize(("said", "text"), NO_ANSWERS)
def test_an_answer_that_tells_what_nobody_said_is_not_shown(said: str, text: str) -> None:
    """Figures, days, links and names that the person did not say, words about what they only named, and what is too long are dropped."""
    assert flaw(said, text, asks=False)


def test_words_are_shown_in_one_line() -> None:
    """A line that looks like one of the code's own cannot be written below a model's words."""
    assert flattened(Reply("Good morning!\n\nFine, thanks.")) == "Good morning! Fine, thanks."
