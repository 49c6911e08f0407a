"""What a sum buys: the amount in words and the name of the thing are both kept, in either order."""

from typing import Any

import pytest

from state.fields.base import Context
from state.form import Choice, Field, Form
from tests.reading.forms import TODAY, draft, form, proposed, values

DIRECTIONS = {
    "en-GB": (("Buy", "put"), ("Sell",)), "it-IT": (("Compra", "comprare", "compro"), ("Vendi", "vendere")),
    "es-ES": (("Comprar", "compro"), ("Vender", "vendo")), "de-DE": (("Kaufen", "kaufe"), ("Verkaufen", "verkaufe")),
}  # fmt: skip
UNITS = {"en-GB": "shares", "it-IT": "azioni", "es-ES": "acciones", "de-DE": "Aktien"}


def trade(language: str) -> Form:
    """A thing to look up, a direction, a count, a sum that may be an estimate, its currency and an account."""
    buy, sell = DIRECTIONS[language]
    return form(
        "t", language,
        Field(name="security", kind="lookup", label="Security", ask="?"),
        Field(
            name="direction", kind="choice", label="D", ask="?", tool="t",
            choices=(Choice(value="buy", label=buy[0], words=buy[1:]), Choice(value="sell", label=sell[0], words=sell[1:])),
        ),
        Field(name="quantity", kind="integer", label="Q", ask="?", tool="t", minimum=1, unit=UNITS[language]),
        Field(name="value", kind="money", label="V", ask="?", tool="t", minimum=1, estimate=True),
        Field(name="currency", kind="currency", label="C", ask="?", tool="t"),
        Field(name="account", kind="text", label="A", ask="?", tool="t", known=("ISA", "Depot")),
    )  # fmt: skip


def read(text: str, language: str, asked: str = "") -> dict[str, Any]:
    """What the reader would set, without the direction."""
    found = values(text, draft(asked), trade(language), Context(language, TODAY))
    return {name: value for name, value in found.items() if name != "direction"}


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en-GB", "half a million pounds worth of Apple", ("Apple", "500000.00", "GBP")),
        ("en-GB", "a couple of grand's worth of Tesco", ("Tesco", "2000.00", None)),
        ("en-GB", "around two and a half thousand pounds' worth of Barclays", ("Barclays", "2500.00", "GBP")),
        ("en-GB", "five grand in Rio Tinto", ("Rio Tinto", "5000.00", None)),
        ("en-GB", "I'd like to put 3k into Shell", ("Shell", "3000.00", None)),
        ("en-GB", "Apple, roughly 10 grand", ("Apple", "10000.00", None)),
        ("en-GB", "a thousand quid's worth of BP", ("BP", "1000.00", "GBP")),
        ("it-IT", "circa diecimila euro di Enel", ("Enel", "10000.00", "EUR")),
        ("it-IT", "mezzo milione di euro di Ferrari", ("Ferrari", "500000.00", "EUR")),
        ("it-IT", "un paio di migliaia di euro in Enel", ("Enel", "2000.00", "EUR")),
        ("it-IT", "azioni Apple per un valore di 10.000 euro", ("Apple", "10000.00", "EUR")),
        ("es-ES", "quiero comprar por valor de cinco mil dólares en Tesla", ("Tesla", "5000.00", None)),
        ("es-ES", "un par de miles de euros en Iberdrola", ("Iberdrola", "2000.00", "EUR")),
        ("es-ES", "acciones de Repsol por valor de medio millón de euros", ("Repsol", "500000.00", "EUR")),
        ("de-DE", "ich möchte für zweitausend Euro Allianz kaufen", ("Allianz", "2000.00", "EUR")),
    ],
)  # fmt: skip
def test_a_sum_and_what_it_buys_are_both_kept(language: str, text: str, told: tuple[str, str, str | None]) -> None:
    """The sum, its currency where one is named, and the name of the thing; a sum is never taken for a count."""
    security, value, currency = told
    wanted = {"security": security, "value": value} | ({"currency": currency} if currency else {})
    assert read(text, language) == wanted


@pytest.mark.parametrize(
    ("language", "text", "security"),
    [("en-GB", "buy a few hundred quid worth of Vodafone", "Vodafone"), ("de-DE", "ein paar tausend Euro Apple", "Apple")],
)  # fmt: skip
def test_a_sum_of_no_one_size_leaves_the_name(language: str, text: str, security: str) -> None:
    """A few hundred is no sum and no name: the thing is named all the same."""
    found = read(text, language)
    assert found["security"] == security and "value" not in found


@pytest.mark.parametrize("text", ["£5,000 in my ISA", "£5,000 in total", "£720 of them", "£720 on Monday"])
def test_what_stands_behind_a_sum_need_not_be_bought(text: str) -> None:
    """An account, a total, a word that only points and a day are no names of what a sum buys."""
    assert "security" not in read(text, "en-GB")


@pytest.mark.parametrize("text", ["and 1,100 shares", "1,100 shares", "oh and 300 shares", "500 of those"])
def test_a_count_is_never_the_account(text: str) -> None:
    """A number with its unit sets the quantity when the account was asked, and the account stays open."""
    assert list(read(text, "en-GB", "account")) == ["quantity"]


@pytest.mark.parametrize("text", ["and 1,100 shares", "but 1,100 shares"])
def test_a_count_that_stands_is_corrected_by_another(text: str) -> None:
    """When the quantity is answered and the account asked, a number with the unit is about the quantity still."""
    calls = proposed(text, draft("account", quantity=2000), trade("en-GB"), Context("en-GB", TODAY))
    assert calls == [("correct", {"field": "quantity", "value": 1100})]


@pytest.mark.parametrize("text", ["dollars, US", "and sell", "1,100 shares"])
def test_a_word_of_another_field_is_no_account(text: str) -> None:
    """A currency, a direction or a count is never the account, answered as they may be."""
    told = draft("account", quantity=2000, currency="GBP", direction="buy")
    assert "account" not in values(text, told, trade("en-GB"), Context("en-GB", TODAY))
