"""`docs/performance.md`: its words are written by hand, its tables and bounds are put in from a run."""

import json
import os
import platform
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench import chart
from tests.bench.figures import HEAD, Figure, Sample, Target, cells

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- {} -->", "<!-- end -->"


def write(found: Sequence[Figure], page: Path = PAGE, run: str = "") -> None:
    """Put a run into the page, and beside it the figures as JSON and as a chart; parts that did not run keep theirs."""
    told = run or run_line()
    fresh = [replace(f, run=told) for f in found]
    figures = [*kept(page.with_suffix(".json"), {f.part for f in found}), *fresh]
    page.with_suffix(".json").write_text(as_json(figures), "utf-8")
    chart.save(figures, page.with_suffix(".png"))
    text = page.read_text("utf-8")
    text = replaced(text, "run", "\n".join(runs(figures)))
    for part in dict.fromkeys(f.part for f in found):
        text = replaced(text, part, "\n".join(table([f for f in found if f.part == part])))
    page.write_text(text, "utf-8")


def as_json(figures: Sequence[Figure]) -> str:
    """The figures as a file."""
    return json.dumps([f.as_json() for f in figures], indent=1, ensure_ascii=False) + "\n"


def kept(path: Path, fresh: set[str]) -> Iterator[Figure]:
    """The figures of an earlier run whose parts are not among the fresh ones."""
    if path.exists():
        for told in json.loads(path.read_text("utf-8")):
            if told["part"] not in fresh:
                yield figure_of(told)


def figure_of(told: dict[str, Any]) -> Figure:
    """A figure from its JSON."""
    given = {key: value for key, value in told.items() if key not in {"ratio", "met"}}
    given["ours"] = Sample(**told["ours"])
    given["peer"] = Sample(**told["peer"]) if told["peer"] else None
    given["target"] = Target(**told["target"]) if told["target"] else None
    return Figure(**given)


def run_line() -> str:
    """When, on which version and commit, and on what."""
    what = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {commit()}, {what}; load average at its end {os.getloadavg()[2]:.1f}."


def commit() -> str:
    """The version and the commit that are measured, "-dirty" where a file was changed since."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return f"version {version}, commit {git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*')}"


def git(*words: str) -> str:
    """What git says of this checkout; empty where it knows nothing."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip() if done.returncode == 0 else ""


def runs(figures: Sequence[Figure]) -> Iterator[str]:
    """Each run that the page has figures of, the newest last; with its parts, where there are several."""
    every = list(dict.fromkeys(f.run for f in figures if f.run))
    for told in every:
        parts = ", ".join(dict.fromkeys(f.part for f in figures if f.run == told))
        yield told if len(every) == 1 else f"- {told} Parts: {parts}."


def table(figures: Sequence[Figure]) -> Iterator[str]:
    """The rows, and below them what bounds them, each sentence once."""
    yield "| " + " | ".join(HEAD) + " |"
    yield "|---" * len(HEAD) + "|"
    for figure in figures:
        yield "| " + " | ".join(cells(figure)) + " |"
    bounds = {f.bound: f.what for f in reversed(figures) if f.bound}
    if bounds:
        yield "\nWhat bounds them:\n"
    for bound, what in reversed(bounds.items()):
        yield f"- {bound}" if len(bounds) == 1 else f"- *{what}*: {bound}"


def replaced(text: str, name: str, fresh: str) -> str:
    """The page with other words between a part's marks. Raises ValueError where it has no such part."""
    begin = BEGIN.format(name)
    before, found, rest = text.partition(begin)
    if not found:
        raise ValueError(f"{PAGE.name} has no {begin}")
    return f"{before}{begin}\n{fresh}\n{END}{rest.partition(END)[2]}"
