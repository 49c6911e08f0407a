"""Courtesy changes no answer, words and digits are one number, and no stretch of words has two readings."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from tests.corpus.spelling import SPELLED
from tests.corpus.value_fields import LOCALES, TODAY, answers, become, form
from tests.thoroughness import examples

COURTESIES = {
    "en": (
        "{} please",
        "{}, thanks",
        "ok {}",
        "hi, {}",
        "  {} ",
        "{}!",
        "{} 🙂",
        "{}.",
        "*{}*",
        "yes {}",
        "{} thank you very much",
        "so {}",
    ),
    "it": (
        "{}, grazie",
        "{} per favore",
        "ok {}",
        "buongiorno, {}",
        " {}  ",
        "{}!",
        "{} 🙂",
        "{}.",
        "*{}*",
        "sì {}",
        "allora {}",
    ),
    "es": (
        "{} gracias",
        "{}, por favor",
        "vale {}",
        "hola, {}",
        " {}  ",
        "{}!",
        "{} 🙂",
        "{}.",
        "*{}*",
        "sí {}",
        "pues {}",
    ),
    "de": ("{} danke", "{}, bitte", "ok {}", "hallo, {}", " {}  ", "{}!", "{} 🙂", "{}.", "*{}*", "ja {}", "also {}"),
}
CLOSED = ("quantity", "years", "height", "value", "salary", "start", "hour")
PLAIN = [a for code in LOCALES for a in answers(code) if a.comes_to == "taken" and a.question in CLOSED]
TEXTS = [a.text for code in LOCALES for a in answers(code)]
COUNT = Field(name="count", kind="integer", label="Count", ask="Count?", minimum=0)


@settings(max_examples=examples(200))
@given(st.sampled_from(PLAIN), st.data())
def test_courtesy_and_punctuation_change_no_value(answer, data) -> None:  # type: ignore[no-untyped-def]
    """Words and signs of courtesy around an answer never change its value: it stays, or comes back to the person."""
    before = become(answer)[1]
    text = data.draw(st.sampled_from(COURTESIES[answer.code])).format(answer.text)
    assume(text != "mil gracias")  # that is thanks
    assert become(replace(answer, text=text))[1] == before


@settings(max_examples=examples(200))
@given(st.sampled_from(PLAIN), st.sampled_from([str.upper, str.lower, str.capitalize]))
def test_case_changes_no_value(answer, turned) -> None:  # type: ignore[no-untyped-def]
    """An answer means the same in small letters, in capitals and with a capital in front."""
    assert become(replace(answer, text=turned(answer.text)))[1] == become(answer)[1]


@settings(max_examples=examples(300))
@given(st.sampled_from(sorted(LOCALES)), st.one_of(st.integers(1, 9_999_999), st.integers(1, 2_200)))
def test_a_number_is_the_same_in_digits_and_in_words(code: str, number: int) -> None:
    """Every number from 1 to 9,999,999 reads the same in digits and in words, accents or none."""
    context = Context(LOCALES[code], TODAY)
    spelled = SPELLED[code](number)
    plain = spelled.translate(str.maketrans("áéíóúüäö", "aeiouuao"))
    for text in (str(number), spelled, plain, spelled.upper()):
        assert kind_of(COUNT).whole(COUNT, text, context) == number, text


@settings(max_examples=examples(200))
@given(
    st.sampled_from(sorted(LOCALES)),
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3),
    st.sampled_from([" ", ", ", ". ", "\n", " - "]),
)
def test_no_stretch_of_words_has_two_readings(code: str, said: list[str], between: str) -> None:
    """Whatever is said, a field reads one stretch of it as one value."""
    text, context = between.join(said), Context(LOCALES[code], TODAY)
    for field in form(code).fields.values():
        found = kind_of(field).find(field, text, context)
        assert len({(r.start, r.end) for r in found}) == len({(r.start, r.end, r.data) for r in found})


@pytest.mark.parametrize("code", LOCALES)
def test_every_small_number_is_read_in_words(code: str) -> None:
    """No number up to 3,000 is left out."""
    context = Context(LOCALES[code], TODAY)
    wrong = [n for n in range(1, 3_001) if kind_of(COUNT).whole(COUNT, SPELLED[code](n), context) != n]
    assert not wrong
