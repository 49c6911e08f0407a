"""A copy of the tree in which one guard at a time is taken out, and the tests that fall for it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

from tests.mutants.catalogue import Mutant

ROOT = Path(__file__).parents[2]
PRODUCT = ("state", "prompts", "blocks", "bot")
NEEDED = (
    *PRODUCT,
    "tests",
    "docs",
    "pyproject.toml",
    "manifest.yml",
    ".slack",
    "CONTRIBUTING.md",
    "README.md",
    "Makefile",
    "mkdocs.yml",
    ".env.sample",
    "CHANGELOG.md",
    "DECISIONS.md",
)
FELL = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
MOMENTS = count(1)
"""A time of its own for each text of a file: whatever Python compiled of another text is of another time, and the rest is compiled once."""
PATIENCE = 1800
"""Seconds for the tests of one mutant."""


class Lost(Exception):
    """A guard is not where the catalogue looks for it: it went, or it is written otherwise by now."""


@cache
def _texts(root: Path) -> Mapping[Path, str]:
    """The product's files as they are with every guard."""
    files = (file for room in PRODUCT for file in sorted((root / room).rglob("*.py")))
    return {file: file.read_text("utf-8") for file in files}


def find(root: Path, mutant: Mutant) -> tuple[Path, str]:
    """The guard's file, and its text without it. Raises Lost."""
    there = [(file, cut) for file, text in _texts(root).items() for cut in mutant.cut.every(text)]
    if len(there) != 1:
        raise Lost(f"{mutant.guard}: found {len(there)} times")
    return there[0]


def copy_tree(root: Path, to: Path) -> Path:
    """The tree without what is not needed to run tests; gives its new place."""
    for name in NEEDED:
        if (root / name).is_dir():
            shutil.copytree(root / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (root / name).exists():
            shutil.copy2(root / name, to / name)
    return to


@contextmanager
def without(root: Path, mutant: Mutant) -> Iterator[None]:
    """The tree with this guard taken out; put back at the end. Raises Lost."""
    file, cut = find(root, mutant)
    whole, was = file.read_text("utf-8"), file.stat()
    file.write_text(cut, "utf-8")
    os.utime(file, (next(MOMENTS),) * 2)
    try:
        yield
    finally:
        file.write_text(whole, "utf-8")
        os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))


def fallen(root: Path, tests: tuple[str, ...], *more: str) -> list[str]:
    """Names of the tests that fall or cannot run in this tree. Raises RuntimeError where none was run at all."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=no",
        "-rfE",
        "-p",
        "no:cacheprovider",
        "--timeout=300",
        *more,
    ]
    env = {**os.environ, "PYTHONPATH": str(root)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run(  # noqa: S603  our own tests
        [*command, *tests], cwd=root, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(ran.stdout[-2000:] + ran.stderr[-2000:])
    return FELL.findall(ran.stdout)
