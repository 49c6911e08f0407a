"""The lists of a form: what their tables say of columns and look-ups, and the rows of version 0 that ship with it."""

from collections.abc import Iterator, Mapping

from state.form.files import Files
from state.form.lists import ListTable
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.problems import FormError, Problem
from state.form.schema import Form
from state.lists.reading import Reading, read_list
from state.lists.sentences import sentence
from state.lists.versions import Row
from state.rules import Rules

Lists = Mapping[str, tuple[Row, ...]]


def list_findings(form: Form, rules: Rules) -> Iterator[tuple[Keys, str]]:
    """What is wrong with the tables themselves, with the keys of where it stands."""
    for name, table in form.lists.items():
        keys = ("lists", name)
        yield from _columns(keys, table)
        for column, one in table.columns.items():
            if one.lookup and one.lookup not in rules.lookups:
                told = f'rules.py has no "{one.lookup}" among its lookups. Add it there, or correct the name here.'
                yield (*keys, "columns", column, "lookup"), f"{told}{meant(one.lookup, rules.lookups)}"
        if not table.file and name not in rules.shipped:
            yield (
                keys,
                f'Nothing says what is in version 0. Add `file = "data/{name}.csv"`, or have rules.py give it in `shipped`.',
            )


def _columns(keys: Keys, table: ListTable) -> Iterator[tuple[Keys, str]]:
    if not table.key:
        yield (*keys, "key"), "Name the columns by which rows are told apart."
    named = {"key": table.key, "one_of": table.one_of}
    for key, columns in named.items():
        for column in columns:
            if column not in table.columns:
                yield (*keys, key), f'"{column}" is no column of this list. Correct it.{meant(column, table.columns)}'
    for column, one in table.columns.items():
        if one.not_before and one.not_before not in table.columns:
            yield (*keys, "columns", column, "not_before"), f'"{one.not_before}" is no column of this list. Correct it.'


def shipped_lists(form: Form, rules: Rules, files: Files) -> Lists:
    """The rows of version 0 of each list. Raises FormError with every line to mend."""
    rows: dict[str, tuple[Row, ...]] = {}
    problems: list[Problem] = []
    for name, table in form.lists.items():
        rows[name] = rules.shipped.get(name, ())
        if table.file:
            reading = read_list(
                table, _content(files, table), lambda _lookup, _text: True, vet=rules.vets.get(name, _nothing)
            )
            rows[name], wrong = reading.rows, _problems(files, table, reading)
            problems += wrong
    if problems:
        raise FormError(problems)
    return rows


def _nothing(_row: Row) -> str:
    """A list of which rules.py says nothing."""
    return ""


def strangers(form: Form, rules: Rules, files: Files) -> Iterator[Problem]:
    """Rows of version 0 that name what no look-up finds: they hold, and can concern nothing."""
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
