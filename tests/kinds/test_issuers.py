"""Whose money a mark of several countries is, where the words beside it or the answer alone name the country."""

import pytest

from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from tests.reading.forms import TODAY, draft, values
from tests.reading.test_bought import trade

FIELD = Field(name="currency", kind="currency", label="Currency", ask="In which currency?")


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("en-GB", "dollars, US", "USD"), ("en-GB", "dollars (Canadian)", "CAD"), ("en-GB", "it's in dollars, the US ones", "USD"),
        ("en-GB", "Australian", "AUD"), ("en-GB", "the American kind please", "USD"), ("en-GB", "bucks, Aussie", "AUD"),
        ("en-GB", "francs, Swiss", "CHF"), ("en-GB", "yen, Japanese", "JPY"),
        ("it-IT", "dollari, quelli canadesi", "CAD"), ("it-IT", "dollari degli Stati Uniti", "USD"), ("it-IT", "quelli americani", "USD"),
        ("es-ES", "dólares, los americanos", "USD"), ("es-ES", "dólares de Estados Unidos", "USD"), ("es-ES", "los canadienses", "CAD"),
        ("de-DE", "Dollar, und zwar kanadische", "CAD"), ("de-DE", "Dollar, also die aus den USA", "USD"), ("de-DE", "die amerikanischen", "USD"),
    ],
)  # fmt: skip
def test_the_country_makes_the_currency(language: str, text: str, code: str) -> None:
    """An open mark with a country beside it, or the country alone, answers the question for the currency."""
    assert kind_of(FIELD).whole(FIELD, text, Context(language, TODAY)) == code


@pytest.mark.parametrize(
    "text", ["dollars", "500 dollars, American Airlines", "$500 of US Steel", "either US or Canadian", "not US dollars"]
)
def test_a_country_that_says_something_else_makes_none(text: str) -> None:
    """A country in the name of a thing, two of them or one that is denied name no currency."""
    assert kind_of(FIELD).whole(FIELD, text, Context("en-GB", TODAY)) is None


@pytest.mark.parametrize("asked", ["security", "value", "currency", "account", "quantity"])
@pytest.mark.parametrize("text", ["dollars, US", "in dollars, the Canadian ones", "dollars - Australian"])
def test_a_currency_is_never_searched_as_a_thing(text: str, asked: str) -> None:
    """Whatever is asked, the currency is read as the currency, and nothing of its words is a name or an account."""
    assert list(values(text, draft(asked), trade("en-GB"), Context("en-GB", TODAY))) == ["currency"]
