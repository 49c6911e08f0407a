"""What words add to a list that was closed: further choices come to those that stand, and nothing else adds any."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from state.advance import begin
from state.draft.draft import Draft, Provenance, Value
from state.fields.base import Context
from state.form.field import Data
from state.understanding.corrections import wanted_longer
from state.understanding.reader import read_open
from state.workflow.load import Workflow, load_folder

AT = "2026-11-20T09:00:00+00:00"
SPANISH = Context("es-ES", "2026-11-20")


@cache
def workflow() -> Workflow:
    """The vehicle case."""
    return load_folder(Path(__file__).parents[2] / "bot" / "workflows" / "vehicle_case")


def draft(asked: str = "espejos_fotos") -> Draft:
    """A case of a motorcycle's mirrors, whose photos are asked for."""
    told: dict[str, Data] = {"tipo_vehiculo": "motocicleta", "elementos": ("espejos",)}
    values = {name: Value(data, Provenance("U1", AT, "typed")) for name, data in told.items()}
    made = begin(workflow().form, "d1", "T1", "U1", "T1:D1:", AT)
    return replace(made, values=values, stage="collect_element_data", asked=asked)


def longer(text: str, asked: str = "espejos_fotos") -> Data | None:
    """What the list comes to."""
    reply = read_open(workflow().form, draft(asked), text, "m1", SPANISH)
    given = (c.arguments or {} for c in reply.calls if c.tool == "correct")
    return next((a["value"] for a in given if a["field"] == "elementos"), None)


ADDED = (
    "quiero añadir también el manillar", "además he cambiado el manillar", "ah, y también el manillar",
    "I'd like to add the manillar as well", "también le he puesto otro manillar", "aparte de los espejos está el manillar",
    "el manillar también lo he cambiado", "hola,\nquería añadir el manillar\ngracias", "y el manillar", "ah, y un manillar",
)  # fmt: skip


@pytest.mark.parametrize(
    "text", ["quita los espejos", "sin espejos", "los espejos no", "ninguno de los espejos", "espejos weglassen"]
)
def test_an_element_is_taken_off_those_that_stand(text: str) -> None:
    """The others stay; the last one stays too, since the list may not be empty."""
    two = Value(("manillar", "espejos"), Provenance("U1", AT, "typed"))
    held = replace(draft("escape_fotos"), values={**draft().values, "elementos": two})
    given = [
        c.arguments or {} for c in read_open(workflow().form, held, text, "m1", SPANISH).calls if c.tool == "correct"
    ]
    assert [a["value"] for a in given] == [("manillar",)]
    assert longer(text) is None


@pytest.mark.parametrize("text", ADDED)
def test_an_element_is_added_to_those_that_stand(text: str) -> None:
    """Where a word of adding stands in the wish, the new element comes to the others, in the form's order."""
    assert longer(text) == ("manillar", "espejos")


@pytest.mark.parametrize(
    "text",
    [
        "no quiero añadir el manillar", "¿cuánto costaría añadir el manillar?", "el manillar es de serie",
        "los espejos también", "perdón, los espejos también",
        "quiero añadir una cosa", "no he cambiado también el manillar", "gracias",
    ],
)  # fmt: skip
def test_what_is_no_such_wish_adds_nothing(text: str) -> None:
    """A denial, a question about it, a remark, and what stands already leave the list as it is."""
    assert longer(text) is None


def test_what_is_in_the_list_stays_beside_what_is_said_again() -> None:
    """Words of adding never take one of several elements for all of them, whatever announces them."""
    both = replace(
        draft(), values={**draft().values, "elementos": Value(("escape", "espejos"), Provenance("U1", AT, "typed"))}
    )
    calls = read_open(workflow().form, both, "perdón, el escape también", "m1", SPANISH).calls
    assert not any((c.arguments or {}).get("field") == "elementos" for c in calls)


def test_where_no_question_waits_choices_alone_are_further_ones() -> None:
    """Who goes on naming elements below the list, a line each, adds them; to a question the same words may be the answer."""
    assert longer("un manillar", asked="") == ("manillar", "espejos")
    assert longer("un manillar") is None


def test_several_come_at_once() -> None:
    """All that one message names is added."""
    assert longer("quiero añadir el faro y también las ruedas") == ("espejos", "ruedas", "faro")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("quiero añadir otro elemento", True), ("añado otra pieza", True), ("no quiero añadir más elementos", False),
        ("¿cuánto cuesta añadir otro elemento?", False),
        ("también la reforma la hizo mi primo", False), ("gracias", False),
    ],
)  # fmt: skip
def test_a_wish_that_names_no_element_opens_the_list(text: str, wanted: bool) -> None:
    """A further element, piece or modification without its name is asked for; a denial, a question and a remark are not such a wish."""
    found = wanted_longer(workflow().form, draft(), text, SPANISH)
    assert (found.name if found else "") == ("elementos" if wanted else "")
