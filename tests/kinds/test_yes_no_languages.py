"""Yes and no in Italian and Spanish, where negation works otherwise."""

import pytest

from state.form import Field
from tests.kinds.fields import ITALIAN, SPANISH, found, shown, whole

LEVA = Field(name="leva", kind="yes_no", label="Prodotto a leva", ask="È un prodotto a leva?", words=("a leva",))
PRIVILEGIATE = Field(
    name="privilegiate", kind="yes_no", label="Informazioni privilegiate", ask="Ha informazioni privilegiate?", worse=True,
    words=("informazioni privilegiate",), disclosure=("ho saputo da",),
)  # fmt: skip
APALANCADO = Field(
    name="apalancado",
    kind="yes_no",
    label="Producto apalancado",
    ask="¿Es un producto apalancado?",
    words=("apalancado",),
)
PRIVILEGIADA = Field(
    name="privilegiada", kind="yes_no", label="Información privilegiada", ask="¿Tiene información privilegiada?",
    words=("información privilegiada",),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "answer"),
    [("sì", True), ("si", True), ("Sì, certo", True), ("certo", True), ("sì, lo è", True), ("no", False), ("no, non lo è", False),
     ("non lo è", False), ("No grazie", False), ("non è a leva", False), ("è a leva", True), ("e' a leva", True), ("nessuna", False),
     ("si\u0300", True)],
)  # fmt: skip
def test_italian_answers(text: str, answer: bool) -> None:
    """An Italian answer is read with its negation, its accents typed or not."""
    assert whole(LEVA, text, ITALIAN) is answer


@pytest.mark.parametrize(
    "text", ["forse", "non so", "non lo so", "credo di sì", "sì ma", "è a leva?", "no, è a leva", "e a leva"]
)
def test_italian_non_answers(text: str) -> None:
    """An Italian doubt, question or contradiction is no answer."""
    assert whole(LEVA, text, ITALIAN) is None


def test_italian_open_words() -> None:
    """Two negations in one Italian clause still deny; "e" is "and", never "is"."""
    assert found(PRIVILEGIATE, "non ho nessuna delle informazioni privilegiate", ITALIAN) == [False]
    assert found(PRIVILEGIATE, "vorrei comprare Enel, non ho informazioni privilegiate", ITALIAN) == [False]
    assert found(LEVA, "e a leva", ITALIAN) == []
    assert found(PRIVILEGIATE, "ieri ho saputo da un amico una cosa", ITALIAN) == [True]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("sí", True), ("si", True), ("claro", True), ("sí, lo es", True), ("es apalancado", True), ("no", False), ("no lo es", False),
     ("no, no lo es", False), ("no no lo es", False), ("No, gracias", False), ("claro que no", False), ("no es apalancado", False),
     ("ninguna", False)],
)  # fmt: skip
def test_spanish_answers(text: str, answer: bool) -> None:
    """A Spanish "no" before a verb negates it; with a comma it answers."""
    assert whole(APALANCADO, text, SPANISH) is answer


@pytest.mark.parametrize(
    "text",
    ["no, lo es", "no lo sé", "quizás", "si es apalancado, avísame", "¿es apalancado?", "sí pero no", "creo que no"],
)
def test_spanish_non_answers(text: str) -> None:
    """A Spanish doubt, condition, question or contradiction is no answer."""
    assert whole(APALANCADO, text, SPANISH) is None


def test_spanish_open_words() -> None:
    """ "si" is a condition inside a Spanish clause and an answer by itself."""
    assert found(PRIVILEGIADA, "quiero comprar, no tengo información privilegiada", SPANISH) == [False]
    assert found(APALANCADO, "si es apalancado no lo quiero", SPANISH) == []
    assert found(APALANCADO, "si, es apalancado", SPANISH) == [True]


def test_shown_in_the_forms_language() -> None:
    """Yes and no are shown in the language of the form."""
    assert [shown(LEVA, v, ITALIAN) for v in (True, False)] == ["Sì", "No"]
    assert [shown(APALANCADO, v, SPANISH) for v in (True, False)] == ["Sí", "No"]
