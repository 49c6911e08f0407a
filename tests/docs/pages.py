"""Read the project's Markdown: links, headings, blocks of code, commands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = r"\[(?P<words>(?:[^\[\]]|!?\[[^\[\]]*\](?:\([^()]*\))?)*)\]\((?P<target>[^()\s]+)\)"
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, language and text, without what indents it."""

    page: Path
    language: str
    text: str


@cache
def pages() -> tuple[Path, ...]:
    """Return every page of the project that is written by hand; the walks are what a test plays."""
    found = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    return tuple(sorted(p for p in found if "walks" not in p.parts or p.name == "README.md"))


@cache
def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text("utf-8"))


def links(page: Path) -> Iterator[str]:
    """Give what a page's links lead to."""
    text = SPAN.sub("", prose(page))
    yield from (m["target"] for m in re.finditer(LINK, text))
    yield from re.findall(r"!\[[^\]]*\]\(([^()\s]+)\)", text)


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    names: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        words = re.sub(LINK, r"\g<words>", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        names.append(f"{name}-{names.count(name)}" if name in names else name)
    return frozenset(names)


def blocks(*languages: str) -> Iterator[Block]:
    """Give every fenced block in one of these languages."""
    for page in pages():
        for indent, language, text in FENCE.findall(page.read_text("utf-8")):
            if language in languages:
                yield Block(page, language, re.sub(rf"^{indent}", "", text, flags=re.MULTILINE))


def spans(page: Path) -> Iterator[str]:
    """Give what a page sets in backquotes."""
    return (text for _, text in SPAN.findall(prose(page)))
