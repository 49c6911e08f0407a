"""What a button carries, there and back."""

from typing import Any, get_args

import pytest
from blocks_cases import PATIENT
from hypothesis import given
from hypothesis import strategies as st

from blocks.ids import ACTIONS, ID_LIMIT, Press, action_id, press_of, read_press, write_press
from state.engine.events import Act
from tests.thoroughness import ANY

PIPES = 5
PARTS = st.text(ANY, max_size=60)
VALUES = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | PARTS
PRESSES = st.builds(Press, st.sampled_from(get_args(Act)), PARTS, PARTS, VALUES, PARTS, PARTS)


@PATIENT
@given(PRESSES)
def test_a_press_comes_back_as_it_was(press: Press) -> None:
    """Whatever a press holds, its value reads back as the same press, its value of the same type."""
    again = read_press(write_press(press))
    assert again == press
    assert again is not None
    assert type(again.value) is type(press.value)


@PATIENT
@given(st.text(ANY).filter(lambda t: t.count("|") != PIPES) | st.binary() | st.none() | st.integers())
def test_garbage_is_no_press(garbage: object) -> None:
    """A value that no button of ours carries means nothing, and raises nothing."""
    assert read_press(garbage) is None


@pytest.mark.parametrize(
    "value", ["answer|D1|f|q|c|", "answer|D1|f|i1.5|c|", "destroy|D1|f||c|", "answer|D1|f||c", "answer|D1|f||c||", "i1"]
)
def test_a_forged_press_is_none(value: str) -> None:
    """An unknown act, a value of no type, or a missing or further part makes it no press."""
    assert read_press(value) is None


def test_a_press_that_does_not_fit_is_refused() -> None:
    """A press longer than its place is an error when it is written, not when it is clicked."""
    with pytest.raises(ValueError, match="does not fit"):
        write_press(Press("pick", value="x" * 2000))
    with pytest.raises(ValueError, match="does not fit"):
        write_press(Press("answer", draft="d" * 250), ID_LIMIT)


@pytest.mark.parametrize(
    ("action", "press"),
    [
        ({"type": "button", "value": "answer|D1|f|y|c|"}, Press("answer", "D1", "f", True, "c")),
        ({"type": "static_select", "block_id": "answer|D1|f||c|", "selected_option": {"value": "sell"}}, Press("answer", "D1", "f", "sell", "c")),
        ({"type": "external_select", "block_id": "answer|D1|f||c|", "selected_option": {"value": "sell"}}, Press("answer", "D1", "f", "sell", "c")),
        (
            {"type": "static_select", "block_id": "edit|D1|||c|", "selected_option": {"value": "quantity"}},
            Press("edit", "D1", "quantity", None, "c"),
        ),
        ({"type": "datepicker", "block_id": "answer|D1|f||c|", "selected_date": "2026-11-20"}, Press("answer", "D1", "f", "2026-11-20", "c")),
        ({"type": "datepicker", "block_id": "answer|D1|f||c|", "selected_date": None}, None),
        ({"type": "static_select", "block_id": "x7f", "selected_option": {"value": "sell"}}, None),
        ({"type": "button"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_slack_s_actions_are_read_by_their_kind(action: dict[str, Any], press: Press | None) -> None:
    """A button's press is its value; a menu's and a calendar's stands in the block's id, completed by what was chosen."""
    assert press_of(action) == press


def test_every_act_has_an_id_that_the_listener_hears() -> None:
    """One pattern matches every action id, numbered or not."""
    assert all(ACTIONS.match(action_id(act)) and ACTIONS.match(action_id(act, 3)) for act in get_args(Act))
