"""Questions to PA dealing in people's own words: what counts as one, what it is about, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.understanding.form_commands import read_form_command
from tests.thoroughness import ANY
from tests.workflows.dealing_cases import DEALING

FORM = DEALING.form

MAY_I: tuple[str, ...] = (
    "can i trade {}", "may I sell my {} shares", "am i ok to buy {}?", "is {} restricted?", "am I allowed to buy {}", "could I buy {} please",
    "would it be ok to sell {} today", "is it alright if I buy some {}", "Hi, can I deal in {}?", "do I have permission to sell {}?",
    "can {} be traded", "is {} on the restricted list", "are there any restrictions on {}", "why can't I buy {}", "is {} in a closed period?",
    "could you tell me if I can trade {}", "am I free to invest in {}", "is {} ok to buy", "is trading {} permitted?",
    "can I still sell {}?", "am I already allowed to trade {}?", "posso ancora vendere {}?", "darf ich meine {} Aktien verkaufen?",
    "¿Puedo comprar {} ya?", "do I need approval to buy {}?", "do i have to tell you before i sell {}", "muss ich das melden, wenn ich {} kaufe?",
    "serve il permesso per comprare {}?", "¿hace falta autorización para vender {}?",
)  # fmt: skip
UNTIL = (
    "holding period of {}",
    "when can I sell {}?",
    "how long do I have to hold {}",
    "what's the holding period for {}?",
    "till when must I keep {}",
    "when can I get rid of my {} shares",
    "when may I part with {}?",
    "ab wann kann ich {} wieder verkaufen?",
    "quando posso vendere {}?",
    "¿Cuánto tiempo tengo que mantener {}?",
    "bis wann muss ich {} behalten?",
    "fino a quando devo tenere {}?",
    "¿Hasta cuándo debo conservar {}?",
)


@pytest.mark.parametrize("say", [*MAY_I, *UNTIL])
@pytest.mark.parametrize("thing", ["Vodafone", "TSCO", "GB00BH4HKS39"])
def test_a_question_is_read_with_what_it_is_about(say: str, thing: str) -> None:
    """Whatever the phrase, and by name, ticker or ISIN."""
    command = "can_i_trade" if say in MAY_I else "holding_period"
    name, rest = read_form_command(FORM, say.format(thing)) or ("", "")
    assert name == command and thing in rest


@pytest.mark.parametrize(
    "text", ["is it still ok to trade in Tesco", "am I now allowed to deal in Tesco?", "is trading in Tesco ok"]
)
def test_what_it_is_about_is_as_short_as_its_words_allow(text: str) -> None:
    """Of several ways to read a question, that one counts in which the form's own words hold the most."""
    assert read_form_command(FORM, text) == ("can_i_trade", "Tesco")


@pytest.mark.parametrize("text", ["can i trade", "may I sell shares?", "am I allowed to buy today?"])
def test_a_question_may_name_nothing(text: str) -> None:
    """It is one all the same, and is answered by asking which security is meant."""
    assert read_form_command(FORM, text) == ("can_i_trade", "")


@pytest.mark.parametrize(
    "text",
    ["I want to buy 200 Tesco", "can I buy 200 Tesco for my ISA", "can I sell Tesco for £700", "buy Tesco", "I may sell my Tesco shares",
     "what about Tesco instead?", "no", "yes, I am allowed to", "no inside information", "my manager is OK with it", "is it a derivative?",
     "restricted stock from my employer", "the status quo bores me", "I can trade it myself", "because I may buy a house", "200", "Tesco",
     "can I buy Tesco, my sister works there", "is Shell restricted? my wife works there", "may I sell Shell before it is announced",
     "darf ich heute 200 Tesco kaufen", "is it still ok to deal in 200 Tesco"],
)  # fmt: skip
def test_what_is_to_be_filed_or_answered_is_no_question(text: str) -> None:
    """Words that tell an amount, a wish, an answer or a reason are left to the form."""
    assert read_form_command(FORM, text) is None


@given(st.text(ANY, max_size=120))
def test_any_text_is_a_question_or_none(text: str) -> None:
    """Whatever is said, it is a question or none, and the same without the blanks around it."""
    assert read_form_command(FORM, f" {text}\n") == read_form_command(FORM, text)
