"""One field of a form, and what fields are made of: names, kinds, locks, choices, conditions."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationInfo, field_validator, model_validator
from pydantic import Field as Limits
from pydantic_core import PydanticCustomError

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Label = Annotated[str, StringConstraints(min_length=1, max_length=75)]
"""Words on a button or in an option: Slack takes 75 characters."""
Plain = str | bool | int
"""The canonical value of a field, with which a condition, a choice or a worse answer is compared."""

Data = str | bool | int | tuple[str, ...]
"""A value in its canonical form: "2026-11-20", "720.00", "GBP", "GB00BLGZ9862", True, 200, ("exhaust", "mirrors")."""

Lock = Literal["review", "answered", "clicked", "confirmed", "good"]
"""When a value locks: at submission, by any plain answer, by a button, when picked from search results, when graded GOOD."""


class Part(BaseModel):
    """A part of a form. The same one is equal at once: readers look parts up in lists, and a part is compared deeply only with its copy."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Named(Part):
    """A part with a name: it is told from others by that, and can be a key."""

    name: Name

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Named) and self.name == other.name and super().__eq__(other))

    def __hash__(self) -> int:
        return hash(self.name)


class Condition(Part):
    """True when every field of `all` has one of its values, and (where given) some entry of `any` holds, and none of `none` does."""

    all: Mapping[str, Annotated[tuple[Plain, ...], Limits(min_length=1)]] = {}
    """Fields, and the values of which each has one. The word may be left out: `{ direction = "sell" }`."""
    any: tuple["Condition", ...] = ()
    """Conditions of which one holds."""
    none: tuple["Condition", ...] = ()
    """Conditions of which none holds."""

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


class Choice(Part):
    """One answer to choose. `words` are further ways in which people say it. A string alone is both its value and its label."""

    value: Label
    """What is stored, and what conditions compare."""
    label: Label
    """What people read; the value where a text alone is written."""
    words: tuple[str, ...] = ()
    """Further ways in which people say it."""
    when: Condition | None = None
    """It can be chosen only where this holds, or while what this looks at is not told."""
    told_in: str = ""
    """It stands for what is not listed, and this text field says what that is: words that name no choice may mean it."""

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Choice) and self.value == other.value and super().__eq__(other))

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any) -> Any:
        return {"value": given, "label": given} if isinstance(given, str) else given


Sentence = Annotated[str, StringConstraints(max_length=1000)]


class Declares(Part):
    """What each answer to a declaration declares, in a whole sentence. It may name other fields in braces; it is kept with the answer."""

    yes: Sentence = ""
    """What a yes declares, or an acknowledgement."""
    no: Sentence = ""
    """What a no declares."""


class Tells(Part):
    """Things by which people give an answer without a yes or a no: put back for one click ("it's an option", "ordinary shares")."""

    yes: tuple[str, ...] = ()
    """What is named where the answer is yes."""
    no: tuple[str, ...] = ()
    """What is named where it is no."""


