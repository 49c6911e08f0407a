"""Conversations that double as tests: what a person does, what a scripted model answers, and what must be true then."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import available_timezones

from pydantic import Field, model_validator

from state.fields.limits import misfit
from state.form.field import Part, Plain
from state.form.schema import Form
from state.form.source import FormError, Keys, meant, read_toml
from state.form.validation import Parts, read_as
from state.workflow.form_case import Finding, none_such

ACTS = ("say", "lines", "click", "pick", "enter", "tick", "send", "edit", "chat", "wait", "report")
Name = Literal["alex", "dana", "robin"]
PEOPLE: tuple[Name, ...] = ("alex", "dana", "robin")
"""Who is in the local Slack; the first one is the person whose conversation it is, where a step names nobody."""
PERSON, COLLEAGUE = "person", "colleague"
WORDS = ("reason", "conditions", "note", "fields")
"""What may be written beside a verdict, and the fields that are picked where more is asked for."""


class ModelCall(Part):
    """A tool call that the scripted model makes. The tool need not exist: hostile models are played too."""

    tool: str
    """The tool's name."""
    arguments: Mapping[str, Any] = {}
    """Its arguments."""


class ModelReply(Part):
    """One answer of the scripted model: words, calls, both, or a failure of the service."""

    text: str = ""
    """Its words."""
    tool: str = ""
    """Short for one call."""
    arguments: Mapping[str, Any] = {}
    """The arguments of `tool`."""
    calls: tuple[ModelCall, ...] = ()
    """Several calls."""
    fails: Literal["", "outage", "refusal"] = ""
    """A failure of the service in the place of an answer."""

    @property
    def all_calls(self) -> tuple[ModelCall, ...]:
        """Return every call, the short form first."""
        return (*((ModelCall(tool=self.tool, arguments=self.arguments),) if self.tool else ()), *self.calls)


class ExpectedRecord(Part):
    """The newest record of the person. Each of `reasons` is found in one of its reasons; `computed` holds at least these."""

    state: str
    """The state it is in."""
    reasons: tuple[str, ...] = ()
    """Each found in one of its reasons."""
    computed: Mapping[str, Any] = {}
    """What was computed, at least these."""


class Expect(Part):
    """What must be true once the bot has come to rest after a step. What is not named is not looked at."""

    values: Mapping[str, Plain | tuple[str, ...]] = {}
    """Answers in canonical form."""
    unset: tuple[str, ...] = ()
    """Fields without an answer."""
    asked: str | None = None
    """The field whose question is open; the empty string where none is."""
    review: bool | None = None
    """True if the review card is the open one."""
    not_asked: tuple[str, ...] = ()
    """No message since the step asks for these."""
    locked: tuple[str, ...] = ()
    """Fields that are locked."""
    unlocked: tuple[str, ...] = ()
    """Fields that are not."""
    options: tuple[str, ...] | None = None
    """Labels of the results to pick from, in their order."""
    disclosed: tuple[str, ...] = ()
    """Fields of which the worse answer was disclosed."""
    says: tuple[str, ...] = ()
    """Found in the messages since the step, repainted ones included."""
    says_once: tuple[str, ...] = ()
    """Found in them exactly once."""
    never_says: tuple[str, ...] = ()
    """Not found in the messages since the step."""
    put_back: Mapping[str, Plain] | None = None
    """What may be meant and waits for a click, all of it; a field with several values in doubt stands here with the first."""
    files: Mapping[str, str] = {}
    """Names of the files that a document field holds, with commas between several."""
    read: Mapping[str, Plain] | None = None
    """What was read from documents and waits for a click, all of it."""
    status: Literal["open", "submitted", "cancelled", "escalated"] | None = None
    """What the draft is."""
    record: ExpectedRecord | None = None
    """The person's newest record."""
    records: int | None = None
    """How many records the person has."""
    stage: str | None = None
    """The stage that the draft is in."""
    handed: bool | None = None
    """True if a person has the conversation."""
    code: int | None = None
    """The HTTP status of a call of `/chat`."""
    answer: Mapping[str, Any] = {}
    """What its body holds at least; of texts, words that are found in them."""
    officers_read: tuple[str, ...] = ()
    """Found in what is new or repainted in the channel of the reviewers."""
    officers_never_read: tuple[str, ...] = ()
    """Not found there."""
    told_off: str | None = None
    """Found in the private note to whoever clicked there; the empty string where there is none."""
    breaches: tuple[str, ...] | None = None
    """Found in the breaches of the record that are open, each in the one at its place, and no further one is."""
    settled: bool | None = None
    """True if a note matches what was reported, so that the file is closed."""


