"""Open words in Italian and in Spanish."""

from typing import Any

import pytest

from tests.reading.forms import CASE, ITALIAN, LOAN, SPANISH, draft, proposed, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Sono pensionato e guadagno 1.750,00 euro", {"employment": "pen", "net": "1750.00"}), ("ho un netto di 1.750", {"net": "1750.00"}),
     ("assunto il 3 marzo 2020, non ho debiti", {"hired": "2020-03-03", "debts": False}),
     ("il mio codice fiscale è RSSMRA85H52F205C", {"code": "RSSMRA85H52F205C"}),
     ("vorrei comprare 200 azioni Enel", {"security": "Enel", "shares": 200}),
     ("200 azioni di Intesa Sanpaolo", {"security": "Intesa Sanpaolo", "shares": 200}),
     ("ho debiti", {"debts": True}),
     ("vorrei un prestito perché l'auto è vecchia", {"purpose": "l'auto è vecchia"}), ("1.750 €", {"net": "1750.00"})],
)  # fmt: skip
def test_italian_sentences(text: str, expected: dict[str, Any]) -> None:
    """Italian sentences give their fields values, in the Italian way of writing figures."""
    assert values(text, draft(), LOAN, ITALIAN) == expected


@pytest.mark.parametrize(
    ("text", "calls"),
    [("in realtà sono dipendente", [("correct", {"field": "employment", "value": "dip"})]),
     ("anzi, non ho più debiti", [("correct", {"field": "debts", "value": False})]), ("che cosa significa?", [("explain_form", {"field": "net"})]),
     ("vorrei parlare con un operatore di questo", [("hand_over", {"reason": "un operatore"})])],
)  # fmt: skip
def test_italian_corrections_and_questions(text: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    """Corrections, questions and wishes are read in Italian."""
    assert proposed(text, draft("net", employment="pen", debts=True), LOAN, ITALIAN) == calls


@pytest.mark.parametrize(
    ("text", "expected"),
    [("La matrícula es 1234 BCD, del año 2015", {"plate": "1234BCD", "year": 2015}), ("el precio es 1.750,50 euros", {"price": "1750.50"}),
     ("la cita el lunes", {"day": "2026-11-23"}), ("mi correo es alex@northmoor.example", {"email": "alex@northmoor.example"}),
     ("no tengo taller propio", {"own": False}), ("200 acciones de Iberdrola", {"security": "Iberdrola", "shares": 200}),
     ("quiero comprar 50 acciones de Telefónica", {"security": "Telefónica", "shares": 50})],
)  # fmt: skip
def test_spanish_sentences(text: str, expected: dict[str, Any]) -> None:
    """Spanish sentences give their fields values."""
    assert values(text, draft(), CASE, SPANISH) == expected


@pytest.mark.parametrize(
    ("text", "calls"),
    [("en realidad es del 2016", [("correct", {"field": "year", "value": 2016})]), ("¿qué significa eso?", [("explain_form", {"field": "own"})]),
     ("quiero hablar con una persona sobre esto", [("hand_over", {"reason": "una persona"})])],
)  # fmt: skip
def test_spanish_corrections_and_questions(text: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    """Corrections, questions and wishes are read in Spanish."""
    assert proposed(text, draft("own", year=2015), CASE, SPANISH) == calls
