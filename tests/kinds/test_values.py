"""Answers as people write them: taken whole, found in open words, or left alone. The sentences stand in values/, a file a language."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.measures import spaced
from state.form import Choice, Field
from state.form.field import Data
from tests.kinds.fields import ENGLISH, TODAY
from tests.thoroughness import examples

HERE = Path(__file__).parent / "values"
LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES", "de": "de-DE"}
COUNTING = ("integer", "decimal", "percentage", "money")
CLOSED = (*COUNTING, "currency", "date", "time", "period", "phone", "email", "link", "identifier")
UNKNOWN = ("not", "each", "roughly", "xyzzy", "menos", "ungefähr", "last year", "from my boss", "or 7", "~")


@cache
def questions(code: str) -> Mapping[str, tuple[Field, Mapping[str, Any]]]:
    """The questions of a language: their fields, and what is written to each."""
    tables = tomllib.loads((HERE / f"{code}.toml").read_text("utf-8"))
    return {name: (_field(name, table["field"]), table) for name, table in tables.items()}


def _field(name: str, told: Mapping[str, Any]) -> Field:
    choices = tuple(Choice(**choice) for choice in told.get("choices", ()))
    return Field(name=name, **{**told, "choices": choices})


def _written(data: Data) -> object:
    """The value as TOML has it."""
    return list(data) if isinstance(data, tuple) else data


def context(code: str) -> Context:
    """The context of a language's form."""
    return Context(LOCALES[code], TODAY)


def rows(part: str) -> list[Any]:
    """Each sentence of a part ("whole", "found", "nothing") with its field and what it comes to."""
    found = []
    for code in LOCALES:
        for name, (field, table) in questions(code).items():
            said = table.get(part, {})
            pairs = ((text, None) for text in said.get("texts", ())) if part == "nothing" else said.items()
            found += [pytest.param(code, field, text, want, id=f"{code}-{name}-{text}") for text, want in pairs]
    return found


WHOLE = [p.values for p in rows("whole") if p.values[1].kind in CLOSED]
EVERY = [p.values for part in ("whole", "found", "nothing") for p in rows(part) if p.values[1].kind in CLOSED]


@pytest.mark.parametrize(("code", "field", "text", "value"), rows("whole"))
def test_a_plain_answer_is_its_value(code: str, field: Field, text: str, value: Data) -> None:
    """A value with the field's own name and small words around it is the answer. A yes, a no or a choice that code does not know costs a click."""
    data = kind_of(field).whole(field, text, context(code))
    assert _written(data) == value if data is not None else field.kind not in CLOSED


@pytest.mark.parametrize(("code", "field", "text", "found"), rows("found"))
def test_what_says_more_is_found_and_not_taken(code: str, field: Field, text: str, found: list[list[Any]]) -> None:
    """Beside any other word a value is a candidate where it stands, named where the field's mark or name stands beside it."""
    assert kind_of(field).whole(field, text, context(code)) is None
    read = kind_of(field).find(field, text, context(code))
    assert [[text[r.start : r.end], _written(r.data), *(["named"] if r.named else [])] for r in read] == found


@pytest.mark.parametrize(("code", "field", "text", "_"), rows("nothing"))
def test_a_part_of_something_longer_is_nothing(code: str, field: Field, text: str, _: None) -> None:
    """What is in doubt, belongs to something else or is no value of the field is neither taken nor found."""
    kind = kind_of(field)
    assert (kind.whole(field, text, context(code)), kind.find(field, text, context(code))) == (None, ())


@pytest.mark.parametrize(("code", "field", "text", "times"), rows("near"))
def test_an_hour_alone_is_of_the_morning_or_the_afternoon(code: str, field: Field, text: str, times: list[str]) -> None:
    """An hour that says nothing of the half of the day is not taken; its own question shows both."""
    near = kind_of(field).near(field, text, context(code))
    assert kind_of(field).whole(field, text, context(code)) is None and [r.data for r in near] == times


