"""The one line that a request is known by: the form's own, or its first answers."""

from dataclasses import replace
from pathlib import Path

import pytest

from state.draft.draft import Draft, Provenance, Value
from state.draft.essence import essence
from state.fields.base import Context
from state.form.field import Data
from state.form.schema import Form
from state.form.source import FormError
from state.workflow.load import load_folder

FORM = """
title = "Parcel"
version = "1"
prefix = "PCL"
{more}

[fields.careful]
kind = "yes_no"
label = "Fragile"
ask = "Is it fragile?"

[fields.town]
kind = "text"
label = "Town"
ask = "To which town?"

[fields.boxes]
kind = "integer"
label = "Boxes"
ask = "How many boxes?"
{unit}

[fields.worth]
kind = "money"
label = "Worth"
ask = "What is it worth?"

[fields.currency]
kind = "currency"
label = "Currency"
ask = "In which currency?"

[fields.code]
kind = "text"
label = "Door code"
ask = "What is the door code?"
sensitive = true

[fields.picture]
kind = "document"
label = "Picture"
ask = "Please send a picture."

[repeats.stop]
most = 2

[fields.stop]
kind = "text"
label = "Stop {{n}}"
ask = "Where does it stop?"
repeat = "stop"
"""
TOLD: dict[str, Data] = {
    "careful": False,
    "town": "Leeds",
    "boxes": 3,
    "worth": "720.00",
    "currency": "GBP",
    "code": "0815",
    "stop_1": "York",
}


def a_form(folder: Path, more: str = "", unit: str = "") -> Form:
    """The parcel's form as it is loaded."""
    there = folder / "parcel"
    there.mkdir(exist_ok=True)
    (there / "form.toml").write_text(FORM.format(more=more, unit=unit))
    return load_folder(there).form


def line(form: Form, told: dict[str, Data]) -> str:
    """What a draft with these answers is known by."""
    values = {name: Value(data, Provenance("U1", "", "typed", "")) for name, data in told.items()}
    draft = replace(Draft("D1", form.name, "T1", "U1", "T1:D1:"), values=values)
    return essence(form, draft, Context(form.language, "2026-11-20"))


def some(*names: str) -> dict[str, Data]:
    return {name: TOLD[name] for name in names}


def test_the_form_words_the_line(tmp_path: Path) -> None:
    """The line is the form's, filled with the answers as people read them; an amount and its currency are one."""
    form = a_form(tmp_path, 'essence = "{boxes} boxes to {town} (by {stop_1}) · {worth} {currency}"')
    assert line(form, TOLD) == "3 boxes to Leeds (by York) · GBP 720.00"


@pytest.mark.parametrize("written", ["{worth} {currency}", "{currency} {worth}", "{worth}"])
def test_an_amount_and_its_currency_are_one(tmp_path: Path, written: str) -> None:
    """However the form's author writes the two, the currency stands once, before its amount."""
    assert line(a_form(tmp_path, f'essence = "{written}"'), TOLD) == "GBP 720.00"


@pytest.mark.parametrize(
    ("told", "shown"),
    [((), ""), (("town",), "to Leeds"), (("worth",), "720.00"), (("currency",), ""), (("town", "worth"), "to Leeds · 720.00")],
)  # fmt: skip
def test_what_is_not_told_yet_is_left_out(tmp_path: Path, told: tuple[str, ...], shown: str) -> None:
    """A part of which nothing is told is not there, and no mark of it either."""
    form = a_form(tmp_path, 'essence = "to {town} ({stop_1}) · {worth} {currency}"')
    assert line(form, some(*told)) == shown


def test_without_a_line_of_its_own_a_form_has_its_first_answers(tmp_path: Path) -> None:
    """What tells one request from another, a bare number with its label, and nothing sensitive or declared."""
    assert line(a_form(tmp_path), TOLD) == "Leeds · Boxes: 3 · GBP 720.00 · York"
    assert line(a_form(tmp_path, unit='unit = "boxes"'), some("boxes")) == "3 boxes"
    assert line(a_form(tmp_path), some("code")) == ""


def test_declarations_alone_tell_what_they_answer(tmp_path: Path) -> None:
    """Where nothing else is told, a yes or no stands with its label."""
    assert line(a_form(tmp_path), some("careful")) == "Fragile: No"
    assert line(a_form(tmp_path, 'essence = "{town}, {careful}"'), some("town", "careful")) == "Leeds, Fragile: No"


def test_a_long_answer_is_cut(tmp_path: Path) -> None:
    """One answer cannot fill the line, nor break it."""
    shown = line(a_form(tmp_path, 'essence = "{town} · {boxes}"'), {"town": "on\nand on " * 50, "boxes": 3})
    assert shown.endswith("… · 3") and len(shown) < 80 and "\n" not in shown


WRONG: dict[str, str] = {
    "{towns}": "{towns} is no field of this form",
    "{town": "A brace must hold a field's name",
    "{Town}": "A brace must hold a field's name",
    "to {code}": "`code` is sensitive",
    "{picture}": "`picture` is answered by a file",
    "a parcel": "names no field",
    "{stop}": "`stop` is asked several times. Name one of them, like {stop_1}",
    "{town}" + "x" * 200: "at most 150",
}


@pytest.mark.parametrize("written", WRONG)
def test_a_line_that_cannot_be_filled_is_refused_with_its_line(tmp_path: Path, written: str) -> None:
    """Loading names the line to mend, and what to do."""
    with pytest.raises(FormError) as refused:
        a_form(tmp_path, f'essence = "{written}"')
    (problem,) = refused.value.problems
    assert problem.line == 5 and WRONG[written] in problem.text


def test_every_shipped_form_that_files_words_its_line() -> None:
    """Nobody's request is known by whatever happened to be answered first."""
    shipped = Path(__file__).parents[2] / "bot" / "workflows"
    forms = [load_folder(f.parent).form for f in sorted(shipped.glob("*/form.toml"))]
    assert [f.name for f in forms if f.fields and not f.essence] == []


def test_the_context_is_the_person_s_language(tmp_path: Path) -> None:
    """Figures and choices stand in the form's own way of writing."""
    form = a_form(tmp_path, 'language = "it-IT"\nessence = "{worth}"')
    assert line(form, {"worth": "1720.00", "currency": "EUR"}) == "EUR 1.720,00"