class KnownBy(Part):
    """How a kind of document is known: by words that it holds, and by fields of the form that can be read from it. A list alone is words."""

    words: tuple[Annotated[str, StringConstraints(min_length=2)], ...] = ()
    """Words of which such a document holds one."""
    fields: tuple[Name, ...] = ()
    """Fields that can be read from it."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any) -> Any:
        return {"words": given} if isinstance(given, list | tuple) else given


class Paper(Named):
    """A kind of document that the form does not ask for: known as such, it is not taken for another."""

    label: Label
    """What people call it."""
    known_by: KnownBy
    """How it is known."""


class Field(Named):
    """One thing to be told. `ask` and `label` may name other fields in braces; they show those fields' values."""

    kind: str
    """One of the kinds in `state.fields`; loading refuses any other."""
    label: Label
    """Its name on cards and in the review; no two alike."""
    ask: Annotated[str, StringConstraints(min_length=1, max_length=600)]
    """The question. `{security}` shows another field's answer, if that stands above this one."""
    again: str = ""
    """The question after an answer that was too thin: it asks for an example."""
    help: Annotated[str, StringConstraints(max_length=2000)] = ""
    """Shown by "What counts?", and passed on word by word by a model that explains."""
    required: bool = True
    """`false`: never asked, but taken when it is said. An optional file is asked for, and can be declined."""
    choices: tuple[Choice, ...] = ()
    """What can be chosen: texts, or tables with a value and a label. Up to five become buttons."""
    when: Condition | None = None
    """The field counts only where this holds: a field's name (yes), or values of fields that are asked above or in an earlier stage."""
    about: tuple[str, ...] = ()
    """Fields that the question is about: when the person changes one of them, this is asked again."""
    lock: Lock = "review"
    """When words no longer change it: at submission; by any plain answer; by a button; by a pick from results; when graded GOOD. Its owner's click
    always does."""
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
    opens: tuple[str, ...] = ()
    """Words with which an answer to this text alone begins: typed to another question, such a line is put back for this one."""
    worse: Plain | None = None
    """The answer that must never be blocked: told later, it is recorded beside the first one and the request stops."""
    disclosure: tuple[str, ...] = ()
    """Words that disclose the worse answer at once. `{close}` stands for somebody close, `{working}` for working somewhere, `{telling}` for passing
    something on, `{behalf}` for acting for somebody, `{mine}` for oneself, `{along}` for together with; `{security}` for what that field holds;
    `…` parts words of one sentence. Behind a `?` at the end the person is asked by a click."""
    now: bool = False
    """The answer is what is so today: beside words of a wish or of another time it waits for a click ("vorrei 2000 euro")."""
    tells: Tells | None = None
    """Things whose name answers the question."""
    declares: Declares | None = None
    """The sentences that its answers declare, shown with the question and kept with the answer. Fields that they name have to be in `about`."""
    scheme: tuple[str, ...] = ()
    """Identifier schemes: isin, sedol, cusip, figi, lei, codicefiscale, piva, nif, nie, cif, iban, vin, matricula, codigo_postal."""
    lookup: str = ""
    """A look-up of rules.py: nothing is taken that it does not find."""
    unlisted: Annotated[str, StringConstraints(max_length=200)] = ""
    """How a thing reads that the look-up does not find, from the fields in braces that are told in its place. Empty: nothing else is taken."""
    grade: str = ""
    """A grader of rules.py, for a text that has to say enough."""
    sensitive: bool = False
    """Kept out of announcements and lists."""
    unit: Annotated[str, StringConstraints(max_length=30)] = ""
    """What is counted, behind the number: "days". A measure is read in its other units too: "33 cm" where it is "mm"."""
    currency: str = ""
    """Of money: its one currency. Without it, the form needs a field of kind `currency`."""
    minimum: int | None = None
    """Of a number or a sum; of documents, how many at least."""
    maximum: int | None = None
    """Of a number or a sum; of documents, how many at most (20)."""
    lies: Literal["", "behind", "ahead", "either"] = ""
    """For a day or a stretch of days: on which side of today it lies: "Monday" is the last or the next one, or both for a click."""
    max_length: Annotated[int, Limits(ge=1, le=3000)] = 3000
    """Characters of what is typed."""
    short: bool = False
    """For text: a name, a line of an address, a code. A message of a few words is the answer as it stands."""
    placeholder: Annotated[str, StringConstraints(max_length=150)] = ""
    """An example in the empty box."""
    default: Plain | None = None
    """The answer of an optional field that nobody gave; put by code before the review."""
    suggest: bool = False
    """For a yes/no question that is a wish and no declaration: the bot may suggest a yes to it."""
    profile: Literal["", "phone", "name"] = ""
    """An entry of the person's Slack profile that answers the field, so that it is not asked."""
    accept: tuple[Literal["pdf", "image"], ...] = ()
    """Files that a document field takes; both where it does not say."""
    known_by: KnownBy | None = None
    """Of a field for files: how such a document is known. Another one is taken only by a click."""
    unread: Literal["", "keep", "refuse"] = ""
    """Of a field for files: `keep` one that cannot be opened for a person, by a click; `refuse` one without text that can be read."""
    from_documents: tuple[str, ...] = ()
    """Document fields from which this one can be read: what is read is a proposal."""
    repeat: str = ""
    """The group of fields that is asked several times."""
    slot: int = 0
    """Which time it is, from 1; 0 for a field that is asked once. Set by the loader."""

    @field_validator("kind")
    @classmethod
    def _known(cls, given: str, info: ValidationInfo) -> str:
        """Check against the kinds that whoever reads a form gives as the context's `kinds`."""
        kinds = (info.context or {}).get("kinds")
        if kinds is not None and given not in kinds:
            raise PydanticCustomError("unknown_word", "unknown kind", {"known": tuple(kinds)})
        return given

    @field_validator("stage", mode="before")
    @classmethod
    def _one_stage(cls, given: Any) -> Any:
        return ((given,) if given else ()) if isinstance(given, str) else given

    @property
    def base(self) -> str:
        """Return the name that the form gives it; a repeated field's without its slot."""
        return self.name.removesuffix(f"_{self.slot}") if self.slot else self.name

    def in_slot(self, slot: int) -> str:
        """Return the name of the same field another time round."""
        return f"{self.base}_{slot}"

    @property
    def looks_at(self) -> frozenset[str]:
        """Return every field that its condition, or one of its choices', looks at."""
        conditions = (self.when, *(choice.when for choice in self.choices))
        return frozenset().union(*(c.fields for c in conditions if c))

    def choice(self, value: object) -> Choice | None:
        """Return the choice that has this canonical value."""
        return next((c for c in self.choices if c.value == value), None)
