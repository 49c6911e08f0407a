"""Scenarios send files: an author needs no binary beside the form."""

from pathlib import Path

import pytest

from bot.effects.documents import kind_of_file
from bot.sandbox.scenarios.player import Fell, play
from bot.sandbox.scenarios.staging import paper
from state.workflow.load import load_folder
from state.workflow.scenario import read_scenario
from tests.documents.conftest import write_form
from tests.documents.test_document_readings import FORM, SLIP
from tests.world import settings

SCENARIO = """
title = "A payslip answers what it says"

[[steps]]
say = "papers"
expect = { asked = "payslip" }

[[steps]]
send = { "march.pdf" = "Net salary: 1,750.00", "note.txt" = "hello" }
expect = { files = { payslip = "march.pdf" }, read = { net = "1750.00" }, unset = ["net"], says = ["note.txt"] }

[[steps]]
click = "All correct"
expect = { values = { net = "1750.00" }, read = {}, asked = "hired" }
"""


def wrongly(text: str, wrong: str) -> str:
    """The scenario with something in it that does not come true."""
    assert text in SCENARIO
    return SCENARIO.replace(text, wrong)


async def played(folder: Path, text: str) -> None:
    """Play the scenario on the form of documents."""
    forms = write_form(folder, FORM)
    (folder / "one.toml").write_text(text)
    workflow = load_folder(forms / "papers")
    here = settings(folder / "var", holdfast_workflows=str(forms))
    await play(here, workflow, read_scenario(folder / "one.toml", workflow.form))


async def test_a_scenario_sends_files_and_sees_what_becomes_of_them(tmp_path: Path) -> None:
    """Files of one message are sent, their fields and what was read from them are held against what is expected."""
    await played(tmp_path, SCENARIO)


@pytest.mark.parametrize(
    ("text", "wrong", "told"),
    [
        ('payslip = "march.pdf"', 'payslip = "april.pdf"', "holds march.pdf"),
        ('read = { net = "1750.00" }', "read = {}", "waits for a click"),
    ],
)
async def test_a_scenario_that_expects_otherwise_falls(tmp_path: Path, text: str, wrong: str, told: str) -> None:
    """Another file in the field, or a proposal that nobody expects, is told with its step."""
    with pytest.raises(Fell, match=f"step 2: .*{told}"):
        await played(tmp_path, wrongly(text, wrong))


@pytest.mark.parametrize(("name", "kind"), [("a.pdf", "application/pdf"), ("a.png", "image/png"), ("a.txt", "")])
def test_a_scenarios_file_is_what_its_name_says(name: str, kind: str) -> None:
    """A scenario's PDF is a PDF, its picture a picture, and its text neither."""
    assert kind_of_file(paper(name, "\n".join(SLIP))) == kind
