"""The tables of what each workflow promises, in docs/promises: every line has a proof that exists, or a reason why there is none."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "docs" / "promises"
PAGES = ROOT.parent / "shared" / "domains"
WORKFLOWS = ROOT / "bot" / "workflows"
NAMES = ("expenses", "loan", "pa_dealing", "pa_dealing_conversation", "requirements", "vehicle_case")
FOLDERS = {"pa_dealing_conversation": "pa_dealing"}
NOT_SHOWN = "## Not shown"
HEAD = re.compile(r"^\| line \||^\|---")
FURNITURE = re.compile(r"^\s*(?:#.*|```|\|[-| ]+\||)\s*$")
"""Lines of a page that promise nothing: headings, fences, rules of tables, blank ones."""
NO_WORDS = ("…", "…(the open question again, below)")


@dataclass(frozen=True)
class Row:
    """One promise: the lines of its page, the promise, and what shows it or why nothing does."""

    lines: range
    promise: str
    rest: str
    shown: bool

    @property
    def proofs(self) -> list[str]:
        """Scenarios by name, tests as `file::test`."""
        return re.findall(r"`([^`]+)`", self.rest)


def rows(name: str) -> list[Row]:
    """A table's rows."""
    shown, _, other = (TABLES / f"{name}.md").read_text(encoding="utf-8").partition(NOT_SHOWN)
    return [*_rows(shown, shown=True), *_rows(other, shown=False)]


def _rows(text: str, *, shown: bool) -> list[Row]:
    lines = [line for line in text.splitlines() if line.startswith("|") and not HEAD.match(line)]
    return [_row([cell.strip() for cell in line.strip("|").split("|")], shown=shown) for line in lines]


def _row(cells: list[str], *, shown: bool) -> Row:
    where, promise, rest = cells
    first, _, last = where.partition("–")
    return Row(range(int(first), int(last or first) + 1), promise, rest, shown)


@cache
def named_in(file: Path) -> frozenset[str]:
    """The tests of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = (n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(name for name in found if name.startswith("test_"))


def exists(name: str, proof: str) -> bool:
    """Return True if a scenario of the workflow or a test is there."""
    file, _, test = proof.partition("::")
    if not test:
        return (WORKFLOWS / FOLDERS.get(name, name) / "scenarios" / f"{proof}.toml").is_file()
    path = ROOT / "tests" / file
    return path.is_file() and test in named_in(path)


@pytest.mark.parametrize("name", NAMES)
def test_every_promise_has_a_proof_or_a_reason(name: str) -> None:
    """A promise names a scenario or a test; one that has none stands below "Not shown" with a reason in a sentence."""
    bare = [row.promise for row in rows(name) if row.shown and not row.proofs]
    silent = [row.promise for row in rows(name) if not row.shown and not re.search(r"\w+ \w+.*\.$", row.rest)]
    assert bare == [] and silent == []


@pytest.mark.parametrize("name", NAMES)
def test_every_proof_exists(name: str) -> None:
    """No table names a scenario or a test that is not there."""
    assert [proof for row in rows(name) for proof in row.proofs if row.shown and not exists(name, proof)] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_page_is_left_out(name: str) -> None:
    """Every line of the page on which a workflow rests is one of its table's promises, and no row names a line that there is not."""
    page = PAGES / f"{name}.md"
    if not page.exists():
        pytest.skip(f"{page.name} is not on this machine: its lines were NOT counted")
    text = page.read_text(encoding="utf-8").splitlines()
    told = {line for row in rows(name) for line in row.lines}
    wanted = {n for n, line in enumerate(text, 1) if not FURNITURE.match(line) and line.strip() not in NO_WORDS}
    assert sorted(wanted - told) == [] and max(told) <= len(text)


def test_a_proof_that_is_none_is_found() -> None:
    """A name that no scenario and no test has is no proof."""
    assert exists("expenses", "month") and exists(
        "loan", "workflows/test_loan_table.py::test_there_is_no_further_stage"
    )
    for none in ("mouth", "workflows/test_loan_table.py::test_nothing", "workflows/test_nowhere.py::test_x"):
        assert not exists("expenses", none)


def test_every_workflow_of_a_page_has_its_table() -> None:
    """The folder holds one table for each page, and the page that leads to them names all."""
    assert {file.stem for file in TABLES.glob("*.md")} == {*NAMES, "README"}
    assert all(f"({name}.md)" in (TABLES / "README.md").read_text(encoding="utf-8") for name in NAMES)
