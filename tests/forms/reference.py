"""docs/reference/form.md: every key of a form, from the loader's own models. `python -m tests.forms.reference` writes it."""

import ast
import inspect
import json
import tomllib
import types
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

import state.rules
from state.fields import KINDS
from state.form import field, filing, schema
from state.form.source import Source
from state.form.validation import worded
from state.workflow import scenario, tables

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "form.md"
LOADER = {"name", "family", "prompt", "passages", "slot"}
"""What the loader fills in; a form's own name may be written."""
FORM, PLAY = "form.toml", "scenarios/*.toml"
Section = tuple[str, str, type[BaseModel], str]
SECTIONS: tuple[Section, ...] = (
    ("At the top", FORM, schema.Form, ""),
    ("names", FORM, schema.FormName, "names.*"),
    ("retain", FORM, schema.Retain, "retain"),
    ("Fields", FORM, field.Field, "fields.*"),
    ("choices", FORM, field.Choice, "fields.*.choices"),
    ("when", FORM, field.Condition, "fields.*.when"),
    ("declares", FORM, field.Declares, "fields.*.declares"),
    ("known_by", FORM, field.KnownBy, "fields.*.known_by"),
    ("papers", FORM, field.Paper, "papers.*"),
    ("groups", FORM, schema.QuestionGroup, "groups.*"),
    ("repeats", FORM, schema.Repeat, "repeats.*"),
    ("Stages", FORM, schema.Stage, "stages.*"),
    ("transitions, anywhere", FORM, schema.Transition, "stages.*.transitions"),
    ("persona", FORM, schema.Persona, "persona"),
    ("Operations", FORM, schema.Operation, "operations.*"),
    ("Commands", FORM, schema.Command, "commands.*"),
    ("Filing", FORM, filing.FilingTable, "filing"),
    ("states", FORM, filing.RecordState, "filing.states.*"),
    ("extend", FORM, filing.Extend, "filing.states.*.extend"),
    ("rules", FORM, filing.FilingRule, "filing.rules"),
    ("over", FORM, filing.Over, "filing.rules.over"),
    ("report", FORM, filing.ReportTable, "filing.report"),
    ("note", FORM, filing.NoteTable, "filing.note"),
    ("breaches", FORM, filing.BreachTable, "filing.breaches"),
    ("Lists that officers keep", FORM, schema.ListTable, "lists.*"),
    ("columns", FORM, schema.ListColumn, "lists.*.columns.*"),
    ("Tables that an operator replaces", "reference.toml", tables.Table, "tables.*"),
    ("Scenarios", PLAY, scenario.Scenario, ""),
    ("steps", PLAY, scenario.Step, "steps"),
    ("expect", PLAY, scenario.Expect, "steps.expect"),
    ("record", PLAY, scenario.ExpectedRecord, "steps.expect.record"),
    ("model", PLAY, scenario.ModelReply, "steps.model"),
    ("calls", PLAY, scenario.ModelCall, "steps.model.calls"),
    ("people", PLAY, scenario.Someone, "people.*"),
    ("chat", PLAY, scenario.Chat, "steps.chat"),
    ("send", PLAY, scenario.Paper, "steps.send.*"),
)  # fmt: skip
"""Title, file, model, and where it stands: `*` is a name of the author's own; below a list, each entry is meant."""


@cache
def told(model: type) -> Mapping[str, str]:
    """Return what the models say of their attributes, those of the classes above included."""
    found: dict[str, str] = {}
    for one in reversed(model.__mro__[:-1]):
        if one.__module__.startswith("state."):
            body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(one))).body[0]
            assert isinstance(body, ast.ClassDef)
            for before, after in zip(body.body, body.body[1:], strict=False):
                if (
                    isinstance(before, ast.AnnAssign)
                    and isinstance(after, ast.Expr)
                    and isinstance(after.value, ast.Constant)
                ):
                    found[ast.unparse(before.target)] = " ".join(str(after.value.value).split())
    return found