class Paper(Part):
    """A file made of lines of text: a PDF with that text, a PDF of a scanned page, or a photo."""

    text: str = ""
    """The lines of the file."""
    made_as: Literal["text", "scan", "photo"] = Field(default="text", alias="as")
    """A PDF with text, a PDF of a scanned page, or a photo. Written `as`."""


class Chat(Part):
    """A call of `POST /chat`: words, or a click on the proposal that the caller was given last."""

    message: str | None = None
    """Words."""
    confirm: bool = False
    """A click on the proposal that the caller was given last."""
    of: Name | None = None
    """Whose proposal is clicked, where it is somebody else's."""
    body: Mapping[str, Any] | None = None
    """Anything else that is sent, as it stands."""


class Someone(Part):
    """One of the people: their time zone and language in Slack, and their roles in this workflow."""

    zone: str = ""
    """A time zone: "America/New_York"."""
    language: str = ""
    """The language set in Slack."""
    roles: tuple[str, ...] = ()
    """Roles in a workflow that has a roles.toml."""
    phone: str = ""
    """The number in the Slack profile."""


class Step(Part):
    """One act of a person: exactly one of those in `ACTS`."""

    say: str | None = None
    """A message; `/pa …` is the slash command."""
    lines: tuple[str, ...] | None = None
    """Messages that are sent one after the other, without waiting for an answer."""
    click: str | None = None
    """A button by its words, on the newest card that has it."""
    on: str = ""
    """The field whose card is meant by `click`."""
    who: Name = "alex"
    """Who acts, in their own conversation with the bot."""
    by: str = PERSON
    """Who clicks: the person, or one of the reviewers, in their channel: any `colleague`, or who holds a role ("manager")."""
    write: Mapping[str, str | tuple[str, ...]] | None = None
    """The content of the box that a verdict's button opens: `reason`, `conditions`, `note`, and `fields` to be answered again."""
    pick: int | None = None
    """A search result by its place in the list, from 1."""
    enter: str | None = None
    """Text in the box that the open question offers."""
    tick: tuple[str, ...] | None = None
    """Boxes by their words; then Done."""
    send: Mapping[str, str | Paper] | None = None
    """Files of one message: names, and the text that stands in each; `{ text = "…", as = "scan" }` for what only looks like text."""
    chat: Chat | None = None
    """A call over HTTP, with a token of whoever acts."""
    wait: int | None = None
    """Hours that pass before anything else happens."""
    report: Mapping[str, str] | None = None
    """The box in which it is told what was done under an approval: fields of the form's report, and what is written or chosen there.

    What is left out stays as it is filled in.
    """
    edit: Mapping[str, str] | None = None
    """An answer changed by the Edit menu: the field, and what is written or chosen in its box. Empty where it is asked anew."""
    model: tuple[ModelReply, ...] = ()
    """What the model answers to the calls that follow, one each; where it runs out, it says nothing of use."""
    expect: Expect = Expect()
    """What must be true then."""

    @model_validator(mode="after")
    def _one_act(self) -> Self:
        if sum(getattr(self, act) is not None for act in ACTS) != 1:
            raise ValueError(f"A step has exactly one of {', '.join(ACTS[:-1])} and {ACTS[-1]}.")
        if self.on and self.click is None:
            raise ValueError("`on` says which card a click is on. Add `click`, or take it out.")
        if self.by != "person" and self.click is None:
            raise ValueError("`by` says who clicks. Add `click`, or take it out.")
        if (self.expect.code is not None or self.expect.answer) and self.chat is None:
            raise ValueError("`code` and `answer` are what `/chat` gives back. Add `chat`, or take them out.")
        if self.write is not None and self.by in (PERSON, COLLEAGUE):
            raise ValueError('`write` fills the box of a verdict. Say by which role it is given: by = "manager".')
        return self

    @property
    def act(self) -> str:
        """What is done."""
        return next(act for act in ACTS if getattr(self, act) is not None)


