"""Scenarios: conversations that an author writes down, read and checked like the form."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.workflow.scenario import ModelCall, read_scenario
from tests.forms.form_cases import FIELD, HEAD, STAGES, form_of, marked, problems

FORM = HEAD + FIELD + '[fields.many]\nkind = "integer"\nlabel = "Many"\nask = "How many?"\n' + STAGES
GOOD = """
title = "A note is taken"
today = 2026-11-20
at = 09:00:00
model = "scripted"

[[steps]]
say = "four of them"
model = [
  { text = "Well.", tool = "set_many", arguments = { many = 4, words = "four" } },
  { calls = [{ tool = "a" }, { tool = "b" }] },
  { fails = "outage" },
]
expect = { values = { many = 4 }, asked = "note", not_asked = ["many"] }

[[steps]]
click = "Edit"
on = "many"
expect.record = { state = "received", reasons = ["so it is"], computed = { risk = "LOW" } }
"""

CASES = {
    "no act": ("[[steps]] # <-\n", "exactly one of say"),
    "two acts": ('[[steps]] # <-\nsay = "x"\nclick = "y"\n', "exactly one of say"),
    "words and lines": ('[[steps]] # <-\nsay = "x"\nlines = ["y"]\n', "exactly one of say"),
    "on without click": ('[[steps]] # <-\nsay = "x"\non = "many"\n', "Add `click`"),
    "unknown key": ('[[steps]]\nsay = "x"\nexpects = {} # <-\n', "Did you mean `expect`?"),
    "unknown expectation": ('[[steps]]\nsay = "x"\nexpect = { value = 1 } # <-\n', "Did you mean `values`?"),
    "unknown field": ('[[steps]]\nsay = "x"\nexpect = { asked = "ntoe" } # <-\n', "Did you mean `note`?"),
    "unknown field in a list": ('[[steps]]\nsay = "x"\n[steps.expect]\nlocked = ["more"] # <-\n', '"more" is no field'),
    "unknown document": ('[[steps]]\nsay = "x"\n[steps.expect.files] # <-\nmore = "a.pdf"\n', '"more" is no field'),
    "unknown field put back": (
        '[[steps]]\nsay = "x"\n[steps.expect.put_back] # <-\nmore = true\n',
        '"more" is no field',
    ),
    "unknown field of a card": ('[[steps]]\nclick = "x"\non = "more" # <-\n', '"more" is no field'),
    "value of another kind": ('[[steps]]\nsay = "x"\n[steps.expect.values]\nmany = "4" # <-\n', "whole number"),
    "model that is not scripted": ('[[steps]]\nsay = "x"\nmodel = [{ text = "y" }] # <-\n', "scripted"),
    "unknown stage": ('[[steps]]\nsay = "x"\nexpect = { stage = "frist" } # <-\n', "Did you mean `first`?"),
    "unknown status": ('[[steps]]\nsay = "x"\nexpect = { status = "submited" } # <-\n', "Did you mean `submitted`?"),
    "unknown act": ("[[steps]]\nclik = 1 # <-\n", "Did you mean `click`?"),
    "no steps": ("steps = [] # <-\n", "1 or more entries"),
    "unknown model": ('model = "clever" # <-\n[[steps]]\nsay = "x"\n', "must be one of"),
    "not a date": ('today = "tomorrow" # <-\n[[steps]]\nsay = "x"\n', "must be a date"),
    "a day without its hour": ('today = 2026-11-20 # <-\n[[steps]]\nsay = "x"\n', "Add `at = 09:00:00`"),
    "an hour without its day": ('at = 09:00:00 # <-\n[[steps]]\nsay = "x"\n', "Add `today`"),
    "a walk on any day": ('walk = true # <-\n[[steps]]\nsay = "x"\n', "Add `today`"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_broken_scenario_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A scenario that breaks a rule is refused with one sentence, at the line to mend."""
    text, says = CASES[case]
    scenario = 'title = "x"\n' + text
    found = problems(tmp_path / "small", FORM, scenarios__one_toml=scenario)
    told = [p for p in found if says in p.text]
    assert told, [str(p) for p in found]
    assert (told[0].file.name, told[0].line) == ("one.toml", marked(scenario))


def test_a_scenario_says_what_happens_and_what_is_then_true(tmp_path: Path) -> None:
    """A scenario gives the day, the acts, the model's answers in their order, and the expectations of each step."""
    form = form_of(tmp_path / "small", FORM)
    file = tmp_path / "one.toml"
    file.write_text(GOOD)
    scenario = read_scenario(file, form)
    first, second = scenario.steps
    assert scenario.begins == datetime(2026, 11, 20, 9, tzinfo=UTC)
    assert first.model[0].all_calls == (ModelCall(tool="set_many", arguments={"many": 4, "words": "four"}),)
    assert [call.tool for call in first.model[1].all_calls] == ["a", "b"]
    assert (first.model[2].fails, first.expect.values, second.on) == ("outage", {"many": 4}, "many")
    assert second.expect.record is not None
    assert second.expect.record.computed == {"risk": "LOW"}
