"""The document: Markdown, made of the approved answers alone; every line names the message that it came from."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import TypeAdapter, ValidationError

from state.draft.draft import Draft, Provenance, Value
from state.draft.operations import Produced
from state.form.files import Files
from state.form.source import FormError
from state.rules import Filer, Filing, Gatherer, Sources

KINDS = ("feature", "bug", "spike", "enhancement")


@dataclass(frozen=True)
class Section:
    """A heading and the fields below it; a list's field is named once."""

    heading: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """One kind of document."""

    title: str
    sections: tuple[Section, ...]


def read_templates(files: Files) -> Mapping[str, Template]:
    """Template by kind. Raises FormError where a kind lacks its template, or one cannot be read."""
    source, read = files.toml("templates.toml"), TypeAdapter(Template)
    made: dict[str, Template] = {}
    for kind in KINDS:
        try:
            made[kind] = read.validate_python(source.data.get(kind))
        except ValidationError as error:
            text = f"`{kind}` needs a `title` and `sections`, each with a `heading` and `fields`."
            raise FormError([source.problem((kind,), text)]) from error
    return made


STATE = "agreed"
SLOT = re.compile(r"_(\d+)$")
MESSAGE = re.compile(r"\d+\.\d+")
SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")
LISTED = re.compile(r"^(\d+)([.)])|^([-+=])", re.MULTILINE)
HOW: Mapping[str, str] = {"clicked": "clicked", "chosen": "clicked", "entered": "written", "document": "in a file"}


def gatherer() -> Gatherer:
    """Return the gatherer of where the conversation is, for the links to its messages."""

    async def gather(_draft: Draft, sources: Sources) -> Mapping[str, Any]:
        return {"conversation": await sources.conversation()}

    return gather


def filer(templates: Mapping[str, Template], labels: Mapping[str, str]) -> Filer:
    """Return files an approved summary as agreed, with its document."""

    def file(draft: Draft, facts: Mapping[str, Any]) -> Filing:
        kind = str(draft.values["document"].data)
        pages = Pages(draft, templates[kind], labels, facts.get("conversation") or {})
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
    labels: Mapping[str, str]
    where: Mapping[str, str]
    """Whose conversation it is (`name`) and the address of its messages (`archive`, `thread`)."""
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
        values = [(name, value) for name in section.fields for value in self._values(name)]
        several = len(section.fields) > 1
        if values:
            lines = (
                f"- {f'**{self.labels.get(name, name)}:** ' if several else ''}{self._fact(value)}"
                for name, value in values
            )
            yield from ("", f"## {section.heading}", "", *lines)

    def _values(self, name: str) -> list[Value]:
        """Return a field's value; of a list the values in their order."""
        slots = [n for n in self.draft.values if n == name or (SLOT.search(n) and SLOT.sub("", n) == name)]
        return [self.draft.values[n] for n in sorted(slots, key=_place)]

    def _fact(self, value: Value) -> str:
        """Return one answer with where it came from."""
        self.facts += 1
        source = value.provenance
        if source not in self.sources:
            self.sources.append(source)
        how = HOW.get(source.how, "said")
        return f"{inert(value.label or str(value.data))} [{how} {self._at(source)}][^{self.sources.index(source) + 1}]"

    def _note(self, source: Provenance) -> str:
        """Return who said it, as a link to the message, and the words."""
        name, address = inert(self.where.get("name") or f"@{source.who}"), self._address(source.message)
        apart = f"{name}, message {source.message}" if MESSAGE.fullmatch(source.message) else name
        told = f"[{name}]({address})" if address else apart
        return f"{told}: “{inert(source.words)}”"

    def _address(self, message: str) -> str:
        """Return a message's own address, in the form that Slack gives it; empty where it has none."""
        archive, thread = self.where.get("archive", ""), self.where.get("thread", "")
        if not archive or not MESSAGE.fullmatch(message):
            return ""
        below = f"?thread_ts={thread}&cid={archive.rpartition('/')[2]}" if thread and thread != message else ""
        return f"{archive}/p{message.replace('.', '')}{below}"

    def _at(self, source: Provenance) -> str:
        """Return date and time where the person is."""
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
