"""A walk as a reader sees it: who said or clicked what, what stood on the screen then, and the record at the end (Markdown)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from blocks.messages import screen_lines
from bot.sandbox.workspace import Json
from state.draft.display import plainly
from state.fields.base import Context
from state.form import Form
from state.workflow.scenario import Chat, Scenario, Step

FENCE = "~~~~"
SAME = 2
"""Lines in a row that a message shows as before, up to which they are written out."""
ID = re.compile(r"(?<=127\.0\.0\.1):\d+|\b(?:\d{10}\.\d{6}|p\d{16}|[0-9a-f]{12}-[0-9a-f]{12}-\d+)\b")
"""Ids and ports, which are others in each run."""
PERSON = re.compile(r"<@U0([A-Z]+)>")
TOLD = {
    "say": "{name} writes", "lines": "{name} writes, without waiting", "click": "{name} clicks", "pick": "{name} uses result",
    "enter": "{name} fills in the box", "tick": "{name} ticks", "send": "{name} sends", "edit": "{name} edits", "chat": "{name} calls `/chat`",
    "wait": "Hours pass:", "report": "{name} fills in the report",
}  # fmt: skip


MODEL = {
    "absent": "no model: the rules read", "away": "a model that nobody reaches", "scripted": "a scripted model",
}  # fmt: skip


@dataclass
class Transcript:
    """Grows step by step; `text` is the page."""

    form: Form
    scenario: Scenario
    lines: list[str] = field(default_factory=list)
    last: dict[str, list[str]] = field(default_factory=dict)
    """The lines of the newest message under each heading: of a card that comes again only new lines are written out."""

    def began(self) -> None:
        """The head of the page: what is shown, in which language, and how the model is."""
        told = [self.form.title, MODEL[self.scenario.model]]
        told += [f"{self.scenario.today:%-d %B %Y}"] if self.scenario.today else []
        self.lines += [f"# {self.scenario.title}", "", " · ".join(told), ""]

    def acted(self, name: str, step: Step) -> None:
        """Write down what somebody does, and what the scripted model answers."""
        act = step.act
        self.lines += [f"**{TOLD[act].format(name=name)}** {_given(act, getattr(step, act))}", ""]
        for told, written in (step.write or {}).items():
            self.lines += [f"- {told}: {written if isinstance(written, str) else ', '.join(written)}", ""]
        for reply in step.model:
            calls = []
            for c in reply.all_calls:
                arguments = ", ".join(f"{name} = {value}" for name, value in c.arguments.items() if name != "words")
                calls.append(f"`{c.tool}` {arguments}".rstrip())
            said = "; ".join(filter(None, [f"“{reply.text}”" if reply.text else "", reply.fails, *calls]))
            self.lines += [f"*Model: {said}*", ""] if said else []

    def shown(self, heading: str, before: Json | None, message: Json) -> None:
        """A message that is new, or one that was repainted (`before` is how it was)."""
        now, was = _lines(message), _lines(before) if before else []
        edited = " (edited)" if before else ""
        if now != was:
            told = _changed(was if before else self.last.get(heading, []), now)
            told = now if heading.startswith("In #") else told
            self.lines += [f"{heading}{edited}", "", FENCE, *told, FENCE, ""]
            self.last[heading] = now

    def attached(self, name: str, text: str) -> None:
        """A document that the bot made."""
        self.lines += [f"{name}:", "", FENCE, *ID.sub("…", text).rstrip().splitlines(), FENCE, ""]

    def answered(self, status: int, body: Mapping[str, Any]) -> None:
        """Write down the answer of `/chat`."""
        shown = {**body, **({"proposalId": "…"} if "proposalId" in body else {})}
        told = [f"{key}: {value}" for key, value in shown.items() if value not in (None, [], {})]
        self.lines += [f"`{status}`", "", FENCE, *told, FENCE, ""]

    def ended(self, records: Sequence[Mapping[str, Any]]) -> None:
        """The records, the newest last."""
        for record in reversed(records):
            self.lines += [f"## {record['number']}: {record['state']}", ""]
            self.lines += [f"- {reason}" for reason in record.get("reasons", ())] + [""] * bool(record.get("reasons"))
            self.lines += ["| | | |", "|---|---|---|", *self._rows(record), ""]

    def _rows(self, record: Mapping[str, Any]) -> Iterable[str]:
        context = Context(self.form.language, str(self.scenario.today or ""))
        values = record.get("values", {})
        for name, known in ((n, f) for n, f in self.form.fields.items() if n in values):
            value = values[name]
            shown = value.get("label") or plainly(known, value["data"], context)
            yield f"| {_cell(known.label)} | {_cell(str(shown))} | {_cell(_from(value.get('provenance', {})))} |"
        for told in record.get("disclosures", ()):
            label = self.form.fields[told["field"]].label
            yield f"| {_cell(label)} | disclosed later | {_cell(_from(told.get('provenance', {})))} |"

    @property
    def text(self) -> str:
        """The page."""
        return "\n".join(self.lines).rstrip() + "\n"


def _lines(message: Json) -> list[str]:
    """Return what a message shows, with the people of the local Slack by name."""
    return [PERSON.sub(lambda found: found[1].title(), line) for line in screen_lines(message)]


def _changed(was: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the lines of an edited message; of those that stood there already only how many they are."""
    out: list[str] = []
    kept: list[str] = []
    for line in (*now, None):
        if line is not None and line in was:
            kept.append(line)
            continue
        out += kept if len(kept) <= SAME else [kept[0], f"⋮ {len(kept) - 1} lines as before"]
        kept = []
        out += [line] if line is not None else []
    return out


def _given(act: str, given: Any) -> str:
    if act == "lines":
        return " / ".join(f"“{line}”" for line in given)
    if act == "tick":
        return ", ".join(given)
    if isinstance(given, Chat):
        if given.confirm:
            return f"confirm ({given.of.title()}'s proposal)" if given.of else "confirm"
        return str(dict(given.body or {})) if given.message is None else f"“{given.message}”"
    if isinstance(given, Mapping):
        return "; ".join(f"{name}: {value}" if act != "send" else name for name, value in given.items())
    return f"[{given}]" if act == "click" else f"“{given}”" if isinstance(given, str) else str(given)


def _from(provenance: Mapping[str, Any]) -> str:
    words = provenance.get("words") or ""
    return f"{provenance.get('how', '')}: “{words}”" if words else str(provenance.get("how", ""))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