def kind_of_value(annotation: Any) -> str:
    """Return how a value is written."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return kind_of_value(inside[0])
    if origin is Literal:
        return " or ".join(f"`{json.dumps(one)}`" for one in inside)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(kind_of_value(one) for one in inside if one is not type(None)))
    if origin is tuple:
        return f"list of {kind_of_value(inside[0])}"
    if origin is Mapping:
        within = kind_of_value(inside[1])
        return "a table for each" if within == "table" else f"table of {within}"
    plain = {str: "text", bool: "`true` or `false`", int: "whole number", float: "number", Any: "anything"}
    return plain.get(
        annotation,
        "table" if isinstance(annotation, type) and issubclass(annotation, BaseModel) else annotation.__name__,
    )


def default_of(info: FieldInfo) -> str:
    """Return what holds where a key is left out; empty where that is nothing."""
    if info.is_required():
        return "needed"
    value = info.default
    if isinstance(value, BaseModel) or (value in ("", (), {}, None, 0) and not isinstance(value, bool)):
        return ""
    return f"`{json.dumps(value)}`"


@cache
def shipped(pattern: str) -> tuple[dict[str, Any], ...]:
    """Return the data of the shipped files of a pattern."""
    return tuple(tomllib.loads(f.read_text("utf-8")) for f in sorted((ROOT / "bot" / "workflows").glob(f"*/{pattern}")))


def found(data: Any, path: list[str]) -> Iterator[Any]:
    """Yield what stands at a path; of lists, each entry."""
    if isinstance(data, list):
        for one in data:
            yield from found(one, path)
    elif not path:
        yield data
    elif isinstance(data, Mapping):
        for below in data.values() if path[0] == "*" else [data[path[0]]] if path[0] in data else []:
            yield from found(below, path[1:])


ELSEWHERE = {"fields.*": ("filing.report.fields.*", "operations.*.fields.*"), "stages.*.transitions": ("anywhere",),
             "fields.*.when": ("stages.*.transitions.when", "fields.*.choices.when")}  # fmt: skip
LONGEST = 90


def example(file: str, path: str, key: str) -> str:
    """Return a shipped form's line with this key: the shortest that says something; empty where none has it."""
    for place in (path, *ELSEWHERE.get(path, ())):
        holders = (one for data in shipped(file) for one in found(data, place.split(".") if place else []))
        values = [one[key] for one in holders if isinstance(one, Mapping) and key in one]
        if values:
            if (
                isinstance(values[0], Mapping)
                and all(isinstance(one, Mapping) for one in values[0].values())
                and values[0]
            ):
                return (
                    f"`[{'.'.join((*place.replace('*', 'NAME').split('.'), key)).lstrip('.')}.{next(iter(values[0]))}]`"
                )
            best = min((written(one) for one in values), key=lambda text: (len(text) < LEAST, len(text)))
            return f"`{key} = {best if len(best) <= LONGEST else best[: LONGEST - 1] + '…'}`".replace("|", "\\|")
    return ""


LEAST = 6
"""Characters from which an example says something."""


def written(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {written(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False, default=str)


WRONG: tuple[Any, ...] = ("no!", 5, 10**9, ["!", 5], {"!": 5}, True)


def error(model: type[BaseModel], key: str) -> str:
    """Return what an author reads who fills a key in wrongly: the loader's own sentence for the first value that it refuses."""
    info = model.model_fields[key]
    for wrong in WRONG:
        try:
            model.model_validate({info.alias or key: wrong}, context={"kinds": tuple(KINDS), "fields": ()})
        except ValidationError as refused:
            problems = worded(Source(Path("form.toml"), ""), refused, {"": model})
            for problem in problems:
                if problem.text.startswith(f"`{info.alias or key}`") and "missing" not in problem.text:
                    return problem.text.replace("|", "\\|")
    return ""


def rows(section: Section) -> Iterator[str]:
    """Yield a section's table, a row a key."""
    _, file, model, path = section
    yield "| key | value | what it says | for example | when it is wrong |\n|---|---|---|---|---|"
    for key, info in model.model_fields.items():
        if key in LOADER and (model is not schema.Form or key != "name"):
            continue
        said = "The folder's name; may be left out." if key == "name" else told(model)[key]
        default = "" if key == "name" else default_of(info)
        name = info.alias or key
        value = kind_of_value(info.annotation) + (f"; {default}" if default else "")
        yield f"| `{name}` | {value} | {said.replace('|', chr(92) + '|')} | {example(file, path, name)} | {error(model, key)} |"


@cache
def page() -> str:
    """Return the whole page."""
    lines = [HEAD]
    for section in SECTIONS:
        title, file, model, path = section
        table = ".".join("NAME" if part == "*" else part for part in path.split("."))
        summary = " ".join((inspect.getdoc(model) or "").split("\n\n")[0].split())
        place = (
            f"`{table}` in `{file}`" if path else f"`{file}`, above the first table" if file == FORM else f"`{file}`"
        )
        lines += [f"\n## {title}\n\n{place}. {summary}\n", *rows(section)]
    lines += [
        "\n## Kinds of fields\n",
        "| `kind` | what it asks for | its value, as conditions and scenarios write it | may have, besides what every field may |\n|---|---|---|---|",
    ]
    for name, kind in KINDS.items():
        takes = ", ".join(f"`{one}`" + (" (needed)" if one == kind.needs else "") for one in sorted(kind.takes))
        lines.append(f"| `{name}` | {kind.about} | {kind.wanted.removeprefix('must be ')} | {takes} |")
    lines += [
        "\n## rules.py\n\nWhat `Rules` may be given; each is a function, or functions by name.\n",
        "| part | what it says |\n|---|---|",
    ]
    lines += [f"| `{n}` | {told(state.rules.Rules)[n]} |" for n in state.rules.Rules.__dataclass_fields__]
    return "\n".join(lines) + "\n"


HEAD = """# Form reference

Every key that a form, its scenarios and its `rules.py` can have. This page is written by `python -m tests.forms.reference` from the loader's own
models, the examples are lines of the shipped forms, and the last column is what `holdfast check` says (behind the file and the line): do not edit it.
*Needed* keys have no default; where no default is named, a key that is left out says nothing. What is not listed here is refused.

[Your first form](../tutorial/first_form.md) builds one up; [Forms](../explanation/forms.md), [Rules and records](../explanation/forms_filing.md) and
[Models, texts and scenarios](../explanation/forms_speaking.md) explain how the keys work together."""


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), "utf-8")
