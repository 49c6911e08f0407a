"""Where records go: sinks.toml under HOLDFAST_VAR, and a row of the outbox for each step of a record and each sink that takes it."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import structlog
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from blocks.messages import build_passed_on
from blocks.phrases import Phrasebook
from bot.operations.files import Watched
from bot.operations.tasks import notice
from bot.slack.places import person_key, place_of
from state.draft.changes import Change
from state.draft.draft import Draft
from state.draft.record import Decision
from state.draft.record import Record as Filed
from state.draft.record_changes import BreachSet, RecordMoved
from state.engine.codec import encode
from state.engine.effects import Amend, Effect, File
from state.form import Form
from state.form.filing import DECIDED, is_decided
from state.form.source import meant, misfits, values_in
from state.stores.rows import OutboxRow, Record
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.sinks")

FILE = "sinks.toml"
ANSWERS = "answers."
BREACH = "breach"
"""Beside the states of records: a breach that was opened or closed."""
USUAL = ("filed_at", "valid_until", "decisions", "breaches")
"""Fields that leave beside the number, the form, the state and the times, unless the file says otherwise: nothing personal."""
OFFERED = (*USUAL, "reasons", "conditions", "decided_by", "reports", "owner", "team")
SECRET = 16
"""Bytes that a secret has at least."""
KEYS: Mapping[str, tuple[str, ...]] = {"webhook": ("url", "secret_file"), "csv": ("folder",)}
"""Keys that each kind needs, and no other kind has."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,40}$")]


class Sink(BaseModel):
    """One sink as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["webhook", "csv"]
    forms: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    """Left out: whatever comes into, or out of, a state in which nobody looks at a record any more."""
    fields: tuple[str, ...] = USUAL
    url: str = ""
    secret_file: str = ""
    folder: str = ""

    @model_validator(mode="after")
    def _whole(self) -> "Sink":
        if not self.forms:
            raise ValueError('Say of which forms: forms = ["pa_dealing"].')
        for kind, keys in KEYS.items():
            for key in keys:
                if bool(getattr(self, key)) != (kind == self.kind):
                    raise ValueError(f"A {self.kind} {'needs' if kind == self.kind else 'has no'} `{key}`.")
        if self.url:
            _check_url(self.url)
        if self.secret_file and (Path(self.secret_file).name != self.secret_file or self.secret_file.startswith(".")):
            raise ValueError("`secret_file` is the name of a file in the folder of HOLDFAST_VAR, without a path.")
        return self

    def takes(self, form: Form, moved: tuple[str, str] | None, *, breach: bool = False) -> bool:
        """Return True if a step concerns this sink: from one state to another, or a breach. What it was told is final it is told the end of, too."""
        if form.name not in self.forms:
            return False
        if self.states:
            return bool(moved and moved[1] in self.states) or (breach and BREACH in self.states)
        return breach or any(is_decided(form.filing, state) is True for state in moved or () if state)


class SinksFile(BaseModel):
    """sinks.toml as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sinks: Mapping[Name, Sink] = {}


