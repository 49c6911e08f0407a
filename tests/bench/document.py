"""`docs/performance.md`: its words are written by hand, its tables and bounds are put in from a run."""

import json
import os
import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench import chart
from tests.bench.figures import HEAD, Figure, Sample, Target, cells

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- {} -->", "<!-- end -->"


def write(found: Sequence[Figure], page: Path = PAGE) -> None:
    """Put a run into the page, and beside it the figures as JSON and as a chart; parts that did not run keep theirs."""
    figures = [*kept(page.with_suffix(".json"), {f.part for f in found}), *found]
    page.with_suffix(".json").write_text(as_json(figures), "utf-8")
    chart.save(figures, page.with_suffix(".png"))
    text = page.read_text("utf-8")
    text = replaced(text, "run", machine())
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


def machine() -> str:
    """When and on what."""
    what = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {what}; load average at its end {os.getloadavg()[2]:.1f}."


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
