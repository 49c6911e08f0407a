"""The house's own text, context.md: what every request tells a model, then passages that it may have passed on, word by word."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from state.form.files import Files
from state.form.near import meant
from state.form.source import Problem, read_text

CONTEXT = "context.md"
HEADING = re.compile(r"##\s*(.*?)\s*$")
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TOLD, PASSAGE, PASSAGES = 1000, 900, 24
"""Characters of what is told with every request, and of a passage; how many of these there may be."""


@dataclass(frozen=True)
class HouseText:
    """`told` is what comes before the first heading; `passages` are by the ids in their headings, whose lines are `lines`."""

    told: str = ""
    passages: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[tuple[str, int], ...] = ()


def in_language(locale: str) -> str:
    """Return the name of the file in a further language of the form."""
    return f"context.{locale}.md"


def house_text(files: Files, name: str = CONTEXT) -> HouseText:
    """Read the file as it was written; nothing where there is none."""
    file = files.find(name)
    if not file.exists():
        return HouseText()
    parts: dict[str, list[str]] = {"": []}
    lines: list[tuple[str, int]] = []
    name = ""
    for n, line in enumerate(read_text(file).splitlines(), 1):
        if found := HEADING.match(line):
            name = found[1]
            lines.append((name, n))
        parts.setdefault(name, []).extend([] if found else [line])
    texts = {name: _flowing(part) for name, part in parts.items()}
    return HouseText(texts.pop(""), texts, tuple(lines))


def _flowing(lines: list[str]) -> str:
    """Return paragraphs without the file's own line breaks."""
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines).strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def problems(files: Files, text: HouseText, name: str = CONTEXT) -> Iterator[Problem]:
    """Check that a passage has an id, a text, and a length that a card shows."""
    file = files.find(name)
    if len(text.told) > TOLD:
        yield Problem(file, 1, f"This is told with every request. Keep it to {TOLD} characters.")
    if len(text.lines) > PASSAGES:
        yield Problem(file, text.lines[PASSAGES][1], f"Every passage is named in requests. Keep to {PASSAGES} of them.")
    seen: set[str] = set()
    for passage, line in text.lines:
        if wrong := _wrong(passage, text.passages.get(passage, ""), seen):
            yield Problem(file, line, wrong)
        seen.add(passage)


def said_again(files: Files, text: HouseText, house: HouseText, name: str) -> Iterator[Problem]:
    """Check that a further language has the same passages, and nothing that a model is told."""
    file = files.find(name)
    lines = dict(text.lines)
    if text.told:
        told = f"What a model is told belongs into {CONTEXT}. Put a passage's heading above this: ## its_id."
        yield Problem(file, 1, told)
    for passage in house.passages:
        if passage not in text.passages:
            yield Problem(file, 1, f'The passage "{passage}" of {CONTEXT} is not said here. Add it below ## {passage}.')
    for passage in text.passages:
        if passage not in house.passages:
            told = f'{CONTEXT} has no passage "{passage}". Correct its id.{meant(passage, house.passages)}'
            yield Problem(file, lines[passage], told)


def _wrong(name: str, passage: str, seen: set[str]) -> str:
    if not NAME.fullmatch(name):
        return f'A passage\'s heading is its id: small letters, digits and underscores. "{name}" is none.'
    if name in seen:
        return f'The passage "{name}" is here twice. Keep one.'
    if not passage:
        return f'The passage "{name}" is empty. Write it, or take its heading out.'
    return (
        f'The passage "{name}" has {len(passage)} characters. Keep it to {PASSAGE}.' if len(passage) > PASSAGE else ""
    )
