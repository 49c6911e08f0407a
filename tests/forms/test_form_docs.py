"""The pages that explain forms hold nothing that does not load."""

import re
import tomllib
from pathlib import Path

from state.workflow.scenario import read_scenario
from tests.forms.form_cases import FIELD, HEAD, load, write
from tests.workflows.dealing_cases import DEALING

PAGES = sorted((Path(__file__).parents[2] / "docs" / "explanation").glob("forms*.md"))
DOCS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def examples(language: str) -> list[str]:
    """The examples written in a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)


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
