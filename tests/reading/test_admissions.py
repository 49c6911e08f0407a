"""Worse answers in other words than a form can list: who is close works at the firm, or has told something."""

import pytest

from state.draft.draft import Draft, Value
from state.fields.base import Context
from state.form import Field, Form
from state.understanding.corrections import disclosed
from tests.reading.forms import TODAY, form
from tests.workflows.dealing_cases import SAID

ASKED = ("{close} … {working} … {security}", "{close} … {telling} ?", "heard something")


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
    ],
)  # fmt: skip
def test_what_is_denied_or_beside_the_point_discloses_nothing(language: str, text: str) -> None:
    """A denial, a supposition, or somebody close without a tie to the firm is no disclosure."""
    assert admitted(text, language) == []
