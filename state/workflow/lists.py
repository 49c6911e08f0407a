"""The lists of a form: what their tables say of columns and look-ups, and the rows of version 0 that ship with it."""

from collections.abc import Iterator, Mapping

from state.form.files import Files
from state.form.lists import ListTable
from state.form.locate import Path as Keys
from state.form.schema import Form
from state.form.source import FormError, Problem, read_text
from state.lists.reading import Reading, read_list, sentence, written
from state.lists.versions import Row, called
from state.rules import Rules
from state.workflow.form_case import Finding, none_such

FORM, RULES = "form.toml", "rules.py"
Lists = Mapping[str, tuple[Row, ...]]


def list_findings(form: Form, rules: Rules) -> Iterator[Finding]:
    """Check that the tables themselves name their columns, and that something gives version 0."""
    for name, table in form.lists.items():
        named: dict[Keys, tuple[str, ...]] = {("key",): table.key, ("one_of",): table.one_of}
        named[("ascending",)] = tuple(table.ascending)
        named |= {("columns", n, "not_before"): (c.not_before,) for n, c in table.columns.items() if c.not_before}
        for keys, column in ((keys, column) for keys, columns in named.items() for column in columns):
            if column not in table.columns:
                yield ("lists", name, *keys), none_such(column, "column of this list", table.columns)
        if not table.file and name not in rules.shipped:
            told = f'Nothing gives version 0. Add `file = "data/{name}.csv"`, or have rules.py give it in `shipped`.'
            yield ("lists", name), told


def shipped_lists(form: Form, rules: Rules, files: Files) -> Lists:
    """Return the rows of version 0 of each list. Raises FormError with every line to mend."""
    rows: dict[str, tuple[Row, ...]] = {}
    problems: list[Problem] = []
    for name, table in form.lists.items():
        rows[name] = rules.shipped.get(name, ())
        content = _content(files, table) if table.file else written(table, rows[name])
        told = read_list(
            table.model_copy(update={"fixed": False}),
            content,
            lambda _lookup, _text: True,
            vet=rules.vets.get(name, lambda _row: ""),
        )
        problems += _problems(files, table, told) if table.file else _of_rules(files, table, rows[name], told)
        rows[name] = told.rows
        known = {called(table, row) for row in told.rows}
        problems += [
            files.toml(FORM).problem(("lists", name, "ascending", column), none_such(row, "row of version 0", known))
            for column, chain in table.ascending.items()
            for row in chain
            if table.fixed and known and row not in known
        ]
    if problems:
        raise FormError(problems)
    return rows


def _of_rules(files: Files, table: ListTable, rows: tuple[Row, ...], reading: Reading) -> Iterator[Problem]:
    """Return what is wrong with rows that rules.py gives, at the table of a TOML file that is called like the row, where there is one."""
    for one in reading.findings:
        key = called(table, rows[one.line - 2]) if one.line > 1 else ""
        tables = (
            (files.find(name), n)
            for name in files.names("*.toml")
            for n, line in enumerate(read_text(files.find(name)).splitlines(), 1)
            if key and line.rstrip().endswith(f"{key}]")
        )
        place = next(tables, (files.find(RULES), 1))
        yield Problem(*place, f"{table.title}: {sentence(one)}")


def strangers(form: Form, rules: Rules, files: Files) -> Iterator[Problem]:
    """Yield rows of version 0 that name what no look-up finds: they hold, and can concern nothing."""
    for table in form.lists.values():
        if table.file:
            yield from _problems(files, table, read_list(table, _content(files, table), rules.finds))


def _content(files: Files, table: ListTable) -> bytes:
    path = files.find(table.file)
    try:
        return path.read_bytes()
    except OSError:
        told = "This file cannot be read. Put it there, or give leave to read it."
        raise FormError([Problem(path, 1, told)]) from None


def _problems(files: Files, table: ListTable, reading: Reading) -> list[Problem]:
    path = files.find(table.file)
    return [Problem(path, max(1, one.line), sentence(one)) for one in reading.findings]