class Scenario(Part):
    """`model` is absent (no key: rules read), away (every call fails) or scripted (each step says what it answers)."""

    title: str
    """The rule that the conversation shows, as a sentence."""
    today: date | None = None
    """The day on which it takes place; the machine's own time where none is given."""
    at: time | None = None
    """The time at which it begins (UTC), wherever there is a day; each step takes a minute."""
    walk: bool = False
    """True if what people see is kept as a page (`holdfast test --transcript`)."""
    people: Mapping[Name, Someone] = {}
    """What is known of those who act."""
    files: Mapping[str, str] = {}
    """Files that a company lays over the workflow's own, by their names ("data/securities.csv")."""
    language: str = ""
    """The language that the person has set in Slack ("it-IT"); English where none is given."""
    model: Literal["absent", "away", "scripted"] = "absent"
    """No key, so that rules read; every call fails; or each step says what it answers."""
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    """The acts, in their order."""

    @property
    def begins(self) -> datetime | None:
        """Its day and hour; None where it takes place at any."""
        return datetime.combine(self.today, self.at, UTC) if self.today and self.at else None


PARTS: Parts = {
    "steps": Step, "model": ModelReply, "calls": ModelCall, "expect": Expect, "record": ExpectedRecord,
    "people": Someone, "chat": Chat, "send": Paper,
}  # fmt: skip


def read_scenario(file: Path, form: Form | None) -> Scenario:
    """Read one conversation and check it against its form, where that is known. Raises FormError with the lines to mend."""
    source = read_toml(file)
    scenario = read_as(Scenario, source, PARTS)
    findings = (*_steps(scenario, form), *_times(scenario), *_acting(scenario, form)) if form else ()
    if findings:
        raise FormError(source.problem(*finding) for finding in findings)
    return scenario


def _steps(scenario: Scenario, form: Form) -> Iterator[Finding]:
    """Check that steps and expectations name fields, stages and values of the form."""
    table = form.filing.report
    for n, step in enumerate(scenario.steps):
        for keys, name in _named(step):
            if name not in form.fields:
                yield ("steps", n, *keys), none_such(name, "field of this form", form.fields)
        for name, value in step.expect.values.items():
            if name in form.fields and (wrong := misfit(form.fields[name], value)):
                yield ("steps", n, "expect", "values", name), f"`{name}` {wrong}"
        stage = step.expect.stage
        if stage and stage not in form.stages:
            yield ("steps", n, "expect", "stage"), none_such(stage, "stage of this form", form.stages)
        if step.report is not None and table is None:
            yield ("steps", n, "report"), "This form wants no report. Add [filing.report] to it, or take `report` out."
        for name in step.report if step.report and table else ():
            if table and name not in table.fields:
                yield ("steps", n, "report", name), none_such(name, "field of the report", table.fields)


def _named(step: Step) -> Iterator[tuple[Keys, str]]:
    """Yield every field that a step names, with the keys of where it does."""
    expect = step.expect
    for key in ("values", "unset", "not_asked", "locked", "unlocked", "disclosed", "files", "read", "put_back"):
        yield from ((("expect", key), name) for name in getattr(expect, key) or ())
    if expect.asked:
        yield ("expect", "asked"), expect.asked
    if step.on:
        yield ("on",), step.on
    yield from ((("edit", name), name) for name in step.edit or ())
    again = (step.write or {}).get("fields", ())
    yield from ((("write", "fields"), name) for name in ((again,) if isinstance(again, str) else again))


def _times(scenario: Scenario) -> Iterator[Finding]:
    """Check that a day and its hour are stated together: half of them would be the machine's."""
    if scenario.walk and scenario.today is None:
        yield ("walk",), "A walk needs its day, so that its page is the same each time. Add `today`."
    if scenario.today and scenario.at is None:
        yield ("today",), "A day without its hour would take the machine's. Add `at = 09:00:00` (UTC)."
    if scenario.at and scenario.today is None:
        yield ("at",), "An hour without its day would take the machine's. Add `today`."
    for name, someone in scenario.people.items():
        if someone.zone and someone.zone not in available_timezones():
            yield ("people", name, "zone"), f'"{someone.zone}" is no time zone. Write one like "Europe/Rome".'


def _acting(scenario: Scenario, form: Form) -> Iterator[Finding]:
    """Check that whoever gives a verdict holds a role of the form's, and that a model answers only where it is scripted."""
    known = (PERSON, COLLEAGUE, *sorted(form.filing.roles))
    for n, step in enumerate(scenario.steps):
        if step.model and scenario.model != "scripted":
            told = 'The model answers only in a scripted scenario. Write `model = "scripted"` above.'
            yield ("steps", n, "model"), told
        if step.by not in known:
            told = f'"{step.by}" is nobody in this form. Write one of {", ".join(known)}.'
            yield ("steps", n, "by"), told + meant(step.by, known)
        for name in (name for name in step.write or () if name not in WORDS):
            yield ("steps", n, "write", name), none_such(name, "box of a verdict", WORDS)
