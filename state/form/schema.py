"""The shape of a form: fields, stages, operations, commands. Frozen, checked as it is built, and free of any behaviour but look-ups."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field as Limits
from pydantic import PositiveInt, PrivateAttr, StringConstraints

from state.extras import Extra
from state.form.field import Condition, Field, Label, Name, Named, Paper, Part
from state.form.filing import FilingTable


class ListColumn(Part):
    """One column. Its name is the heading in the file; `also` are further headings that stand for it."""

    kind: Literal["text", "date", "number", "identifier", "choice"] = "text"
    """What its cells hold; a number is whole."""
    required: bool = True
    """`false`: the cell, and the whole column, may be left out."""
    also: tuple[str, ...] = ()
    """Further headings that stand for it."""
    scheme: str = ""
    """Of an identifier: whose check digit is checked."""
    lookup: str = ""
    """A look-up of rules.py that has to find what stands here."""
    besides: tuple[str, ...] = ()
    """What may stand here though no look-up finds it: "all"."""
    choices: tuple[str, ...] = ()
    """Of a choice: what may stand here."""
    minimum: int | None = None
    """Of a number."""
    maximum: int | None = None
    """Of a number."""
    not_before: str = ""
    """A date's column that comes first: the end of a time is not before its beginning."""
    max_length: Annotated[int, Limits(ge=1, le=2000)] = 300
    """Characters of a cell."""


class ListTable(Named):
    """A list in versions: what ships is version 0, each upload the next one."""

    title: str
    """As results name it: "restricted list, version 3 of 20 Nov 2026"."""
    by: str
    """The role that uploads it."""
    columns: Mapping[Name, ListColumn]
    """Its columns, a table each; their names are the heading of the file, in any order."""
    key: Annotated[tuple[Name, ...], Limits(min_length=1)]
    """Columns by which rows are told apart."""
    file: str = ""
    """The CSV file of version 0; where there is none, rules.py gives its rows (`shipped`)."""
    one_of: tuple[Name, ...] = ()
    """Columns of which each row has exactly one filled in."""
    ascending: Mapping[Name, tuple[str, ...]] = {}
    """By column, rows (by their key) in which it never falls: a limit is not above the one that comes after it."""
    fixed: bool = False
    """The rows are those of version 0: an upload changes what stands in them and neither adds nor takes away any."""


class Transition(Part):
    """From the stage that holds it, on a trigger, where the condition holds, to another stage.

    `complete` is the trigger that code pulls once nothing required is missing in the stage. The others are pulled by the
    person (a `label` makes a button, `words` are how people say it), by the model, or, when `automatic`, by code. One that
    `submits` shows the review first, at once where nobody has to choose it; the click on Submit files the record and follows it.
    """

    on: Name = "complete"
    """The trigger; `complete` is pulled by code once nothing required is missing in the stage."""
    to: str
    """A stage's name; in a stage with variants `manual_*` is the target's variant of the same name."""
    when: Condition | None = None
    """The way is open only where this holds."""
    automatic: bool = False
    """Followed by code as soon as its condition holds; without one, once nothing required is missing in the stage."""
    at_most: PositiveInt | None = None
    """How many times it may be followed in one draft."""
    label: Annotated[str, StringConstraints(max_length=75)] = ""
    """The words on a button that pulls it."""
    words: tuple[str, ...] = ()
    """Whole utterances that pull it."""
    mentions: tuple[str, ...] = ()
    """Words that pull it wherever they stand in a message."""
    says: str = ""
    """What the person reads first where this way is taken, above what its stage says."""
    submits: bool = False
    """Taking it opens the review; Submit files the record and then follows it."""
    again: bool = False
    """The fields of the stage it leads to are asked anew; each may keep its answer."""

    @property
    def chosen(self) -> bool:
        """True if a person (or a model that understood one) may pull it."""
        return bool(self.label or self.words)


class Repeat(Named):
    """A group of fields that is asked several times, each time under names of its own: `debt_lender_1`, `debt_lender_2`."""

    most: Annotated[int, Limits(ge=1, le=20)]
    """How many times at most."""
    needed: Annotated[int, Limits(ge=0)] = 1
    """How many times it is asked at least; further times are taken when they are said."""
    more: str = ""
    """The yes/no field of the group that opens the next time."""


