"""Every place that names the version names the same, and the changelog tells what came with each."""

import re
import tomllib
from pathlib import Path

from tests.command import holdfast
from tests.pages import ROOT

MOST_LINES = 60


def test_the_changelog_can_be_read_and_begins_with_this_version(tmp_path: Path) -> None:
    """Each version has at most sixty lines in the changelog, and the newest is the one that the package and the command name."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    told = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert [part.split()[0] for part in told if len(part.splitlines()) > MOST_LINES] == []
    assert told[0].startswith(f"{version} - ")
    assert holdfast("--version", var=tmp_path).stdout == f"holdfast {version}\n"


def test_a_supported_version_is_this_one() -> None:
    """SECURITY.md names the minor version at hand as the one that gets fixes."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    supported = re.findall(r"^\| (\d+\.\d+)\.x \| yes \|$", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE)
    assert supported == [version.rpartition(".")[0]]
