"""Small workflow folders for tests: written to disk, loaded as any other."""

import re
from pathlib import Path

from state.draft.draft import Draft
from state.draft.stages import open_transitions
from state.form import Form
from state.form.source import FormError, Problem
from state.workflow.load import Workflow, load_folder

HEAD = 'title = "Small"\nversion = "1"\nprefix = "SM"\n'
FIELD = '[fields.note]\nkind = "text"\nlabel = "Note"\nask = "What is it?"\n'
FLAG = 'kind = "yes_no"\nlabel = "Flag"\nask = "Is it so?"\n'
BASIC = 'label = "A"\nask = "A?"\n'
STAGES = '[stages.first]\ntransitions = [{ to = "last" }]\n[stages.last]\nfinal = true\n'
MARK = "# <-"
PAGES = sorted((Path(__file__).parents[2] / "docs" / "explanation").glob("forms*.md"))
DOCS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def examples(language: str) -> list[str]:
    """The examples of the pages that explain forms, written in a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)


def write(folder: Path, form: str, **files: str) -> Path:
    """Write a workflow folder; `rules_py="…"` becomes rules.py, `scenarios__one_toml` becomes scenarios/one.toml."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "form.toml").write_text(form, encoding="utf-8")
    for name, text in files.items():
        file = folder / ".".join(name.replace("__", "/").rsplit("_", 1))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def load(folder: Path, form: str, **files: str) -> Workflow:
    """Write and load."""
    return load_folder(write(folder, form, **files))


def form_of(folder: Path, text: str) -> Form:
    """The form of a folder that has nothing else."""
    return load(folder, text).form


def problems(folder: Path, form: str, **files: str) -> tuple[Problem, ...]:
    """What is wrong with a folder; empty where nothing is."""
    try:
        load(folder, form, **files)
    except FormError as error:
        return error.problems
    return ()


def told_at(folder: Path, form: str, says: str, **files: str) -> None:
    """One problem of a folder says this, at the line that is marked, where one is."""
    found = problems(folder, form, **files)
    told = [p for p in found if says in p.text]
    assert told, [str(p) for p in found]
    assert MARK not in form or told[0].line == marked(form), str(told[0])


def marked(text: str) -> int:
    """The line that a case marks as the one to mend."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if MARK in line)


def follow(form: Form, draft: Draft, trigger: str) -> str | None:
    """Return the stage that a trigger leads to now; None where the table does not allow it."""
    return next((way.to for way in open_transitions(form, draft) if way.on == trigger), None)
