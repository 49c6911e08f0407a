"""Whole messages: answers to the asked field, and picks from results on screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.draft.draft import Option
from state.form.field import Data
from state.understanding.plain_answers import read_pick, read_whole
from tests.reading.forms import ENGLISH, TESCO, TRADE
from tests.thoroughness import ANY


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [("direction", "buy", "buy"), ("quantity", "2,000 units", 2000), ("value", "about £720", None), ("value", "£720", "720.00"),
      ("currency", "GBP", "GBP"),
     ("is_leveraged", "no", False), ("has_inside_info", "No inside information", None), ("holding_ack", "I agree", True),
     ("security", "Tesco", None), ("justification", "I want income", "I want income")],
)  # fmt: skip
def test_an_answer_to_the_asked_field(field: str, text: str, value: Data | None) -> None:
    """A plain answer is read by the kind of the field that was asked; with anything beside it, it is none."""
    assert read_whole(TRADE.fields[field], text, ENGLISH) == value


@pytest.mark.parametrize(
    ("text", "place"),
    [("1", 0), ("2.", 1), ("the first", 0), ("the second one please", 1), ("#2", 1), ("last one", 1), ("TSCO", 0), ("tsco", 0), ("Tesco PLC", 0),
     ("it's Tesco Corporation", 1), ("GB00BLGZ9862", 0), ("Nasdaq", 1), ("la prima", 0), ("el segundo", 1), ("TESO please", 1)],
)  # fmt: skip
def test_picks(text: str, place: int) -> None:
    """A result is picked by its place, its label, or an identifier of it, in any language."""
    assert read_pick(TESCO, text) == TESCO[place]


@pytest.mark.parametrize(
    "text", ["3", "0", "tesco", "Tesco", "neither", "none of these", ":+1:", "1?", "yes", "", "12", "1.5", "Tesco PLC or TESO", "share",
    "0001", "£1"]
)  # fmt: skip
def test_what_picks_nothing(text: str) -> None:
    """A place that is not there, a name that several begin with, or anything else picks nothing."""
    assert read_pick(TESCO, text) is None


def test_a_number_is_a_place_before_it_is_a_name() -> None:
    """ "1" is the first result, even where another one bears that name; a padded number is a name."""
    options = (
        Option("A", "Alpha"),
        Option("B", "Beta", facts={"ticker": "1"}),
        Option("C", "Gamma", facts={"ticker": "0005"}),
    )
    assert read_pick(options, "1") == options[0]
    assert read_pick(options, "0005") == options[2]


def test_yes_picks_the_only_result() -> None:
    """Where there is one result, "yes" and "that one" mean it; "no" means nothing."""
    only = TESCO[:1]
    yes = ("yes", "yes please", "that one", "sì", "sì quella", "esa misma", "ja genau die")
    assert [read_pick(only, t) for t in yes] == [only[0]] * len(yes)
    assert [read_pick(only, t) for t in ("no", "yes but", "not yes")] == [None] * 3


def test_two_results_of_one_name_are_not_told_apart() -> None:
    """A name that two results share picks neither."""
    assert read_pick((Option("A", "Shell plc"), Option("B", "Shell plc")), "Shell plc") is None


def test_nothing_to_pick_from() -> None:
    """Without results there is nothing to pick."""
    assert read_pick((), "1") is None


@given(st.text(ANY))
def test_no_text_breaks_a_pick(text: str) -> None:
    """Any text picks one of the results or none."""
    assert read_pick(TESCO, text) in (*TESCO, None)
