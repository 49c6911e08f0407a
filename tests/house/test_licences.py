"""Every library that is passed on with Holdfast may be passed on."""

import re
import tomllib

import pytest

from tests.house import licences
from tests.pages import ROOT


def test_the_notices_name_every_library_that_is_asked_for() -> None:
    """THIRD_PARTY.md lists each library that `pyproject.toml` names; what those bring along may change with their next release."""
    listed = licences.PAGE.read_text("utf-8")
    missing = [name for name in licences.declared() if not re.search(rf"\b{name}\b", listed)]
    assert missing == [], "write it anew: python -m tests.house.licences"


def test_every_licence_goes_with_ours() -> None:
    """No library of an installation has a licence that is at odds with the MIT licence, or none."""
    libraries = {name: licences.licence(one) for name, one in licences.installed().items()}
    assert {"slack-bolt", "anthropic", "h11"} <= libraries.keys()
    assert list(licences.unfit(libraries)) == []


@pytest.mark.parametrize(
    ("told", "fits"),
    [
        ("MIT", True), ("MIT AND Apache-2.0", True), ("GPL-3.0-only OR MIT", True), ("LGPL-3.0-only", True),
        ("GPL-3.0-only", False), ("MIT AND AGPL-3.0-only", False), ("SSPL", False), ("", False),
    ],
)  # fmt: skip
def test_a_licence_at_odds_with_ours_is_named(told: str, fits: bool) -> None:
    """A library that may be used under one free licence passes; one under a copyleft licence alone, or under none, is named."""
    assert (list(licences.unfit({"a": told})) == []) is fits


def test_the_wheel_takes_the_notices_along() -> None:
    """The licence and the notices go into the wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert all((ROOT / name).is_file() for name in project["license-files"])
    assert set(project["license-files"]) == {"LICENSE", "THIRD_PARTY.md"}