@settings(max_examples=examples(200))
@given(st.sampled_from(WHOLE), st.sampled_from(UNKNOWN), st.booleans())
def test_a_word_that_nothing_explains_leaves_no_value(row: Any, word: str, first: bool) -> None:
    """Whatever stands beside a plain answer and is no part of it, nothing is taken."""
    code, field, text, _ = row
    said = f"{word} {text}" if first else f"{text} {word}"
    assert kind_of(field).whole(field, said, context(code)) is None


def test_a_candidate_parses_to_its_value() -> None:
    """The words of a candidate are its value wherever they are entered, but for those of a currency's sum and what could be two."""
    for code, field, text, _ in EVERY:
        read = kind_of(field).find(field, text, context(code)) if field.kind != "currency" else ()
        for one in (r for r in read if [(s.start, s.end) for s in read].count((r.start, r.end)) == 1):
            assert kind_of(field).parse(field, text[one.start : one.end], context(code)) == one.data, text


def test_no_figure_is_cut() -> None:
    """Neither letter, digit nor separator goes on beside a number that is found, but for its unit ("330mm")."""
    for code, field, text, _ in EVERY:
        for reading in kind_of(field).find(field, text, context(code)) if field.kind in COUNTING else ():
            behind = spaced(field, text[reading.end - 1 :], context(code).language)[1:]
            assert not re.search(r"[\w.,/+-]$", text[: reading.start]) and not re.match(r"[\w/+-]|[.,]\w", behind), text


@settings(max_examples=examples(300))
@given(
    st.lists(st.sampled_from(("0", "1", "20", "345", "000")), min_size=1, max_size=4),
    st.sampled_from(("", ".", ",", " ", "-", ":", "/", "'", "\u00a0", "x", "%", "k")),
    st.sampled_from(("{}", "{}x", "a{}", "{}+", "~{}", "£{}", "{}%", "({})", "{}.", "#{}")),
)
def test_a_figure_is_one_number_or_none(parts: list[str], joint: str, around: str) -> None:
    """However digits and signs are strung together, what is taken or found has all the digits of its figure; "3i" behind "50" is a name."""
    text, count = around.format(joint.join(parts)), Field(name="count", kind="decimal", label="Count", ask="Count?")
    for value in (
        kind_of(count).whole(count, text, ENGLISH),
        *(r.data for r in kind_of(count).find(count, text, ENGLISH)),
    ):
        digits = re.sub(r"[^0-9]", "", re.sub(r"[ \u00a0][0-9]x$", "", text)).strip("0")
        assert value is None or re.sub(r"[^0-9]", "", str(value)).strip("0") == digits


@settings(max_examples=examples(200))
@given(st.sampled_from(WHOLE), st.sampled_from([str.upper, str.lower, str.capitalize]))
def test_case_changes_no_value(row: Any, turned: Any) -> None:
    """An answer in small letters, in capitals or with a capital in front never comes to another value."""
    code, field, text, value = row
    read = kind_of(field).whole(field, turned(text), context(code))
    assert read is None or str(read).casefold() == str(value).casefold()


SLIPS = Field(
    name="part",
    kind="choice",
    label="Part",
    ask="Which part?",
    choices=tuple(
        Choice(value=word, label=word.capitalize())
        for word in ("toldo", "carta", "vendo", "todos", "privato", "cuenca")
    ),
)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("todlo", "toldo"), ("vnedo", "vendo"), ("cuencas", "cuenca"), ("todas", "todos"), ("carte", "carta"), ("privata", "privato"),
        ("todo", "todos"), ("certa", None), ("venga", None), ("cuenta", None), ("cento", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("code", ["es", "it", "en"])
def test_a_word_that_means_something_itself_is_no_slip(code: str, text: str, taken: str | None) -> None:
    """One letter may be wrong in a word that nobody uses; a word of any language is a choice only with another ending."""
    assert kind_of(SLIPS).whole(SLIPS, text, context(code)) == taken
