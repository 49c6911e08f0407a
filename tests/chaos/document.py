"""`docs/reliability.md`: its words are written by hand; what was tried, and the guards that were taken out, are put in from runs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.chaos.trials import GUARDS, Guard, Trials
from tests.mutants.catalogue import MUTANTS
from tests.pages import ROOT, replaced, runs

PAGE = ROOT / "docs" / "reliability.md"
HEADS = {
    Trials: "| what | times tried | promises broken | rate, at most | seconds | beside |\n|---|---|---|---|---|---|",
    Guard: "| guard taken out | invariants | tests that fall | the first of them |\n|---|---|---|---|",
}


def write(fresh: Sequence[Trials | Guard], about: Mapping[str, str] = MappingProxyType({}), page: Path = PAGE) -> None:
    """Put rows into the page and into the JSON beside it; what was not tried anew stays. `about` says what each part does.

    A part's rows replace all that it had; of the guards, each row replaces its own, and one that is in the catalogue no more goes.
    """
    done = {row.part for row in fresh} - {GUARDS}
    anew = {row.guard for row in fresh if isinstance(row, Guard)}
    stay = {mutant.guard for mutant in MUTANTS} - anew
    old = (row for row in kept(page) if (row.guard in stay if isinstance(row, Guard) else row.part not in done))
    rows = [*old, *fresh]
    lines = json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False)
    page.with_suffix(".json").write_text(lines + "\n", "utf-8")
    text = replaced(page.read_text("utf-8"), "run", runs(rows))
    if done:
        trials = [row for row in rows if isinstance(row, Trials)]
        text = replaced(text, "trials", "\n".join(_sections(trials, about)))
    if anew:
        guards = sorted((row for row in rows if isinstance(row, Guard)), key=lambda row: row.keeps)
        text = replaced(text, GUARDS, "\n".join(_table(guards)))
    page.write_text(text, "utf-8")


def kept(page: Path = PAGE) -> list[Trials | Guard]:
    """Return the rows that the page shows."""
    path = page.with_suffix(".json")
    return [_row(told) for told in json.loads(path.read_text("utf-8"))] if path.exists() else []


def _row(told: dict[str, Any]) -> Trials | Guard:
    return Guard(**{**told, "keeps": tuple(told["keeps"])}) if told["part"] == GUARDS else Trials(**told)


def _sections(rows: Sequence[Trials], about: Mapping[str, str]) -> Iterator[str]:
    """A heading for each part, what it does, and its rows."""
    for part in dict.fromkeys(row.part for row in rows):
        yield f"### {part}\n\n{about.get(part, '')}\n"
        yield from _table([row for row in rows if row.part == part])
        yield ""


def _table(rows: Sequence[Trials | Guard]) -> Iterator[str]:
    if rows:
        yield HEADS[type(rows[0])]
        yield from ("| " + " | ".join(cell.replace("|", r"\|") for cell in row.cells()) + " |" for row in rows)


def unexplained(rows: Sequence[Trials | Guard]) -> Iterator[str]:
    """Say which rows are ✗ with no sentence that says why."""
    for row in rows:
        if isinstance(row, Guard):
            if not row.falls:
                yield f"{row.guard}: no test falls"
        elif row.broken and not row.note.endswith("."):
            yield f"{row.part}, {row.what}: {row.broken} broken, and no sentence says why"
