"""What is searched: the name or code of a thing, and nothing that is neither."""

import pytest

from state.understanding.search_terms import query
from tests.reading.forms import ENGLISH, TRADE

SECURITY = TRADE.fields["security"]


def searched(text: str) -> str | None:
    """What is looked up when the security was asked."""
    span = query(TRADE, SECURITY, text, ENGLISH, asked=True)
    return text[slice(*span)] if span else None


@pytest.mark.parametrize(
    "text",
    ["nope", "ok use that one", "use that one", "no, none of these", "the same one", "same as last time", "that thing", "the other one",
     "hi there", "cancel", "new request", "thanks", "one sec", "let me check", "idk", "sounds good", "can I change my answer", "something else",
     "my usual", "forget it", "half a million pounds", "some shares", "espera un momento", "boh", "nein danke", "👍", "why do you need that?",
     "quello di prima"],
)  # fmt: skip
def test_what_names_nothing_is_not_searched(text: str) -> None:
    """Small talk, orders, pronouns and words that only point are no query; what else is no name is searched for and not found."""
    assert searched(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [("half a million pounds worth of Apple", "Apple"), ("Next", "Next"), ("Target", "Target"), ("Now", "Now"), ("gap", "gap"), ("visa", "visa"),
     ("Best Buy", "Best Buy"), ("Sell 50 Visa", "Visa"), ("sell my Now shares", "Now"), ("hi, tesco", "tesco"), ("Visa thanks", "Visa"),
     ("shares in Orange", "Orange"), ("no, the Tesco one", "Tesco"), ("3i Group", "3i Group"), ("I want tesco", "tesco"),
     ("GB00BLGZ9862", "GB00BLGZ9862")],
)  # fmt: skip
def test_a_name_is_searched_though_it_be_a_common_word(text: str, name: str) -> None:
    """A name that was asked for is looked up, courtesies, figures and orders around it left out."""
    assert searched(text) == name
