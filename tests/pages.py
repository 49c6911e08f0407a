"""Pages of figures: their words are written by hand, and between marks stands what a run put in, with the commit that it measured."""

import os
import platform
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[1]
PRODUCT = ("bot", "blocks", "prompts", "state")
"""What is measured: a figure ages by each commit that touches one of these."""
LAG = 120
"""Commits that touch the product after which a figure is too old to be shown; a release within them makes it too old at once."""
BEGIN, END = "<!-- {} -->", "<!-- end -->"
MEASURED = re.compile(r"version (\S+), commit ([0-9a-f]{7,40})(-dirty)?")


class Row(Protocol):
    """A line of a page: of which part, and when, on which commit and on what machine it was measured."""

    @property
    def part(self) -> str: ...
    @property
    def run(self) -> str: ...


def replaced(text: str, name: str, fresh: str) -> str:
    """The page with other words between a part's marks. Raises ValueError where it has no such part."""
    begin = BEGIN.format(name)
    before, found, rest = text.partition(begin)
    if not found:
        raise ValueError(f"the page has no {begin}")
    return f"{before}{begin}\n{fresh}\n{END}{rest.partition(END)[2]}"


def run_line() -> str:
    """When, on which version and commit, and on what; for a run that begins."""
    what = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {commit()}, {what}; load average before it {os.getloadavg()[2]:.1f}."


def commit() -> str:
    """The version and the commit that are measured, "-dirty" where a file of the product or a test was changed since."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    dirty = "-dirty" if git("status", "--porcelain", "--", *PRODUCT, "tests", "pyproject.toml") else ""
    return f"version {version}, commit {git('rev-parse', '--short=12', 'HEAD')}{dirty}"


def git(*words: str) -> str:
    """What git says of this checkout; empty where it knows nothing."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip() if done.returncode == 0 else ""


def runs(rows: Sequence[Row]) -> str:
    """Each run that a page has figures of, the newest last; with its parts, where there are several."""
    every = list(dict.fromkeys(row.run for row in rows if row.run))
    if len(every) <= 1:
        return "".join(every)
    parts = {run: ", ".join(dict.fromkeys(row.part for row in rows if row.run == run)) for run in every}
    return "\n".join(f"- {run} Parts: {parts[run]}." for run in every)


def too_old(text: str) -> Iterator[str]:
    """Say of each run that a page names what is wrong with the commit that it measured. A shallow checkout knows the version alone."""
    for version, short, dirty in MEASURED.findall(text):
        if dirty:
            yield f"{short} was measured with files that no commit holds"
        elif _parts(version) < released():
            yield f"{version} was released over"
        elif git("rev-parse", "--is-shallow-repository") == "false":
            whole = git("rev-parse", "--verify", f"{short}^{{commit}}")
            if not whole or git("merge-base", whole, "HEAD") != whole:
                yield f"{short} is no commit of this history"
            elif f'version = "{version}"' not in git("show", f"{whole}:pyproject.toml"):
                yield f"{short} is not of version {version}"
            elif (since := int(git("rev-list", "--count", f"{whole}..HEAD", "--", *PRODUCT))) > LAG:
                yield f"{short} is {since} commits of the product ago, and may be {LAG}"


def released() -> tuple[int, ...]:
    """Return the last released version; () before there is one."""
    told = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return max(map(_parts, re.findall(r"^## \[?(\d+\.\d+\.\d+)\]? - \d{4}-", told, re.MULTILINE)), default=())


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
