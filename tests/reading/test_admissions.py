"""Worse answers in other words than a form can list: who is close works at the firm, or has told something."""

import pytest

from state.draft.draft import Draft, Value
from state.fields.base import Context
from state.form import Field, Form
from state.understanding.corrections import disclosed
from tests.reading.forms import TODAY, form
from tests.workflows.dealing_cases import SAID

ASKED = (
    "{close} … {working} … {security}", "{close} … {telling} ?", "{behalf} {close}", "heard something", "{close} account ?", "conto di {close} ?",
    "cuenta de {close} ?", "depot {close} ?", "{close} wants to ?", "{close} vuole ?", "{close} quiere ?", "{close} möchte ?",
)  # fmt: skip


def declaring(language: str) -> Form:
    """A form in which one thing is looked up and one declaration may turn out worse."""
    told = Field(name="told", kind="yes_no", label="X", ask="?", worse=True, disclosure=ASKED)
    return form("t", language, Field(name="security", kind="lookup", label="Y", ask="?"), told)


def admitted(text: str, language: str = "en-GB") -> list[bool]:
    """Return each worse answer that the words tell, and if it is told for sure; the declaration was answered with No, about Tesco PLC."""
    thing = Value("GB00BLGZ9862", SAID, label="Tesco PLC (GB00BLGZ9862)", facts={"ticker": "TSCO"})
    draft = Draft("d", "t", "T", "U", "c", values={"security": thing, "told": Value(False, SAID)})
    return [t.named for t in disclosed(declaring(language), draft, text, Context(language, TODAY))]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en-GB", "my sister works at Tesco in finance"), ("en-GB", "My older brother is a director at Tesco PLC"),
        ("en-GB", "Actually my husband is a director there"), ("en-GB", "my partner, who works for them, bought some too"),
        ("en-GB", "My sister works at Tesco, is that a problem?"), ("en-GB", "a friend of mine sits on the board of TSCO"),
        ("en-GB", "sister works at tesco"),
        ("it-IT", "mia sorella lavora da Tesco, in contabilità"), ("it-IT", "il mio compagno è dirigente di Tesco"),
        ("it-IT", "mio cognato lavora per loro"), ("it-IT", "un amico è nel consiglio di Tesco PLC"),
        ("es-ES", "mi hermana trabaja en Tesco, en finanzas"), ("es-ES", "mi cuñado es consejero de Tesco"),
        ("es-ES", "trabaja allí mi mujer"), ("es-ES", "un amigo es directivo de Tesco"),
        ("de-DE", "meine Schwester arbeitet bei Tesco in der Buchhaltung"), ("de-DE", "mein Mann sitzt dort im Aufsichtsrat"),
        ("de-DE", "bei Tesco ist meine ältere Schwester angestellt"), ("de-DE", "ein Freund ist Vorstand von Tesco"),
        ("en-GB", "my mother-in-law sits on the board of Tesco"), ("en-GB", "my dad's an auditor for Tesco"),
        ("en-GB", "my best friend is a manager there"), ("en-GB", "someone I know works for Tesco"),
        ("it-IT", "il mio coinquilino lavora da Tesco"), ("it-IT", "mia suocera è nel consiglio di Tesco"),
        ("es-ES", "mi sobrino es becario en Tesco"), ("es-ES", "un vecino trabaja para Tesco"),
        ("de-DE", "mein Neffe macht ein Praktikum bei Tesco"), ("de-DE", "ein Nachbar, der bei Tesco arbeitet, kauft auch"),
        ("en-GB", "meine Tante arbeitet bei Tesco"), ("en-GB", "mi novia trabaja allí"), ("it-IT", "my uncle works at Tesco"),
        ("de-DE", "mio zio lavora da Tesco"), ("en-GB", "it is for my niece"), ("en-GB", "die sind für meine Tochter"),
        ("it-IT", "le compro per conto di mia figlia"), ("es-ES", "son para mi hijo"), ("en-GB", "some shares for my kids"),
        ("en-GB", "it is for the grandkids"), ("en-GB", "buying them for my parents"), ("it-IT", "le azioni sono per i miei figli"),
        ("it-IT", "per la nostra famiglia"), ("es-ES", "son para los niños"), ("de-DE", "das ist für unsere Eltern"),
    ],
)  # fmt: skip
def test_somebody_close_at_the_firm_is_disclosed(language: str, text: str) -> None:
    """Who is close and what ties them to the thing asked about disclose, in any order and language, a question behind them or not."""
    assert admitted(text, language) == [True]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en-GB", "my sister works at the council"), ("en-GB", "my brother told me it will go up"),
        ("en-GB", "does it matter that my sister works for Tesco?"),
        ("it-IT", "mia sorella lavora in comune"), ("it-IT", "me l'ha detto un amico: mi ha detto di comprare"),
        ("es-ES", "mi hermana trabaja en el ayuntamiento"), ("es-ES", "un amigo me ha contado cosas"),
        ("de-DE", "meine Schwester arbeitet im Rathaus"), ("de-DE", "mein Bruder hat mir gesagt, ich soll kaufen"),
        ("en-GB", "a colleague told me over dinner"), ("en-GB", "mein Onkel hat mir gesagt, dass es steigt"),
        ("it-IT", "mio nonno mi disse di comprare"), ("en-GB", "it goes into my son's account"), ("en-GB", "in the kids' account"),
        ("en-GB", "my wife wants to buy shares"), ("it-IT", "sul conto di mia figlia"), ("it-IT", "mia moglie vuole comprare azioni"),
        ("es-ES", "en la cuenta de mi hijo"), ("es-ES", "mi marido quiere vender sus acciones"), ("de-DE", "auf das Depot meiner Frau"),
        ("de-DE", "meine Frau möchte Aktien kaufen"),
    ],
)  # fmt: skip
def test_what_may_disclose_is_asked_about(language: str, text: str) -> None:
    """Where the thing is not named, or something was only passed on, the words are heard and the person decides by a click."""
    assert admitted(text, language) == [False]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en-GB", "my sister does not work at Tesco"), ("en-GB", "nobody in my family works at Tesco"),
        ("en-GB", "what if my sister worked at Tesco?"), ("en-GB", "my sister likes Tesco"), ("en-GB", "I did not hear, I heard nothing"),
        ("it-IT", "mia sorella non lavora da Tesco"), ("es-ES", "mi hermana no trabaja en Tesco"),
        ("de-DE", "meine Schwester arbeitet nicht bei Tesco"), ("de-DE", "meine Schwester mag Tesco"),
        ("en-GB", "meine Tante arbeitet nicht bei Tesco"), ("en-GB", "mi novia no trabaja en Tesco"), ("en-GB", "none of my friends works there"),
        ("en-GB", "no friend of mine works at Tesco"), ("en-GB", "a colleague showed me the form"), ("es-ES", "mi padre no me ha dicho nada"),
        ("en-GB", "mis acciones son de Tesco"), ("en-GB", "to save for my daughter's education"), ("en-GB", "to save for my kids"),
        ("en-GB", "putting a bit aside for the kids"), ("en-GB", "to pay for my daughter's wedding"), ("it-IT", "per pagare gli studi ai miei figli"),
        ("es-ES", "para ahorrar para mis hijos"), ("de-DE", "um für meine Kinder zu sparen"), ("en-GB", "sorry, my kid is sick"),
        ("en-GB", "my wife says hi"),
        ("en-GB", "only my father's former manager did, by telephone"),
    ],
)  # fmt: skip
def test_what_is_denied_or_beside_the_point_discloses_nothing(language: str, text: str) -> None:
    """A denial, a supposition, or somebody close without a tie to the firm is no disclosure."""
    assert admitted(text, language) == []
