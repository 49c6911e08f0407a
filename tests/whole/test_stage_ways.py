"""How stages are left: by code once they are finished, by a choice that files, and back to be answered anew."""

from pathlib import Path

import pytest

from bot.sandbox.scenarios.player import play
from state.workflow.load import load_folder
from state.workflow.scenario import read_scenario
from tests.forms.form_cases import write
from tests.world import settings

FORM = """
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
BEGIN = """
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
SCENARIOS = {
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


@pytest.mark.parametrize("title", SCENARIOS)
async def test_stages_are_left_as_the_table_says(tmp_path: Path, title: str) -> None:
    """Each of these conversations goes as its title says."""
    folder = write(tmp_path / "parcel", FORM)
    file = tmp_path / "one.toml"
    file.write_text(f'title = "{title}"\n{BEGIN}{SCENARIOS[title]}', encoding="utf-8")
    workflow = load_folder(folder)
    await play(settings(tmp_path / "var", holdfast_workflows=str(folder)), workflow, read_scenario(file, workflow.form))