class QuestionGroup(Named):
    """Fields that belong together. `together` puts those that are missing on one card, where they are answered one by one."""

    fields: Annotated[tuple[Name, ...], Limits(min_length=1)]
    """Up to ten fields that are answered by one click: yes or no, a few choices, an acknowledgement."""
    title: str = ""
    """What the card says above them."""
    together: bool = False
    """`true` puts them on one card; `false` asks them one by one."""


class Stage(Named):
    """One place of the form's state machine. A code-only stage is never waited in: code leaves it at once."""

    goal: str = ""
    """What is to be reached here, in a sentence for the model."""
    words: tuple[str, ...] = ()
    """Whole utterances by which a person goes to this phase by hand (forms with `phases`)."""
    ask: str = ""
    """What the person reads here while no field is asked: a choice of ways, or how it ended."""
    hands_over: bool = False
    """A person takes the conversation here; the bot is silent until they hand it back."""
    code_only: bool = False
    """Nothing is asked here: code leaves it at once, by `decide` or by the first open way."""
    final: bool = False
    """The draft ends here."""
    at_once: int = 0
    """How many setting tools a model is offered here at a time, the first ones that something is missing for; 0: all of them."""
    decide: str = ""
    """The function of rules.py that names the trigger to follow out of a code-only stage."""
    operations: tuple[Name, ...] = ()
    """Operations that are offered here; one that no stage names is offered everywhere."""
    variants: tuple[Name, ...] = ()
    """The stage stands for one stage each (`manual_emp`, `manual_piv`); fields that name it belong to all of them."""
    family: str = ""
    """The name that the stage's variants share; set by the loader."""
    transitions: tuple[Transition, ...] = ()
    """The ways out of it, in their order: the first open one of a trigger counts."""


class Operation(Named):
    """A small form of its own, with a side effect behind a confirmation. `rules.py` names the function that carries it out."""

    title: Label
    """What it does, for people and for the model."""
    confirm: Literal["always", "inferred", "never"] = "always"
    """When it waits for a click: always; when something was inferred rather than said; never."""
    fields: Mapping[str, Field] = {}
    """Its arguments, a table each. A required `date` or `currency` that is left unsaid is today, or `currency_hint`, and counts as inferred."""
    roles: tuple[str, ...] = ()
    """Roles that may call it; none means everybody."""
    words: tuple[str, ...] = ()
    """Words with which a plain line asks for it ("delete"). One without any is read from a line that tells its fields."""


SLOT = re.compile(r"\{(rest|number)\}")
CHOICE = re.compile(r"\(([^()]*)\)")
"""How a command's patterns are written: "(can|may) i trade {rest}" is two, with a slot for what the command is about."""


class Command(Named):
    """Words that are answered from the records by `rules.py`: "can I trade {security}"."""

    label: Label
    """What it answers, as lists of commands name it."""
    says: Annotated[tuple[str, ...], Limits(min_length=1)]
    """Patterns; `{rest}` stands for the words that follow, `{number}` for a record's number, "(can|may)" for one of its words."""
    about: Name | None = None
    """The look-up that finds what the command is about; while another form is filled in, only what it finds makes a question."""
    plain: bool = False
    """What tells an amount ("200 Tesco") is no question of this sort, but something to be filled in."""


class Persona(Part):
    """How a model may put its questions in this form. Code checks each of them before it is shown."""

    forbidden: tuple[str, ...] = ()
    """Phrases that it never says."""
    not_first: tuple[str, ...] = ()
    """Kinds of names that the person must have used before it does; rules.py finds them (`names`)."""
    shape: tuple[str, ...] = ()
    """How what became clear opens, and how the question does: code puts both."""
    examples: tuple[str, ...] = ()
    """Words of which a question holds one after an answer that was too thin."""
    reminder: Annotated[str, StringConstraints(max_length=600)] = ""
    """Told to the model in every `remind_every`-th turn of the person, beside the stored conversation."""
    remind_every: int = 0
    """Every how many turns of the person the reminder is told."""


class Retain(Part):
    """Records that the law wants kept though their person be erased: for how many years after filing, and why, told to the person."""

    years: PositiveInt
    """Years from filing."""
    why: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    """The sentence that the person reads."""


class FormName(Part):
    """A form's title and purpose in one further language."""

    title: Label
    """The form's title in that language."""
    purpose: Annotated[str, StringConstraints(max_length=100)] = ""
    """What it is for, in that language."""


