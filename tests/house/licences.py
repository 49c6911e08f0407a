"""The licences of what an installation brings along, from the packages' own metadata.

`python -m tests.house.licences` puts them into THIRD_PARTY.md.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.pages import ROOT, replaced

PAGE = ROOT / "THIRD_PARTY.md"
DEVELOPMENT = {"test", "lint", "peers", "docs"}
"""Extras that no installation of the bot has."""
FREE = {
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Unlicense", "Zlib",
}  # fmt: skip
"""Licences under which a library may be used by, and passed on with, a program under the MIT licence."""
REPLACEABLE = {"LGPL-2.1-or-later", "LGPL-3.0-only"}
"""Licences that allow the same to a program that imports the library unchanged, from a package that anybody may replace."""
SPDX = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.1-or-later",
}
"""Names of licences in older metadata, in those of today."""


def declared() -> dict[str, Requirement]:
    """What `pyproject.toml` asks for, the optional parts included, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *(one for extra in extras.keys() - DEVELOPMENT for one in extras[extra])]
    wanted = {canonicalize_name(one.name): one for one in map(Requirement, named)}
    return {name: one for name, one in wanted.items() if name != project["name"]}


def installed() -> dict[str, Distribution]:
    """Every library that an installation needs, the optional parts included, as far as it is on this machine."""
    waiting, found = [*declared().values()], dict[str, Distribution]()
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name == "holdfast" or (name, frozenset(wanted.extras)) in seen or not _applies(wanted, set()):
            continue
        seen.add((name, frozenset(wanted.extras)))
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        needed = map(Requirement, found[name].requires or [])
        waiting += [_bare(one) for one in needed if _applies(one, wanted.extras)]
    return dict(sorted(found.items()))


def _applies(wanted: Requirement, extras: set[str]) -> bool:
    return wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _bare(wanted: Requirement) -> Requirement:
    wanted.marker = None
    return wanted


def licence(library: Distribution) -> str:
    """The library's licence as an SPDX expression, or what its package says instead."""
    about = library.metadata
    if told := about.get("License-Expression"):
        return str(told)
    listed = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or [] if one.startswith("License ::")]
    written = str(about.get("License") or "").strip().splitlines()
    return " OR ".join(SPDX.get(one, one) for one in listed or written[:1])


def unfit(libraries: dict[str, str]) -> Iterator[str]:
    """Name each library whose licence does not go with the MIT licence, or that nobody has looked at."""
    for name, told in libraries.items():
        parts = [set(re.split(r" AND ", one)) for one in re.sub(r"[()]", "", told).split(" OR ")]
        if not any(part <= FREE | REPLACEABLE for part in parts):
            yield f"{name}: {told or 'says nothing'}"


def table() -> str:
    """Each library with its licence."""
    rows = [f"| {name} | {licence(library)} |" for name, library in installed().items()]
    return "\n".join(["| Library | Licence |", "|---|---|", *rows])


def fresh(page: Path = PAGE) -> str:
    """The page with the table as it is now."""
    return replaced(page.read_text("utf-8"), "libraries", table())


if __name__ == "__main__":
    PAGE.write_text(fresh(), "utf-8")
