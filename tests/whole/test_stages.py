"""Stages at work, through the whole bot: variants, decisions, several of a thing, a person who takes over, and the ways that lead on and back."""

from pathlib import Path

import pytest

from bot.sandbox.scenarios.player import play
from state.workflow.load import load_folder
from state.workflow.scenario import read_scenario
from tests.forms.form_cases import write
from tests.whole.holiday import FORM, RULES
from tests.world import settings

PARCEL = """
title = "Parcel"
version = "1"
prefix = "PAR"
words = ["parcel"]

[fields.sender]
kind = "text"
label = "Sender"
ask = "Who sends it?"
stage = "people"

[fields.weight]
kind = "integer"
label = "Weight"
ask = "How heavy is it?"
stage = ["people", "reading"]

[fields.colour]
kind = "text"
label = "Colour"
ask = "Which colour?"
stage = "reading"

[stages.people]
transitions = [{ on = "received", to = "reading", automatic = true }]

[stages.reading]
transitions = [
  { on = "confirmed", to = "result", automatic = true },
  { on = "retry", to = "people", at_most = 1, again = true, label = "Once more" },
]

[stages.result]
ask = "That is the result."
transitions = [{ on = "more", to = "reading", label = "More" }, { on = "done", to = "ended", submits = true, label = "I am done" }]

[stages.ended]
ask = "Farewell."
final = true
"""
PARCEL_BEGINS = """
[[steps]]
say = "parcel"
expect = { stage = "people", asked = "sender" }

[[steps]]
enter = "Rowan"
expect = { stage = "people", asked = "weight" }

[[steps]]
say = "12"
expect = { stage = "reading", asked = "colour", not_asked = ["weight"] }
"""
PARCELS = {
    "A stage is left by code only once everything that it asks is told, and a field of two stages is asked once": "",
    "A stage that is asked anew keeps its answers until others are given, and as often as the table allows": """
[[steps]]
click = "Once more"
expect = { stage = "people", asked = "sender", values = { sender = "Rowan", weight = 12 } }

[[steps]]
click = "Keep “Rowan”"
expect = { stage = "people", asked = "weight" }

[[steps]]
say = "14"
expect = { stage = "reading", asked = "colour", values = { sender = "Rowan", weight = 14 }, never_says = ["Once more"] }
""",
    "A way that files and has a button is chosen first: the review waits for the choice, and the record for Submit": """
[[steps]]
enter = "green"
expect = { stage = "result", asked = "", review = false, says = ["That is the result.", "I am done", "More"] }

[[steps]]
click = "I am done"
expect = { stage = "result", review = true, records = 0 }

[[steps]]
click = "Submit"
expect = { stage = "ended", status = "submitted", records = 1, says = ["Farewell."] }
""",
}
HOLIDAY_BEGINS = """
[[steps]]
say = "holiday"
expect = { stage = "welcome", asked = "", says = ["Shall we begin?"] }

[[steps]]
click = "Let us begin"
expect = { stage = "work", asked = "kind_of_work" }
"""
HOLIDAYS = {
    "The whole way: code follows the table, the person chooses where there is a choice, the record is filed once": """
[[steps]]
click = "Desk"
expect = { stage = "details_desk", asked = "manager" }

[[steps]]
say = "Ms Rowan"
expect = { asked = "trip_days_1" }

[[steps]]
say = "12"
expect = { asked = "another_trip_1" }

[[steps]]
click = "Yes"
expect = { asked = "trip_days_2" }

[[steps]]
say = "5"

[[steps]]
click = "No"
expect = { asked = "gear", unset = ["trip_days_3"] }

[[steps]]
tick = ["Skis", "Tent"]
expect = { stage = "result", review = true, values = { gear = ["Tent", "Skis"], class_of_travel = "second" }, says = ["17 days fit."] }

[[steps]]
click = "Arrange a visit"
expect = { stage = "visit", asked = "visit" }

[[steps]]
click = "Without a visit"
expect = { stage = "visit", review = true, unset = ["visit"] }

[[steps]]
click = "No, continue"
expect = { asked = "visit", review = false }

[[steps]]
say = "without a visit"
expect = { review = true }

[[steps]]
click = "Submit"
expect = { stage = "ended", status = "submitted", records = 1, says = ["Enjoy your holiday."] }
""",
    "A way whose decision says no ends the draft without a record": """
[[steps]]
click = "Field"
expect = { stage = "details_field", asked = "trip_days_1" }

[[steps]]
say = "40"

[[steps]]
say = "no"

[[steps]]
say = "boat"
expect = { stage = "sorry", status = "cancelled", records = 0, says = ["too long for one year"] }
""",
    "A changed answer that decided a way leads back to its stage and from there on again": """
[[steps]]
click = "Desk"

[[steps]]
say = "Ms Rowan"

[[steps]]
edit = { kind_of_work = "Field" }
expect = { stage = "details_field", asked = "trip_days_1", unset = ["manager"] }
""",
    "An answer that leads to a person hands over: the bot is silent until they hand back, then asks that answer again": """
[[steps]]
click = "Both of them"
expect = { stage = "with_person", handed = true, asked = "", says = ["A person takes it from here"] }

[[steps]]
say = "are you there?"
expect = { handed = true, never_says = ["person", "Work", "find the answer"] }

[[steps]]
click = "Back to Holdfast"
by = "colleague"
expect = { stage = "work", handed = false, asked = "kind_of_work" }

[[steps]]
click = "Desk"
expect = { stage = "details_desk", asked = "manager" }
""",
    "Words that must not be missed hand over from any stage, and the stage before goes on afterwards": """
[[steps]]
click = "Field"

[[steps]]
say = "I am completely burnt out, you know"
expect = { stage = "with_person", handed = true }

[[steps]]
click = "Back to Holdfast"
by = "colleague"
expect = { stage = "details_field", handed = false, asked = "trip_days_1" }
""",
    "An answer between is progress: the count of fruitless turns begins anew": """
[[steps]]
say = "blue"

[[steps]]
say = "green"

[[steps]]
say = "desk"

[[steps]]
say = "Ms Rowan"

[[steps]]
say = "red"
expect = { stage = "details_desk", handed = false, asked = "trip_days_1" }
""",
    "Three turns without progress hand over where the form says so": """
[[steps]]
say = "blue"

[[steps]]
say = "green"

[[steps]]
say = "red"
expect = { stage = "with_person", handed = true }
""",
}
STEPS = """
model = "scripted"
[[steps]]
say = "holiday please"

[[steps]]
say = "well then, do begin with it"
model = [
  { tool = "go", arguments = { to = "schedule", words = "do begin with it" } },
  { tool = "go", arguments = { to = "proceed", words = "never said" } },
  { tool = "go", arguments = { to = "proceed", words = "do begin with it" } },
]
expect = { stage = "work", asked = "kind_of_work" }
"""
PLAYED = {
    **{title: (FORM, RULES, HOLIDAY_BEGINS + steps) for title, steps in HOLIDAYS.items()},
    **{title: (PARCEL, "", PARCEL_BEGINS + steps) for title, steps in PARCELS.items()},
    "A step of a model's that is not open, or that the newest message does not ask for, is refused; one that is both is taken": (
        FORM, RULES, STEPS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", PLAYED)
async def test_stages_act(tmp_path: Path, title: str) -> None:
    """Each of these conversations goes as its title says."""
    form, rules, steps = PLAYED[title]
    folder = write(tmp_path / "played", form, rules_py=rules) if rules else write(tmp_path / "played", form)
    file = tmp_path / "one.toml"
    file.write_text(f'title = "{title}"\n{steps}', encoding="utf-8")
    workflow = load_folder(folder)
    await play(settings(tmp_path / "var", holdfast_workflows=str(folder)), workflow, read_scenario(file, workflow.form))
