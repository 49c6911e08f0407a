"""The shape of a form: fields, stages, operations, commands. Frozen, checked as it is built, and free of any behaviour but look-ups."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt, StringConstraints, field_validator, model_validator

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Plain = str | bool | int
"""What a condition, a choice or a worse answer may compare with: the canonical value of a field."""

Kind = Literal[
    "text", "yes_no", "acknowledgement", "integer", "decimal", "money", "currency",
    "date", "time", "period", "choice", "choices", "identifier", "email", "phone", "lookup", "document", "documents",
]  # fmt: skip
FILES: tuple[Kind, ...] = ("document", "documents")
"""Kinds that are answered by sending files, never by words."""
Lock = Literal["review", "answered", "clicked", "confirmed", "good"]
"""When a value locks: at submission, by any plain answer, by a button, when picked from search results, when graded GOOD."""


MOST_FILES = 20
"""Files of one field that sets no maximum."""


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choice(Part):
    """One answer to choose. `words` are further ways in which people say it. A string alone is both its value and its label."""

    value: str
    label: str
    words: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any) -> Any:
        return {"value": given, "label": given} if isinstance(given, str) else given


class Condition(Part):
    """True when every field of `all` has one of its values, and (where given) some entry of `any` holds, and none of `none` does."""

    all: Mapping[str, tuple[Plain, ...]] = {}
    any: tuple["Condition", ...] = ()
    none: tuple["Condition", ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any) -> Any:
        """`{ is_derivative = true }` is short for `{ all = { is_derivative = [true] } }`; so is a field's name alone for "yes"."""
        if isinstance(given, str):
            given = {given: True}
        if not isinstance(given, Mapping) or not isinstance(given.get("all", {}), Mapping):
            return given
        rest = {k: v for k, v in given.items() if k not in ("all", "any", "none")}
        every = {**given.get("all", {}), **rest}
        listed = {k: tuple(v) if isinstance(v, list | tuple) else (v,) for k, v in every.items()}
        return {k: v for k, v in given.items() if k in ("any", "none")} | {"all": listed}

    @property
    def fields(self) -> frozenset[str]:
        """Every field that the condition looks at."""
        nested = (c.fields for c in (*self.any, *self.none))
        return frozenset(self.all).union(*nested)


class Field(Part):
    """One thing to be told. `ask` and `label` may name other fields in braces; they show those fields' values."""

    name: Name
    kind: Kind
    label: str
    ask: str
    again: str = ""
    """The question after an answer that was too thin: it asks for an example."""
    help: str = ""
    required: bool = True
    choices: tuple[Choice, ...] = ()
    when: Condition | None = None
    about: tuple[str, ...] = ()
    """Fields that the question is about: when the person changes one of them, this is asked again."""
    lock: Lock = "review"
    tool: str = ""
    """Fields of one tool are set together by the model; empty means a tool of its own."""
    stage: tuple[str, ...] = ()
    """The stages in which it is asked; one alone may be written without a list. Empty: all of them."""
    words: tuple[str, ...] = ()
    """Words by which people and models name this field."""
    known: tuple[str, ...] = ()
    """Values that are recognised in open words (an account, a city)."""
    before: tuple[str, ...] = ()
    """Words after which an open text answer stands ("because", "my reason is")."""
    worse: Plain | None = None
    """The answer that must never be blocked once it is disclosed."""
    disclosure: tuple[str, ...] = ()
    """Words that disclose the worse answer."""
    scheme: tuple[str, ...] = ()
    """Identifier schemes: isin, sedol, cusip, figi, lei, codicefiscale, piva, nif, nie, cif, iban, vin, matricula, codigo_postal."""
    lookup: str = ""
    grade: str = ""
    sensitive: bool = False
    """Kept out of announcements and lists."""
    unit: str = ""
    currency: str = ""
    """The one currency of a money field that has no currency field beside it."""
    minimum: int | None = None
    maximum: int | None = None
    max_length: int = 3000
    short: bool = False
    """For text: a name, a line of an address, a code. A message of a few words is the answer as it stands."""
    placeholder: str = ""
    default: Plain | None = None
    """The answer of an optional field that nobody gave; put by code before the review."""
    profile: Literal["", "phone", "name"] = ""
    """What the person's Slack profile may answer, so that it is not asked."""
    accept: tuple[Literal["pdf", "image"], ...] = ()
    """Files that a document field takes; both where it does not say."""
    from_documents: tuple[str, ...] = ()
    """Document fields from which this one can be read: what is read is a proposal."""
    repeat: str = ""
    """The group of fields that is asked several times."""
    slot: int = 0
    """Which time it is, from 1; 0 for a field that is asked once. Set by the loader."""

    @field_validator("stage", mode="before")
    @classmethod
    def _one_stage(cls, given: Any) -> Any:
        return ((given,) if given else ()) if isinstance(given, str) else given

    @property
    def base(self) -> str:
        """The name that the form gives it; a repeated field's without its slot."""
        return self.name.removesuffix(f"_{self.slot}") if self.slot else self.name

    def in_slot(self, slot: int) -> str:
        """The name of the same field another time round."""
        return f"{self.base}_{slot}"

    @property
    def closed(self) -> bool:
        """Whether a parser alone can tell if a message answers it."""
        return self.kind not in ("text", *FILES) or self.short

    @property
    def by_file(self) -> bool:
        """Whether it is answered by sending files."""
        return self.kind in FILES

    @property
    def on_paper(self) -> bool:
        """Whether a document may propose its value: not what a person declares or picks themselves."""
        return self.kind not in ("yes_no", "acknowledgement", "lookup", "choices", *FILES)

    @property
    def least(self) -> int:
        """Files that a document field needs."""
        return max(1, self.minimum or 1) if self.kind == "documents" else 1

    @property
    def most(self) -> int:
        """Files that a document field takes."""
        return (self.maximum or MOST_FILES) if self.kind == "documents" else 1

    @property
    def offerable(self) -> bool:
        """Whether the bot may put a value to the person: never a declaration, never the reason that is graded."""
        return self.kind not in ("yes_no", "acknowledgement", "choices") and self.worse is None and not self.grade

    def choice(self, value: object) -> Choice | None:
        """The choice that has this canonical value."""
        return next((c for c in self.choices if c.value == value), None)


