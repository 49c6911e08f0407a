"""`make docs`: write the generated pages, and a copy of all pages for the site, without links that lead out of `docs`."""

import asyncio
import re
import shutil
import sys
from functools import partial
from pathlib import Path

from tests.docs.generated import generated
from tests.docs.pages import LINK, ROOT

COPY = ROOT / "build" / "docs"


def main() -> None:
    """Write what differs from what the generator gives, and the copy."""
    for path, text in asyncio.run(generated()).items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)} is new\n")
    copy()


def copy() -> None:
    """Copy every page for the site, with no link to what is no part of it."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "docs", COPY)
    for page in COPY.rglob("*.md"):
        page.write_text(re.sub(LINK, partial(_inside, page.parent), page.read_text("utf-8")), "utf-8")


def _inside(folder: Path, link: re.Match[str]) -> str:
    """Return a link as it is, or its words alone where it leads to a file that is no part of the site."""
    target = link["target"].partition("#")[0]
    outside = not re.match(r"\w+:|$", target) and not (folder / target).resolve().is_relative_to(COPY)
    return link["words"] if outside else link[0]


if __name__ == "__main__":
    main()
