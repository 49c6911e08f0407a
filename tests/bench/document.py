"""`docs/performance.md`: its words are written by hand, its tables and bounds are put in from a run."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.bench import chart, walls
from tests.bench.figures import HEAD, Figure, Sample, Target, cells
from tests.pages import ROOT, replaced, runs

PAGE = ROOT / "docs" / "performance.md"


def write(found: Sequence[Figure], run: str, page: Path = PAGE) -> None:
    """Put a run into the page, and beside it the figures as JSON and as a chart; parts that did not run keep theirs."""
    fresh = [replace(f, run=run) for f in found]
    figures = [*kept(page.with_suffix(".json"), {f.part for f in found}), *fresh]
    page.with_suffix(".json").write_text(as_json(figures), "utf-8")
    chart.save(figures, page.with_suffix(".png"))
    text = page.read_text("utf-8")
    text = replaced(text, "run", runs(figures))
    for part in dict.fromkeys(f.part for f in found):
        text = replaced(text, part, "\n".join(table([f for f in found if f.part == part])))
    if any(f.part == walls.NEEDS for f in found):
        text = replaced(text, "walls", "\n".join(walls.lines(figures)))
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