class Transition(Part):
    """From the stage that holds it, on a trigger, where the condition holds, to another stage.

    `complete` is the trigger that code pulls once nothing required is missing in the stage. The others are pulled by the
    person (a `label` makes a button, `words` are how people say it), by the model, or, when `automatic`, by code. One that
    `submits` shows the review first, at once where nobody has to choose it; the click on Submit files the record and follows it.
    """

    on: Name = "complete"
    to: str
    """A stage's name; in a stage with variants `manual_*` is the target's variant of the same name."""
    when: Condition | None = None
    automatic: bool = False
    """Followed by code as soon as its condition holds; without one, once nothing required is missing in the stage."""
    at_most: int | None = None
    """How many times it may be followed in one draft."""
    label: str = ""
    words: tuple[str, ...] = ()
    """Whole utterances that pull it."""
    mentions: tuple[str, ...] = ()
    """Words that pull it wherever they stand in a message."""
    submits: bool = False
    again: bool = False
    """The fields of the stage it leads to are asked anew; each may keep its answer."""

    @property
    def chosen(self) -> bool:
        """Whether a person (or a model that understood one) may pull it."""
        return bool(self.label or self.words)


class Repeat(Part):
    """A group of fields that is asked several times, each time under names of its own: `debt_lender_1`, `debt_lender_2`."""

    name: Name
    most: int
    needed: int = 1
    """How many times it is asked at least; further times are taken when they are said."""
    more: str = ""
    """The yes/no field of the group that opens the next time."""


class Stage(Part):
    """One place of the form's state machine. A code-only stage is never waited in: code leaves it at once."""

    name: Name
    goal: str = ""
    """What is to be reached here, in a sentence for the model."""
    words: tuple[str, ...] = ()
    """Whole utterances by which a person goes to this phase by hand (forms with `phases`)."""
    ask: str = ""
    """What the person reads here while no field is asked: a choice of ways, or how it ended."""
    hands_over: bool = False
    """A person takes the conversation here; the bot is silent until they hand it back."""
    code_only: bool = False
    final: bool = False
    decide: str = ""
    """The function of rules.py that names the trigger to follow out of a code-only stage."""
    operations: tuple[Name, ...] = ()
    """Operations that are offered here; one that no stage names is offered everywhere."""
    variants: tuple[Name, ...] = ()
    """The stage stands for one stage each (`manual_emp`, `manual_piv`); fields that name it belong to all of them."""
    family: str = ""
    """The name that the stage's variants share; set by the loader."""
    transitions: tuple[Transition, ...] = ()


class Operation(Part):
    """A small form of its own, with a side effect behind a confirmation. `rules.py` names the function that carries it out."""

    name: Name
    title: str
    confirm: Literal["always", "inferred", "never"] = "always"
    fields: Mapping[str, Field] = {}
    roles: tuple[str, ...] = ()
    """Roles that may call it; none means everybody."""
    words: tuple[str, ...] = ()
    """Words with which a plain line asks for it ("delete"). One without any is read from a line that tells its fields."""

    @property
    def file(self) -> str:
        """The field that a file answers; an operation that has one is called by sending a file, never by a model."""
        return next((f.name for f in self.fields.values() if f.by_file), "")


