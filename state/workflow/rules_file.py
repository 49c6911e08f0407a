"""A workflow's rules.py: imported from wherever its folder stands, and held against the names that the form uses."""

import hashlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from state.form.files import Files
from state.form.schema import Form
from state.form.source import FormError, Keys, Problem, Source, meant
from state.rules import FormFault, Rules
from state.workflow.form_case import Finding

FILE = "rules.py"


def load_rules(folder: Path, files: Files) -> Rules:
    """Return the workflow's `rules`: a Rules, or a function of Files that makes one. Raises FormError; no rules.py means no rules.

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
    except (Exception, SystemExit) as error:
        raise FormError([_broken(file, error)]) from error
    if not isinstance(rules, Rules):
        raise FormError(
            [Problem(file, 1, "This file must set `rules` to a Rules(...), or define `rules(files)` that makes one.")]
        )
    return rules


def names_apart(form: Form, rules: Rules, source: Source, *, whole: bool) -> Iterator[Problem]:
    """Yield names that only form.toml or only rules.py has, each where it is written.

    Where the form was not read as a `whole`, nothing is said of names that it does not use.
    """
    file = source.file.parent / FILE
    for what, uses in _uses(form).items():
        offered = getattr(rules, what)
        held = {**offered, **rules.own_lookups} if what == "lookups" else offered
        for name, keys in uses.items():
            if keys and name not in held:
                told = f'rules.py has no "{name}" among its {what}. Add it there, or correct the name here.'
                yield source.problem(keys, told + meant(name, held))
        for name in sorted(set(offered) - set(uses)) if whole else ():
            told = f'rules.py has "{name}" among its {what}, and form.toml does not use it. Correct the name on either side.'
            yield Problem(file, _line(file, name), told + meant(name, set(uses) - set(offered)))
    yield from (source.problem(*finding) for finding in _other_findings(form, rules))


def _uses(form: Form) -> dict[str, dict[str, Keys]]:
    """Return the names that a form uses, by the part of Rules that offers them, with where each has to be there."""
    groups = ((), form.fields), *((("operations", o.name), o.fields) for o in form.operations.values())
    fields = [((*above, "fields", f.name), f) for above, group in groups for f in group.values()]
    columns = [
        (("lists", name, "columns", key, "lookup"), column)
        for name, table in form.lists.items()
        for key, column in table.columns.items()
    ]
    lookups: dict[str, Keys] = {f.lookup: (*keys, "lookup") for keys, f in fields if f.lookup}
    lookups |= {column.lookup: keys for keys, column in columns if column.lookup}
    lookups |= {c.about: ("commands", c.name, "about") for c in form.commands.values() if c.about}
    return {
        "lookups": lookups,
        "own_lookups": {f.lookup: () for _, f in fields},
        "graders": {f.grade: (*keys, "grade") for keys, f in fields if f.grade},
        "checks": {f.name: () for _, f in fields},
        "warnings": {f.name: () for _, f in fields},
        "readers": {name: () for _, f in fields for name in f.from_documents},
        "commands": {name: ("commands", name) for name in form.commands},
        "operations": {name: ("operations", name) for name in form.operations},
        "names": dict.fromkeys(form.persona.not_first, ("persona", "not_first")),
        "decisions": {s.decide: ("stages", s.name, "decide") for s in form.stages.values() if s.decide},
        "vets": dict.fromkeys(form.lists, ()),
        "shipped": {name: () for name, table in form.lists.items() if not table.file},
    }


def _other_findings(form: Form, rules: Rules) -> Iterator[Finding]:
    """Check that an operation is for roles that rules.py lists beyond `member`, and that rules.py gives a number that the form names."""
    known = rules.roles.above
    for operation in form.operations.values() if len(known) > 1 else ():
        for role in (role for role in operation.roles if role not in known):
            told = f'rules.py has no "{role}" among its roles. Add it there, or correct the name here.'
            yield ("operations", operation.name, "roles"), told + meant(role, known)
    name = form.filing.note.days if form.filing.note else 0
    try:
        rules.limits(name, {}) if isinstance(name, str) else 0
    except (KeyError, FormFault):
        told = f'"{name}" is no number that `limits` of rules.py gives. Write one, or correct it.'
        yield ("filing", "note", "days"), told


def _module(file: Path) -> ModuleType:
    """Import by path, as a package, under a name of its own, in the place of an earlier import of the same folder."""
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


def _broken(file: Path, error: BaseException) -> Problem:
    """Return the problem at the last line of the workflow's own files that the error went through."""
    told = f"This fails with {type(error).__name__}: {error}. Mend it."
    if isinstance(error, SyntaxError) and error.filename:
        return Problem(Path(error.filename), error.lineno or 1, f"This is not Python: {error.msg}. Mend it.")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == file.parent]
    return Problem(Path(frames[-1].filename), frames[-1].lineno or 1, told) if frames else Problem(file, 1, told)


def _line(file: Path, name: str) -> int:
    """Return the line that has a name in quotes; the first line where none has."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines, 1) if f'"{name}"' in line or f"'{name}'" in line), 1)
