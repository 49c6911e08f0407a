"""Write what leaves: for each step of a record a row for each sink that takes it, in its transaction; for an erasure, rows that call it off."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from blocks.note import build_passed_on
from blocks.phrases import Phrasebook
from bot.exports.sinks.file import ANSWERS, BREACH, Sink
from bot.slack.places import person_key, place_of
from state.draft.changes import Change
from state.draft.draft import Draft
from state.draft.record import Decision
from state.draft.record import Record as Filed
from state.draft.record_changes import BreachSet, RecordMoved
from state.engine.codec import encode
from state.engine.effects import Amend, Effect, File
from state.form import Form
from state.stores.rows import OutboxRow, Record
from state.workflow.load import Workflow

SCHEMA = "holdfast.record/1"
KIND = "sink"
"""Of rows, and of their lanes."""
OF_DECISIONS = ("decisions", "reasons", "conditions", "decided_by")
PERSONAL = ("reasons", "conditions", "decided_by", "reports", "owner")
"""What may name a person, beside their answers."""


@dataclass(frozen=True)
class Step:
    """A record has come into a state, or a breach was opened or closed. `draft` is how it was then, `event` makes the row's key."""

    form: Form
    draft: Draft
    moved: tuple[str, str] | None
    """The state it had, and the one it has; None where that is the same."""
    at: str
    event: str
    breach: bool = False

    @property
    def key(self) -> str:
        """By which a receiver knows it again: the same for ever, however often it is sent, and no other step's, also after a backup came back."""
        event = hashlib.blake2s(self.event.encode(), digest_size=4).hexdigest()
        return f"{self.draft.filed.number}/{self.draft.revision}/{event}"

    @property
    def state(self) -> str:
        """The record's."""
        return self.moved[1] if self.moved else self.draft.filed.state

    def concerns(self, sink: Sink) -> bool:
        """Return True if a sink takes it."""
        return sink.takes(self.form, self.moved, breach=self.breach)


def step_of(
    form: Form, before: Draft, after: Draft, changes: Iterable[Change], effects: Iterable[Effect], at: str, event: str
) -> Step | None:
    """Return what an event was to the record; None where it was no step."""
    done = tuple(changes)
    to, breach = moved_to(done, effects), any(isinstance(change, BreachSet) for change in done)
    return Step(form, after, (before.filed.state, to) if to else None, at, event, breach) if to or breach else None


def moved_to(changes: Iterable[Change], effects: Iterable[Effect]) -> str:
    """Return the state into which a record came; empty where none did."""
    moves = [change.to for change in changes if isinstance(change, RecordMoved)]
    moves = moves or [effect.state for effect in effects if isinstance(effect, File | Amend)]
    return moves[-1] if moves else ""


def sink_rows(sinks: Mapping[str, Sink], step: Step) -> Iterator[OutboxRow]:
    """Yield the rows of one step."""
    for name, sink in sinks.items() if step.draft.filed.number else ():
        if step.concerns(sink):
            yield row_of(name, sink, step)


def row_of(name: str, sink: Sink, step: Step, again: str = "") -> OutboxRow:
    """Return the row for one sink. What says nothing of a person is nobody's, and so outlives an erasure. `again` tells a repetition apart."""
    person = person_key(step.draft.tenant, step.draft.owner if is_personal(sink) else "")
    body = {"sink": name, "form": step.form.name, "key": step.key, "payload": payload(sink, step)}
    return OutboxRow(
        f"{step.event}/{KIND}:{name}{again}",
        lane_of(name, step.form.name, step.draft.filed.number),
        KIND,
        person,
        body,
    )


def lane_of(sink: str, form: str, number: str) -> str:
    """Return a lane for each record at each sink: what a sink was told of a record comes in order, and holds nothing else back."""
    return f"{KIND}:{sink}:{form}:{number}"


def lane_place(lane: str) -> tuple[str, str, str]:
    """Sink, form and record of a lane; empty where it is another kind of lane."""
    kind, _, rest = lane.partition(":")
    sink, form, number = (*rest.split(":", 2), "", "", "")[:3] if kind == KIND else ("", "", "")
    return sink, form, number


def is_personal(sink: Sink) -> bool:
    """Return True if anything leaves by it that is about a person."""
    return any(name in PERSONAL or name.startswith(ANSWERS) for name in sink.fields)