class Command(Part):
    """Words that are answered from the records by `rules.py`: "can I trade {security}"."""

    name: Name
    label: str
    says: tuple[str, ...]
    """Patterns; `{rest}` stands for the words that follow."""


class Persona(Part):
    """How a model may speak in this form. Code checks every reply before it is sent."""

    forbidden: tuple[str, ...] = ()
    """Phrases that it never says."""
    no_code: bool = False
    not_first: tuple[str, ...] = ()
    """Kinds of names that the person must have used before it does; rules.py finds them (`names`)."""
    shape: tuple[str, ...] = ()
    """How the parts of every reply open, in order. The last part holds the question; without a gap there is none."""
    examples: tuple[str, ...] = ()
    """Words of which a question holds one after an answer that was too thin."""
    reminder: str = ""
    """Told to the model in every `remind_every`-th turn of the person, beside the stored conversation."""
    remind_every: int = 0


class Retain(Part):
    """Records that the law wants kept though their person be erased: for how many years after filing, and why, told to the person."""

    years: PositiveInt
    why: Annotated[str, StringConstraints(min_length=1, max_length=300)]


class Form(Part):
    """One workflow as data."""

    name: Name
    title: str
    version: str
    language: str = "en-GB"
    currency_hint: str = ""
    prefix: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,6}$")]
    """Start of a record's number: PA-2026-000123."""
    command: Annotated[str, StringConstraints(pattern=r"^/[a-z0-9_-]{1,31}$")] | None = None
    words: tuple[str, ...] = ()
    """Words by which a message asks for this form."""
    channels: Literal["never", "thread"] = "never"
    """Whether the form may be filled in where others read along."""
    asked_by: Literal["code", "model"] = "code"
    persona: Persona = Persona()
    consent: tuple[str, ...] = ()
    """Whole utterances that submit while the review card is the last thing said; empty: a click alone does."""
    phases: bool = False
    """The stages are phases of one conversation: an answer is taken whichever phase it belongs to, and the draft is in the
    first phase that lacks something, or in the one that the person chose while that does."""
    dialect: Literal["tools", "block", "json"] = "tools"
    stuck: Literal["offer", "hand_over"] = "offer"
    patience: int = 2
    """Turns without progress after which a person is offered, or takes over."""
    finalize: str = ""
    """The name under which a model is offered the finalising tool; it opens the review, and afterwards says that it is done."""
    escalate: str = ""
    """The name under which a model is offered the tool that calls a person."""
    cancel: str = ""
    """The name under which a model is offered the tool that asks the person whether to cancel; empty: none is offered."""
    retention_days: int = 30
    """Days after which files that people sent are destroyed."""
    retention_months: PositiveInt = 12
    """Months after which answers, transcripts and records are emptied; records not, where `retain` says so."""
    audit_months: PositiveInt = 24
    """Months after which what is left of them goes too: times, kinds and hashes of events, and which tools were called."""
    retain: Retain | None = None
    introduction: str = ""
    statement: str = ""
    """What a person confirms by submitting."""
    says: Mapping[str, str] = {}
    """Sentences of the catalogue that this form says in its own way."""
    fields: Mapping[str, Field] = {}
    stages: Mapping[str, Stage] = {}
    anywhere: tuple[Transition, ...] = ()
    repeats: Mapping[str, Repeat] = {}
    operations: Mapping[str, Operation] = {}
    commands: Mapping[str, Command] = {}
    prompt: str = ""
    """The persona, from prompt.md."""

    @cached_property
    def first_stage(self) -> str:
        """Where a new draft starts; the empty name where the form has one stage only."""
        return next(iter(self.stages), "")

    @cached_property
    def conversational(self) -> bool:
        """Whether it has operations alone: a conversation that stays open, with nothing to fill in or to submit."""
        return bool(self.operations) and not self.fields

    @cached_property
    def tools(self) -> Mapping[str, tuple[Field, ...]]:
        """Fields by the tool that sets them, in the form's order."""
        groups: dict[str, list[Field]] = {}
        for field in (f for f in self.fields.values() if not f.by_file):
            groups.setdefault(f"set_{field.tool or field.name}", []).append(field)
        return {name: tuple(fields) for name, fields in groups.items()}

    @cached_property
    def submitting(self) -> bool:
        """Whether the form's own table says where it is filed; else the review follows the last question."""
        return any(way.submits for stage in self.stages.values() for way in stage.transitions)

    def stage_names(self, stage: str) -> frozenset[str]:
        """The names by which a field may say that it belongs to a stage: the stage's own and its family's."""
        known = self.stages.get(stage)
        return frozenset({stage, known.family} - {""}) if known else frozenset({stage})

    def dependents(self, name: str) -> tuple[Field, ...]:
        """Fields whose question is about this one."""
        return tuple(f for f in self.fields.values() if name in f.about)