def _check_url(url: str) -> None:
    """Https, or http on this machine; nobody's password in it. Raises ValueError, without the address: it may be a secret."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise ValueError("`url` is no address.") from None
    if not host or parts.username or parts.password or parts.fragment:
        raise ValueError("`url` is an address like https://archive.example/records, without user, password or #part.")
    if parts.scheme != "https" and not (parts.scheme == "http" and _loopback(host)):
        raise ValueError("`url` begins with https://; only an address of this machine's own may begin with http://.")


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_sinks(path: Path, forms: Mapping[str, Form]) -> Mapping[str, Sink]:
    """Read sinks.toml; nothing where there is none. Raises ValueError with a sentence for each thing to mend."""
    try:
        written = SinksFile.model_validate(values_in(path))
    except FileNotFoundError:
        return {}
    except ValidationError as wrong:
        raise ValueError(misfits(wrong)) from None
    problems = [f"sinks.{name}: {told}" for name, sink in written.sinks.items() for told in _strange(sink, forms)]
    folders = [sink.folder for sink in written.sinks.values() if sink.folder]
    problems += [
        f"Two sinks cannot share the folder {one!r}." for one in dict.fromkeys(folders) if folders.count(one) > 1
    ]
    if problems:
        raise ValueError("; ".join(problems))
    return written.sinks


def _strange(sink: Sink, forms: Mapping[str, Form]) -> Iterator[str]:
    """Yield names that no form has, and answers that never leave."""
    for name in sink.forms:
        if name not in forms:
            yield f"There is no form {name!r}.{meant(name, forms)}"
    mine = [forms[name] for name in sink.forms if name in forms]
    states = {BREACH, *DECIDED, *(state for form in mine for state in form.filing.states)}
    yield from (f"No record of these forms is ever {s!r}.{meant(s, states)}" for s in sink.states if s not in states)
    for name in sink.fields:
        yield from _strange_field(name, mine)


def _strange_field(name: str, forms: list[Form]) -> Iterator[str]:
    if not name.startswith(ANSWERS):
        known = (*OFFERED, *(f"{ANSWERS}{field}" for form in forms for field in form.fields))
        yield from () if name in OFFERED else (f"Nothing of a record is called {name!r}.{meant(name, known)}",)
        return
    answer = name.removeprefix(ANSWERS)
    having = [form.fields[answer] for form in forms if answer in form.fields]
    if not having:
        yield f"None of these forms has the field {answer!r}.{meant(answer, {f for form in forms for f in form.fields})}"
    elif any(field.sensitive for field in having):
        yield f"{answer!r} is sensitive: it leaves by no sink."


class Sinks:
    """The sinks as they stand. A file that is wrong counts for nothing: what was there before it stands, and `problem` says why."""

    def __init__(self, folder: Path, workflows: Mapping[str, Workflow]) -> None:
        self._watched, self._workflows = Watched(folder / FILE), workflows
        self._good: Mapping[str, Sink] = {}
        self.problem = ""
        self.var = folder
        self._take()

    def current(self) -> Mapping[str, Sink]:
        """By name."""
        if self._watched.changed():
            self._take()
        return self._good

    def _take(self) -> None:
        self._watched.take()
        try:
            forms = {name: one.form for name, one in self._workflows.items()}
            self._good, self.problem = read_sinks(self._watched.path, forms), ""
        except (OSError, ValueError) as wrong:
            self.problem = str(wrong)
            log.error("sinks_wrong", kind=type(wrong).__name__)


SCHEMA = "holdfast.record/1"
KIND = "sink"
"""Of rows, and of their lanes."""
PERSONAL = ("reasons", "conditions", "decided_by", "reports", "owner")
"""Fields that may name a person, beside their answers."""


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
    # a lane for each record at each sink: what a sink was told of a record comes in order, and holds nothing else back
    lane = f"{KIND}:{name}:{step.form.name}:{step.draft.filed.number}"
    return OutboxRow(f"{step.event}/{KIND}:{name}{again}", lane, KIND, person, body)


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
    if any(name in wanted for name in ("decisions", "reasons", "conditions", "decided_by")):
        told["decisions"] = [_decision(one, wanted) for one in draft.filed.decisions]
    if "breaches" in wanted:
        told["breaches"] = [
            {"id": one.id, "kind": one.kind, "opened_at": one.at, "closed_at": one.closed_at}
            for one in draft.filed.breaches
        ]
    answers = [name.removeprefix(ANSWERS) for name in wanted if name.startswith(ANSWERS)]
    held = encode(draft) if answers or "reports" in wanted else {}
    if "reports" in wanted:
        told["reports"] = [{"at": one["at"], "figures": one["figures"]} for one in held["filed"]["reports"]]
    if answers:
        values = held["values"]
        told["answers"] = {
            name: values[name]["data"] for name in answers if name in values and name in step.form.fields
        }
        declared = {name: values[name]["declared"] for name in told["answers"] if values[name]["declared"]}
        told |= {"declared": declared} if declared else {}
    return told


def _decision(one: Decision, wanted: tuple[str, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {"state": one.state, "role": one.role, "verdict": one.verdict, "to": one.to, "at": one.at}
    told |= {"void": True} if one.void else {}
    told |= {"reason": one.reason, "message": one.note} if "reasons" in wanted else {}
    told |= {"conditions": one.conditions} if "conditions" in wanted else {}
    return told | ({"by": one.who, "deputy_of": one.deputy_of} if "decided_by" in wanted else {})


@dataclass(frozen=True)
class SinksToTell:
    """What sinks, and those who run the bot, hear of an erasure. `channel` is the operators', or empty."""

    sinks: Callable[[], Mapping[str, Sink]]
    workflows: Mapping[str, Workflow]
    channel: str

    def called_off(self, record: Record, state: str, revision: int, at: str) -> list[OutboxRow]:
        """Return the step into the state that an erasure gives a record: nobody's, and only what is about nobody."""
        form = self.workflows[record.form].form
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
        words = Phrasebook(next(iter(self.workflows.values())).form.language)
        return [
            notice(f"erased:{name}:{','.join(numbers)}", there, channel, build_passed_on(words, name, numbers))
            for name, numbers in (self.passed_on(records) if channel else ())
        ]