def payload(sink: Sink, step: Step) -> dict[str, Any]:
    """Return what is sent: the envelope, and what the sink's `fields` let out."""
    draft, wanted = step.draft, sink.fields
    told: dict[str, Any] = {
        "schema": SCHEMA, "key": step.key, "number": draft.filed.number, "form": step.form.name,
        "what": "state" if step.moved else BREACH, "state": step.state,
        "revision": draft.revision, "changed_at": step.at,
    }  # fmt: skip
    plain = {
        "filed_at": draft.filed.filed_at or step.at,
        "valid_until": draft.filed.valid_until,
        "owner": draft.owner,
        "team": draft.tenant,
    }
    told |= {name: value for name, value in plain.items() if name in wanted}
    if any(name in wanted for name in OF_DECISIONS):
        told["decisions"] = [_decision(one, wanted) for one in draft.filed.decisions]
    if "breaches" in wanted:
        told["breaches"] = [
            {"id": one.id, "kind": one.kind, "opened_at": one.at, "closed_at": one.closed_at}
            for one in draft.filed.breaches
        ]
    answers = [name.removeprefix(ANSWERS) for name in wanted if name.startswith(ANSWERS)]
    held = encode(draft) if answers or "reports" in wanted else {}
    if "reports" in wanted:
        told["reports"] = [{"at": one["at"], "figures": one["figures"]} for one in held["reports"]]
    if answers:
        values = held["values"]
        told["answers"] = {
            name: values[name]["data"] for name in answers if name in values and name in step.form.fields
        }
    return told


def _decision(one: Decision, wanted: tuple[str, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {"state": one.state, "role": one.role, "verdict": one.verdict, "to": one.to, "at": one.at}
    told |= {"void": True} if one.void else {}
    told |= {"reason": one.reason} if "reasons" in wanted else {}
    told |= {"conditions": one.conditions} if "conditions" in wanted else {}
    return told | ({"by": one.who, "deputy_of": one.deputy_of} if "decided_by" in wanted else {})


@dataclass(frozen=True)
class SinksToTell:
    """`channel` is the operators', or empty."""

    sinks: Callable[[], Mapping[str, Sink]]
    forms: Mapping[str, Form]
    channel: str = ""
    words: Phrasebook | None = None

    def called_off(self, record: Record, state: str, revision: int, at: str) -> list[OutboxRow]:
        """Return the step into the state that an erasure gives a record: nobody's, and only what is about nobody."""
        form = self.forms[record.form]
        filed = record.filed_at.isoformat() if record.filed_at else ""
        draft = Draft(
            record.draft,
            record.form,
            record.tenant,
            "",
            "",
            revision=revision,
            filed=Filed(record.number, filed_at=filed),
        )
        step = Step(form, draft, (record.state, state), at, f"erased:{record.number}")
        bare = {"fields": ("filed_at",)}
        taking = ((n, s.model_copy(update=bare)) for n, s in self.sinks().items() if step.concerns(s))
        return [row_of(name, sink, step) for name, sink in taking]

    def passed_on(self, records: Iterable[Record]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Sinks that took records of these forms, and the numbers of those that may be there."""
        held = list(records)
        for name, sink in self.sinks().items():
            numbers = tuple(one.number for one in held if one.form in sink.forms)
            if numbers:
                yield name, numbers

    def notices(self, team: str, records: Iterable[Record]) -> list[OutboxRow]:
        """Return the operators' message, which names numbers and no person."""
        there, channel = place_of(self.channel, team)
        told = list(self.passed_on(records)) if channel and self.words else []
        return [_notice(self.words, there, channel, name, numbers) for name, numbers in told if self.words]


def sinks_to_tell(
    sinks: Callable[[], Mapping[str, Sink]], workflows: Mapping[str, Workflow], channel: str
) -> SinksToTell:
    """Return what sinks, and those who run the bot, hear of an erasure."""
    forms = {name: w.form for name, w in workflows.items()}
    return SinksToTell(sinks, forms, channel, Phrasebook(next(iter(forms.values())).language))


def _notice(words: Phrasebook, team: str, channel: str, sink: str, numbers: tuple[str, ...]) -> OutboxRow:
    message = build_passed_on(words, sink, numbers)
    body = {"team": team, "channel": channel, "thread": "", "card": "", "text": message.text}
    key = f"erased:{sink}:{','.join(numbers)}"
    return OutboxRow(key, f"slack:{channel}", "post", f"{team}:", {**body, "blocks": list(message.blocks)})
