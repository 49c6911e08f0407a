"""A workflow's rules.py: imported from wherever its folder stands, and held against the names that the form uses."""

import hashlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

from state.form.files import Files
from state.form.near import meant
from state.form.problems import FormError, Problem
from state.form.schema import Form
from state.rules import FormFault, Rules
from state.workflow.check_execution import named_limits

FILE = "rules.py"


def load_rules(folder: Path, files: Files) -> Rules:
    """The workflow's `rules`: a Rules, or a function of Files that makes one. Raises FormError; no rules.py means no rules.

    Modules beside rules.py are imported from it as `from .search import find`.
    """
    file = folder / FILE
    if not file.exists():
        return Rules()
    try:
        made = getattr(_module(file), "rules", None)
        rules = made(files) if callable(made) else made
    except FormError:
        raise
    except Exception as error:
        raise FormError([_broken(file, error)]) from error
    if not isinstance(rules, Rules):
        raise FormError(
            [Problem(file, 1, "This file must set `rules` to a Rules(...), or define `rules(files)` that makes one.")]
        )
    return rules


def unknown_names(form: Form, rules: Rules, folder: Path) -> Iterator[Problem]:
    """What rules.py offers and the form never uses: a name that was written in two ways."""
    for what, offered, used in _pairs(form, rules):
        for name in sorted(set(offered) - used):
            text = f'rules.py has "{name}" among its {what}, and form.toml does not use it. Correct the name on either side.'
            text += meant(name, used - set(offered))
            yield Problem(folder / FILE, _line(folder / FILE, name), text)


def absent_names(form: Form, rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    """What the form uses and rules.py lacks, with the keys of where it is used."""
    for group, operation in (
        ((), form.fields),
        *((("operations", o.name), o.fields) for o in form.operations.values()),
    ):
        for field in operation.values():
            for key, name, known in (
                ("lookup", field.lookup, {**rules.lookups, **rules.own_lookups}),
                ("grade", field.grade, rules.graders),
            ):
                if name and name not in known:
                    yield (
                        (*group, "fields", field.name, key),
                        _absent(name, f"{key}s" if key == "lookup" else "graders", known),
                    )
    yield from _absent_finders(form, rules)
    yield from _absent_roles(form, rules)
    for command in form.commands.values():
        if command.name not in rules.commands:
            yield ("commands", command.name), _absent(command.name, "commands", rules.commands)
        if command.about and command.about not in rules.lookups:
            yield ("commands", command.name, "about"), _absent(command.about, "lookups", rules.lookups)
    yield from _absent_runners(form, rules)
    yield from _absent_limits(form, rules)
    for stage in form.stages.values():
        if stage.decide and stage.decide not in rules.decisions:
            yield ("stages", stage.name, "decide"), _absent(stage.decide, "decisions", rules.decisions)


def _absent_finders(form: Form, rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    for name in form.persona.not_first:
        if name not in rules.names:
            yield ("persona", "not_first"), _absent(name, "names", rules.names)


def _absent_roles(form: Form, rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where rules.py lists roles beyond `member`, an operation is for one of these; others come with a token for `/chat`."""
    for operation in form.operations.values() if len(rules.roles.above) > 1 else ():
        yield from (
            (("operations", operation.name, "roles"), _absent(role, "roles", rules.roles.above))
            for role in operation.roles
            if role not in rules.roles.above
        )


def _absent_limits(form: Form, rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    """Numbers that the form names and does not write."""
    for key, name in named_limits(form.filing.note):
        try:
            rules.limits(name, {})
        except (KeyError, FormFault):
            yield (
                ("filing", "note", key),
                f'"{name}" is no number that `limits` of rules.py gives. Write one, or correct it.',
            )


def _absent_runners(form: Form, rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    lacking = (name for name in form.operations if name not in rules.operations)
    yield from ((("operations", name), _absent(name, "operations", rules.operations)) for name in lacking)


def _absent(name: str, what: str, offered: Iterable[str]) -> str:
    return f'rules.py has no "{name}" among its {what}. Add it there, or correct the name here.{meant(name, offered)}'


def _pairs(form: Form, rules: Rules) -> Iterator[tuple[str, Mapping[str, object], set[str]]]:
    fields = [f for group in (form.fields, *(o.fields for o in form.operations.values())) for f in group.values()]
    columns = [column for table in form.lists.values() for column in table.columns.values()]
    about = {command.about for command in form.commands.values() if command.about}
    yield "lookups", rules.lookups, {f.lookup for f in fields} | {one.lookup for one in columns} | about
    yield "own_lookups", rules.own_lookups, {f.lookup for f in fields}
    yield "graders", rules.graders, {f.grade for f in fields}
    yield "checks", rules.checks, {f.name for f in fields}
    yield "readers", rules.readers, {name for f in fields for name in f.from_documents}
    yield "warnings", rules.warnings, {f.name for f in fields}
    yield "commands", rules.commands, set(form.commands)
    yield "operations", rules.operations, set(form.operations)
    yield "names", rules.names, set(form.persona.not_first)
    yield "decisions", rules.decisions, {s.decide for s in form.stages.values()}
    yield "vets", rules.vets, set(form.lists)
    yield "shipped", rules.shipped, {name for name, table in form.lists.items() if not table.file}


def _module(file: Path) -> ModuleType:
    """Import by path, as a package, under a name of its own; an earlier import of the same folder is forgotten."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    name = f"workflow_{re.sub(r'[^a-z0-9]', '_', file.parent.name.lower())}_{digest}"
    for old in [n for n in sys.modules if n == name or n.startswith(f"{name}.")]:
        del sys.modules[old]
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)])
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _broken(file: Path, error: Exception) -> Problem:
    """The last line of the workflow's own files that the error went through."""
    told = f"This fails with {type(error).__name__}: {error}. Mend it."
    if isinstance(error, SyntaxError) and error.filename:
        return Problem(Path(error.filename), error.lineno or 1, f"This is not Python: {error.msg}. Mend it.")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == file.parent]
    return Problem(Path(frames[-1].filename), frames[-1].lineno or 1, told) if frames else Problem(file, 1, told)


def _line(file: Path, name: str) -> int:
    """Where a name stands in quotes; the first line where it does not."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines, 1) if f'"{name}"' in line or f"'{name}'" in line), 1)
