"""docs/forms.md tells authors the whole format, and nothing that does not load."""

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel

from state.form import Field, Form, Operation, Repeat, Stage, Transition
from state.form.filing import FilingRule, FilingTable, RecordState
from state.form.schema import Command, ListColumn, ListTable, Persona
from state.rules import Rules
from state.workflow.scenario import Expect, ExpectedRecord, ModelReply, Scenario, Step, read_scenario
from tests.forms.form_cases import FIELD, HEAD, load, write
from tests.workflows.dealing_cases import DEALING

DOCS = (Path(__file__).parents[2] / "docs" / "forms.md").read_text(encoding="utf-8")
LOADER = {"name", "family", "prompt", "passages", "slot"}
"""What the loader fills in."""


def examples(language: str) -> list[str]:
    """The examples written in a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)


@pytest.mark.parametrize(
    "part",
    [
        Form,
        Field,
        Persona,
        Stage,
        Transition,
        Repeat,
        Operation,
        FilingTable,
        FilingRule,
        RecordState,
        Scenario,
        Step,
        ModelReply,
        Expect,
        ExpectedRecord,
        ListTable,
        ListColumn,
        Command,
    ],
)
def test_every_key_is_documented(part: type[BaseModel]) -> None:
    """No key of the format is left out of its documentation."""
    prose = re.sub(r"```.*?```", "", DOCS, flags=re.DOTALL)
    known = set(re.findall(r"\w+", " ".join([*re.findall(r"`([^`]+)`", prose), *examples("toml")])))
    assert set(part.model_fields) - LOADER <= known


def test_every_part_of_the_rules_is_documented() -> None:
    """No part of `Rules` is left out of its documentation."""
    assert set(Rules.__dataclass_fields__) - {"version"} <= set(re.findall(r"`(\w+)`", DOCS))


def test_every_example_is_toml() -> None:
    """Every example of a form or a scenario can be read."""
    assert all(tomllib.loads(text) for text in examples("toml"))


def test_the_rules_example_runs(tmp_path: Path) -> None:
    """The example of a rules.py makes rules from the table beside it."""
    (text,) = examples("python")
    loaded = load(
        tmp_path / "small", HEAD + FIELD + 'grade = "reason"\n', rules_py=text, data__boilerplate_csv="word\nwhatever\n"
    )
    assert [str(loaded.rules.graders["reason"](said)) for said in ("Whatever", "for the house")] == ["brief", "good"]


def test_the_scenario_example_fits_its_form(tmp_path: Path) -> None:
    """The example of a scenario can be read against PA dealing's form."""
    text = next(text for text in examples("toml") if "[[steps]]" in text)
    file = write(tmp_path, "", one_toml=text) / "one.toml"
    assert len(read_scenario(file, DEALING.form).steps) == 4
