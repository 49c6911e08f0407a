"""`docs/comparison.md`: its words are written by hand, its tables are put in from a run."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.peers.person import Outcome
from tests.pages import ROOT, replaced, run_line

PAGE = ROOT / "docs" / "comparison.md"
NAMES = ("Holdfast", "LangGraph", "pydantic-ai")
PACKAGES = (
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langchain-anthropic",
    "pydantic-ai-slim",
    "anthropic",
    "slack-bolt",
)
COUNTED = {
    "wrong": "values filed that differ from what the person said",
    "forged": "declarations filed that the person never made",
    "false": "false statements shown",
    "repeated": "questions asked again after their answer",
    "dead_end": "people who could not file",
    "acts": "acts of a person who files, median",
}
KINDS = {"opening": "opening sentence", "sentence": "correction or question", "typed": "typed answer", "click": "click"}
Row = tuple[str, ...]


def cell(found: Outcome) -> str:
    """Return an outcome in a few words; the acts alone where nothing went wrong."""
    names = {"wrong": "wrong", "forged": "never declared", "false": "false", "repeated": "asked again"}
    counts = [f"{n} {words}" for name, words in names.items() if (n := getattr(found, name))]
    return ", ".join([*counts, "no way to the end" if found.dead_end else f"filed in {found.acts}"])


def row(columns: Row) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(columns)} |"


def table(rows: Sequence[Row]) -> str:
    """Return a table with the three for columns."""
    return "\n".join([row(("", *NAMES)), "|---" * (1 + len(NAMES)) + "|", *map(row, rows)])


def out(columns: Row) -> None:
    """Print a line of a table as soon as it is known."""
    sys.stdout.write(row(columns) + "\n")
    sys.stdout.flush()


def versions(python: str) -> str:
    """Return the versions of the libraries where they are installed."""
    code = f"from importlib.metadata import version as v; print(', '.join(f'{{n}} {{v(n)}}' for n in {PACKAGES!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


def write(tables: Mapping[str, Sequence[Row]], installed: str, page: Path = PAGE, run: str = "") -> None:
    """Put a run's tables into the page; what did not run keeps its table."""
    text = replaced(page.read_text("utf-8"), "run", f"{run or run_line()} {installed}.")
    for name, rows in tables.items():
        text = replaced(text, name, table(rows))
    page.write_text(text, "utf-8")
