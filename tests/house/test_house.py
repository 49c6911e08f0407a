"""The house grows by decision alone, and every place that names its version names the same."""

import re
import tomllib
from pathlib import Path

from tests.command import holdfast
from tests.house.limits import LIMITS
from tests.house.source import counts
from tests.pages import ROOT

MOST_LINES = 60


def test_no_count_is_worse_than_what_was_reached() -> None:
    """Whoever raises a count raises its limit as well (`limits.toml`), and says why."""
    worse = {name: n for name, n in counts().items() if name in LIMITS and not LIMITS[name].holds(n)}
    assert not worse, f"{worse}, and { ({name: LIMITS[name].now for name in worse}) } was reached"


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