class Form(Named):
    """One workflow as data."""

    title: Label
    """What people call the form."""
    version: Annotated[str, StringConstraints(min_length=1)]
    """Yours; it stands in every record. Change it when you change the form."""
    language: str = "en-GB"
    """The language in which words are read and shown, and how numbers and dates are written."""
    currency_hint: str = ""
    """The currency in examples; an amount never assumes it. An operation takes it where none was said, and asks for a click."""
    prefix: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,6}$")]
    """Start of a record's number: PA-2026-000123."""
    names: Mapping[Name, FormName] = {}
    """Its title and purpose in further languages, by their code: on buttons, in menus and in Home. The form itself keeps to its own."""
    rank: PositiveInt = 100
    """Its place in lists of forms where nothing tells which one is likelier: lower comes first."""
    command: Annotated[str, StringConstraints(pattern=r"^/[a-z0-9_-]{1,31}$")] | None = None
    """The slash command. One workflow's alone."""
    purpose: Annotated[str, StringConstraints(max_length=100)] = ""
    """What the form is for, where forms and their commands are listed; the title where none is given."""
    usage: Annotated[str, StringConstraints(max_length=100)] = ""
    """What may follow the command, as Slack shows it: "[what you want to trade]"."""
    words: tuple[str, ...] = ()
    """Words by which a message asks for this form."""
    called: tuple[str, ...] = ()
    """Further names of it, in any language: people who plainly wish for the form use them; a mention alone asks for nothing."""
    again: tuple[Name, ...] = ()
    """Fields that "same as last time" takes from the person's last record of this form, by one click."""
    channels: Literal["never", "thread"] = "never"
    """`thread` if the form may be filled in where others read along."""
    asked_by: Literal["code", "model"] = "code"
    """Who words a question: code, in the form's words; or the model, where what it asks is fit to be shown."""
    request_tokens: Annotated[int, Limits(ge=1000, le=16000)] = 2000
    """Tokens of a whole request to the model, the newest message apart: however long the conversation, it grows no further."""
    persona: Persona = Persona()
    """How a model may put its questions."""
    consent: tuple[str, ...] = ()
    """Whole utterances that submit while the review card is the last thing said; empty: a click alone does."""
    phases: bool = False
    """The stages are phases of one conversation: an answer is taken whichever phase it belongs to, and the draft is in the
    first phase that lacks something, or in the one that the person chose while that does."""
    dialect: Literal["tools", "block", "json"] = "tools"
    """How the model is spoken to: native tool calls, text with a block of JSON, or JSON alone."""
    stuck: Literal["offer", "offer_first", "hand_over"] = "offer"
    """When a conversation gets nowhere: a person is offered, takes over at once, or takes over after an offer and as many turns again."""
    patience: int = 2
    """Turns without progress after which a person is offered, or takes over."""
    finalize: str = ""
    """The name under which a model is offered the finalising tool; it opens the review, and afterwards says that it is done."""
    escalate: str = ""
    """The name under which a model is offered the tool that calls a person."""
    cancel: str = ""
    """The name under which a model is offered the tool that asks the person whether to cancel; empty: none is offered."""
    retention_days: PositiveInt = 30
    """Days after which files that people sent are destroyed."""
    retention_months: PositiveInt = 12
    """Months after which answers, transcripts and records are emptied; records not, where `retain` says so."""
    audit_months: PositiveInt = 24
    """Months after which what is left of them goes too: times, kinds and hashes of events, and which tools were called."""
    confidential: bool = False
    """What a submission is judged by (facts, figures, reasons that are not told) is for the reviewers: a person's own
    data leaves it out, and says so."""
    extras: tuple[Extra, ...] = ()
    """Extras of the installation that its rules.py uses ("charts"); `holdfast check` says which of them are not installed."""
    lists: Mapping[str, ListTable] = {}
    """Lists that officers keep in versions: what is judged by them holds from a day on."""
    retain: Retain | None = None
    """Records that the law wants kept, even when their person asks for an erasure."""
    introduction: Annotated[str, StringConstraints(max_length=1500)] = ""
    """The first words to the person."""
    statement: Annotated[str, StringConstraints(max_length=300)] = ""
    """What a person confirms by submitting."""
    essence: Annotated[str, StringConstraints(max_length=150)] = ""
    """A request in one line, with the fields that make it out in braces: "{direction} {quantity} {security} · {value} · {account}"."""
    says: Mapping[str, str] = {}
    """Sentences of the catalogue that this form says in its own way."""
    fields: Mapping[str, Field] = {}
    """What is asked, a table each, in the order of asking."""
    papers: Mapping[str, Paper] = {}
    """Kinds of documents that no field asks for."""
    stages: Mapping[str, Stage] = {}
    """Places of the form, a table each; the first one is where a draft begins."""
    anywhere: tuple[Transition, ...] = ()
    """Transitions that can be taken from every stage but a final one."""
    repeats: Mapping[str, Repeat] = {}
    """Groups of fields that are asked several times, a table each."""
    groups: Mapping[str, QuestionGroup] = {}
    """Fields that stand on one card, a table each."""
    operations: Mapping[str, Operation] = {}
    """Small forms with a side effect, a table each; a form that has them and no fields stays open."""
    commands: Mapping[str, Command] = {}
    """Questions that are answered from the records at any time, a table each."""
    filing: FilingTable = FilingTable()
    """The states of its records, and simple rules of which one a submission begins in."""
    prompt: str = ""
    """The persona, from prompt.md."""
    passages: Mapping[str, str] = {}
    """The house's own text by its id, from context.md: what a model may have passed on, word by word."""

    _house: "Form | None" = PrivateAttr(default=None)

    @property
    def house(self) -> "Form":
        """Return the form in the language of the reviewers; of one in a further language, the one that it says again."""
        return self._house or self

    def name_in(self, language: str) -> FormName:
        """Return its title and purpose in a person's language ("it-IT"), else in its own."""
        code, own = language[:2].lower(), FormName(title=self.title, purpose=self.purpose)
        return own if self.language[:2] == code else self.names.get(code, own)

    @property
    def titles(self) -> tuple[str, ...]:
        """Return its title in every language."""
        return (self.title, *(name.title for name in self.names.values()))

    def said_for(self, house: "Form") -> "Form":
        """This form as a further language of another one."""
        form = self.model_copy()
        form._house = house
        return form

    def years_kept(self, state: str) -> int:
        """Return the years from filing for which a record in this state is kept, also where its person is erased."""
        known = self.filing.states.get(state)
        if known is not None and known.years is not None:
            return known.years
        return self.retain.years if self.retain else 0

    def why_kept(self, state: str) -> str:
        """Return the sentence that says what asks for it."""
        known = self.filing.states.get(state)
        basis = known.basis if known is not None and known.years is not None else ""
        return basis or (self.retain.why if self.retain else "")

    @property
    def keeps(self) -> Mapping[str, int]:
        """Return the years by class as the store takes them: "form" and "form/state"."""
        own = {self.name: self.retain.years} if self.retain else {}
        return own | {f"{self.name}/{state}": years for state, years in self.kept_otherwise.items()}

    @property
    def kept_otherwise(self) -> Mapping[str, int]:
        """Return the years of states whose records are kept for another time than the form's others."""
        return {name: state.years for name, state in self.filing.states.items() if state.years is not None}

    @cached_property
    def first_stage(self) -> str:
        """Where a new draft starts; the empty name where the form has one stage only."""
        return next(iter(self.stages), "")

    @cached_property
    def conversational(self) -> bool:
        """True if it has operations alone: a conversation that stays open, with nothing to fill in or to submit."""
        return bool(self.operations) and not self.fields

    @cached_property
    def hands_over(self) -> bool:
        """True if a person takes over where the conversation gets nowhere, at once or after an offer; else one is notified."""
        return self.stuck != "offer"

    @cached_property
    def turns_until_a_person(self) -> int:
        """Turns in vain in a row after which a person takes over: twice the patience where one is offered first."""
        return self.patience * (2 if self.stuck == "offer_first" else 1)

    @cached_property
    def submitting(self) -> bool:
        """True if the form's own table says where it is filed; else the review follows the last question."""
        return any(way.submits for stage in self.stages.values() for way in stage.transitions)

    def stage_names(self, stage: str) -> frozenset[str]:
        """Return the names by which a field may say that it belongs to a stage: the stage's own and its family's."""
        known = self.stages.get(stage)
        return frozenset({stage, known.family} - {""}) if known else frozenset({stage})

    def together(self, name: str) -> tuple[str, ...]:
        """Return the fields that stand on one card with this one, itself included; none where it is asked by itself."""
        return next((g.fields for g in self.groups.values() if g.together and name in g.fields), ())

    def dependents(self, name: str) -> tuple[Field, ...]:
        """Return fields whose question is about this one."""
        return self._dependents.get(name, ())

    @cached_property
    def _dependents(self) -> Mapping[str, tuple[Field, ...]]:
        about: dict[str, list[Field]] = {}
        for field in self.fields.values():
            for name in field.about:
                about.setdefault(name, []).append(field)
        return {name: tuple(fields) for name, fields in about.items()}
