"""The format carries forms that were made elsewhere without a new mechanism."""

import json
from pathlib import Path
from typing import Any

import pytest

from state.workflow.load import load_all
from tests.forms.form_cases import write

SHARED = Path(__file__).parents[3] / "shared" / "data" / "sgd_dev_forms.json"


@pytest.fixture
def foreign() -> dict[str, Any]:
    """Thirteen forms of real assistants, where this machine has them."""
    if not SHARED.exists():
        pytest.skip(f"{SHARED.name} is not on this machine: its thirteen forms were NOT loaded")
    return json.loads(SHARED.read_text(encoding="utf-8"))


def kind(field: dict[str, Any]) -> str:
    """The kind that a field's name and choices speak of."""
    choices, words = field["choices"], field["name"].split("_")
    if choices:
        by_choice = {"yes_no": {"True", "False"} == set(choices), "integer": all(c.isdigit() for c in choices)}
        return next((name for name, fits in by_choice.items() if fits), "choice")
    by_name = {"date": "date", "time": "time", "days": "integer", "length": "integer", "amount": "money"}
    return next((by_name[word] for word in words if word in by_name), "text")


def default(field: dict[str, Any]) -> str:
    """The default in its kind's canonical form, as TOML."""
    if kind(field) == "integer":
        return str(int(field["default"]))
    return json.dumps(field["default"] == "True") if kind(field) == "yes_no" else json.dumps(field["default"])


def as_toml(name: str, number: int, form: dict[str, Any]) -> str:
    """A form of the collection as a form.toml."""
    lines = [f"title = {json.dumps(form['title'])}", 'version = "1"', f'prefix = "F{chr(65 + number)}"']
    for field in form["fields"]:
        label = field["name"].replace("_", " ").capitalize()
        lines += [f"[fields.{field['name']}]", f'kind = "{kind(field)}"', f"label = {json.dumps(label)}"]
        lines += [f"ask = {json.dumps(field['description'] + '?')}", f"required = {json.dumps(field['required'])}"]
        if field["default"] is not None:
            lines.append(f"default = {default(field)}")
        if kind(field) == "yes_no":
            lines.append("suggest = true")
        if kind(field) == "text":
            lines.append("short = true")
        if kind(field) == "money":
            lines.append('currency = "USD"')
        if kind(field) == "choice":
            lines.append(f"choices = {json.dumps(field['choices'])}")
        if kind(field) == "integer" and field["choices"]:
            lines += ["minimum = 1", f"maximum = {len(field['choices'])}"]
    return "\n".join(lines) + f"\n# {name}\n"


def test_thirteen_foreign_forms_load_as_workflows(tmp_path: Path, foreign: dict[str, Any]) -> None:
    """Forms of banks, buses, hotels and others, written as workflow folders, load with their fields, choices and defaults."""
    for number, (name, form) in enumerate(foreign.items()):
        write(tmp_path / name.lower().replace(".", "_"), as_toml(name, number, form))
    loaded = load_all([tmp_path])
    assert len(loaded) == len(foreign) == 13
    for name, form in foreign.items():
        fields = loaded[name.lower().replace(".", "_")].form.fields
        assert list(fields) == [f["name"] for f in form["fields"]]
        assert [f.required for f in fields.values()] == [f["required"] for f in form["fields"]]
        assert {f.name: str(f.default) for f in fields.values() if f.default is not None} == {
            f["name"]: f["default"] for f in form["fields"] if f["default"] is not None
        }
    kinds = {f.kind for workflow in loaded.values() for f in workflow.form.fields.values()}
    assert kinds == {"text", "choice", "integer", "money", "date", "time", "yes_no"}
