"""The wheel: everything that a bot needs outside of a checkout is in it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "blocks", "state", "prompts")
BUILD = "from setuptools.build_meta import build_wheel; build_wheel('.')"


def files(folder: Path) -> set[str]:
    """Return what is below the rooms of a source tree, caches and hidden files left out."""
    found = (p for room in ROOMS for p in (folder / room).rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix() for p in found if "__pycache__" not in p.parts and p.name[0] != "."}


def test_the_wheel_has_every_file_of_the_source_tree(tmp_path: Path) -> None:
    """Forms, scenarios, phrases, languages, prompts, tables, the page, letters and the manifest are all in it, and no test is."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    source = files(tmp_path)
    subprocess.run([sys.executable, "-c", BUILD], cwd=tmp_path, check=True, capture_output=True, timeout=100)  # noqa: S603  our own
    with ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == source
    kinds = {name.rpartition(".")[2] for name in packed}
    assert kinds >= {"py", "toml", "csv", "md", "html", "css", "js", "ttf"}


def test_nothing_in_the_wheel_names_a_file_outside_of_it() -> None:
    """Whatever a command prints or a shipped form says holds without a checkout: no file of docs/ or tests/ is named."""
    said = [ROOT / file for file in files(ROOT) if file.endswith((".py", ".toml", ".md", ".csv", ".js", ".html"))]
    named = [file for file in said if re.search(r"(?<![\w/.])(docs|tests)/\w", file.read_text("utf-8"))]
    assert not named
