"""The texts beside a form: context.md, the house's own text, and the configuration that texts name in braces."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import time
from pathlib import Path
from typing import Any

from state.form.files import Files
from state.form.source import FormError, Keys, Problem, Source, meant, read_text

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
    too_long = f'The passage "{name}" has {len(passage)} characters. Keep it to {PASSAGE}.'
    return too_long if len(passage) > PASSAGE else ""


GIVEN = re.compile(r"\{([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\}")
PLAIN = (str, int, time)
Place = Callable[[Keys, str], Problem]
"""Makes a problem with what is at these keys."""


def filled(
    source: Source, files: Files, texts: Mapping[str, str], beside: Iterable[Path] = ()
) -> tuple[Source, dict[str, str], tuple[Problem, ...]]:
    """Return a form's source and the texts of the files `beside` it with the configuration in them, and what is wrong with those."""
    filler, others = Filler(files), tuple(file for file in beside if file.exists())
    data = filler.fill(source.data, source.problem)
    told = filler.fill(dict(texts), lambda _keys, text: _in_text(text, others) or source.problem((), text))
    return replace(source, data=data), told, tuple(dict.fromkeys(filler.problems))


@dataclass
class Filler:
    """Fills texts from the files; what cannot be filled is among the problems."""

    files: Files
    problems: list[Problem] = field(default_factory=list)
    _read: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def fill(self, given: Any, place: Place, keys: Keys = ()) -> Any:
        """Return the same value with every text in it filled."""
        if isinstance(given, dict):
            return {key: self.fill(value, place, (*keys, key)) for key, value in given.items()}
        if isinstance(given, list):
            return [self.fill(value, place, (*keys, n)) for n, value in enumerate(given)]
        return GIVEN.sub(lambda found: self._value(found, place, keys), given) if isinstance(given, str) else given

    def _value(self, found: re.Match[str], place: Place, keys: Keys) -> str:
        name, key = found.groups()
        value: Any = self._table(name)
        near = ""
        for part in key.split("."):
            table: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
            near = near or ("" if part in table else meant(part, table))
            value = table.get(part)
        if isinstance(value, PLAIN):
            return f"{value:%H:%M}" if isinstance(value, time) else str(value)
        self.problems.append(place(keys, f"{found[0]} is no text in {name}.toml. Add it there.{near}"))
        return ""

    def _table(self, name: str) -> Mapping[str, Any]:
        if name not in self._read:
            try:
                self._read[name] = self.files.toml(f"{name}.toml").data
            except FormError as error:
                self.problems.extend(error.problems)
                self._read[name] = {}
        return self._read[name]


def _in_text(told: str, files: Iterable[Path]) -> Problem | None:
    """Return a problem at the line of a text that has the name which it begins with; None where none has."""
    name = told.partition(" ")[0]
    for file in files:
        for n, line in enumerate(read_text(file).splitlines(), 1):
            if name in line:
                return Problem(file, n, told)
    return None
