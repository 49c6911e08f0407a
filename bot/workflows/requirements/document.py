"""The document: Markdown, made of the approved answers alone; every line names the message that it came from."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from state.draft.draft import Draft, Provenance, Value
from state.rules import Filer, Filing, Produced

from .templates import Section, Template

STATE = "agreed"
SLOT = re.compile(r"_(\d+)$")
SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")
LISTED = re.compile(r"^(\d+)([.)])|^([-+=])", re.MULTILINE)
HOW: Mapping[str, str] = {"clicked": "clicked", "chosen": "clicked", "entered": "written", "document": "in a file"}


def filer(templates: Mapping[str, Template]) -> Filer:
    """Files an approved summary as agreed, with its document."""

    def file(draft: Draft, _facts: Mapping[str, Any]) -> Filing:
        kind = str(draft.values["document"].data)
        pages = Pages(draft, templates[kind])
        text = pages.text
        name = str(draft.values["name"].data)
        computed = {"document": kind, "facts": pages.facts}
        return Filing(STATE, computed=computed, files=(Produced("{number}.md", f"{name} ({{number}})", text),))

    return file


@dataclass
class Pages:
    """A document on its way: `sources` are its notes, one for each message that something came from."""

    draft: Draft
    template: Template
    sources: list[Provenance] = field(default_factory=list)
    facts: int = 0

    @property
    def text(self) -> str:
        """The whole document."""
        self.sources, self.facts = [], 0
        body = [f"# {self.template.title}: {self._fact(self.draft.values['name'])}"]
        body += [line for section in self.template.sections for line in self._section(section)]
        notes = [f"[^{n}]: {self._note(source)}" for n, source in enumerate(self.sources, 1)]
        return "\n".join([*body, "", "## Sources", "", *notes, ""])

    def _section(self, section: Section) -> Iterator[str]:
        values = [value for name in section.fields for value in self._values(name)]
        if values:
            yield from ("", f"## {section.heading}", "", *(f"- {self._fact(value)}" for value in values))

    def _values(self, name: str) -> list[Value]:
        """A field's value; of a list the values in their order."""
        slots = [n for n in self.draft.values if n == name or (SLOT.search(n) and SLOT.sub("", n) == name)]
        return [self.draft.values[n] for n in sorted(slots, key=_place)]

    def _fact(self, value: Value) -> str:
        """One answer with where it came from."""
        self.facts += 1
        source = value.provenance
        if source not in self.sources:
            self.sources.append(source)
        how = HOW.get(source.how, "said")
        return f"{inert(value.label or str(value.data))} [{how} {self._at(source)}][^{self.sources.index(source) + 1}]"

    def _note(self, source: Provenance) -> str:
        where = f", message {source.message}" if source.message else ""
        return f"{HOW.get(source.how, 'said').capitalize()} {self._at(source)}{where}: “{inert(source.words)}”"

    def _at(self, source: Provenance) -> str:
        """Date and time where the person is."""
        moment = datetime.fromisoformat(source.at)
        try:
            zone = ZoneInfo(self.draft.zone) if self.draft.zone else UTC
        except (ZoneInfoNotFoundError, ValueError):
            zone = UTC
        return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def inert(text: str) -> str:
    """People's words on one line, with nothing in them that Markdown would act on."""
    line = " ".join(text.split())
    return LISTED.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", SPECIAL.sub(r"\\\1", line))


def _place(name: str) -> int:
    found = SLOT.search(name)
    return int(found[1]) if found else 0
