"""Simple rules of filing as data: the state that a submission begins in, who decides, and what is reported after an approval."""

from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Any, Literal

from pydantic import Field as Limits
from pydantic import StringConstraints, ValidationInfo, model_validator

from state.form.field import Field, Name, Part, Plain

Figure = Annotated[int, Limits(ge=0, le=3660)] | str
"""A number, or the name of one that rules.py gives (`limits`)."""


class ReportTable(Part):
    """The few fields in which the person says what they did."""

    fields: Mapping[Name, Field] = {}
    """Its few fields, of any kind that is answered in a box."""
    day: str
    """The one of them that says on which day; a day on which nothing was approved is a breach."""
    approved: Mapping[str, str] = {}
    """Fields of the report, and the answer with which each is filled in."""
    most: tuple[str, ...] = ()
    """Those that may not be above that answer: more is a breach."""
    same: tuple[str, ...] = ()
    """Those that have to be that answer: anything else is a breach."""
    count: str = ""
    """The number by which an amount is multiplied that was told as the price of one."""

    @model_validator(mode="before")
    @classmethod
    def _with_names(cls, given: Any) -> Any:
        """Give every field its name."""
        fields = given.get("fields") if isinstance(given, Mapping) else None
        if not isinstance(fields, Mapping):
            return given
        return {**given, "fields": {n: {**f, "name": n} if isinstance(f, Mapping) else f for n, f in fields.items()}}


class NoteTable(Part):
    """The file that has to match the report."""

    days: Figure = 30
    """Within how many days of the reported one it has to come; later is a breach."""
    tolerance: Annotated[int, Limits(ge=0, lt=100)] = 0
    """By how many percent an amount of money in it may differ from the report's; everything else has to be the same."""
    remind: Annotated[int, Limits(ge=1, le=60)] = 5
    """How many days before the end the person is reminded."""
    figures: tuple[str, ...] = ()
    """Fields of the report and of the form that have to be in it."""
    labels: Mapping[Name, tuple[str, ...]] = {}
    """What it calls each figure, as a whole; and `price` (of one), `total` (a row of sums) and `aside` (what is beside the trade)."""
    words: Mapping[Name, Mapping[str, tuple[str, ...]]] = {}
    """Of a figure that is a choice, the words that say each answer, wherever they are."""
    units: tuple[str, ...] = ()
    """What may be behind a number: "shares"."""


class BreachTable(Part):
    """What is not as it has to be."""

    by: str
    """The role that closes it, and judges what code cannot read."""


Bound = str | int | float | date | time
"""What an answer is compared with: "GBP 100", 1000, "12.5", 2026-12-01, "17:00"."""


class Over(Part):
    """A limit on the sum of an amount over the person's own records of this form, the one that is filed included.

    It counts the records of a calendar year, or of any so many days in a row that hold the one that is filed.
    """

    sum: str
    """The field of amounts that are added up."""
    limit: Bound
    """A bound like any other, itself not included."""
    days: Annotated[int, Limits(ge=1, le=3660)] | None = None
    """Any so many days in a row that hold the day of this record. One of `days` and `per`."""
    per: Literal["year"] | None = None
    """`year`: the calendar year."""
    by: str = ""
    """The field of the day on which a record counts; the day of its filing where it is left out."""
    same: tuple[str, ...] = ()
    """Fields in which a record must have the answer of the one that is filed."""

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field that it looks at."""
        return (self.sum, *((self.by,) if self.by else ()), *self.same)


class Criterion(Part):
    """True where everything holds that it says: values that fields have, bounds that they pass, and criteria in lists."""

    equals: Mapping[str, Annotated[tuple[Plain, ...], Limits(min_length=1)]] = {}
    """Fields and the values of which each has one. The word may be left out: `official = true`."""
    above: Mapping[str, Bound] = {}
    """Fields and the bound that each is above, itself not included: numbers, sums ("GBP 100"), days, times."""
    below: Mapping[str, Bound] = {}
    """Fields and the bound that each is below."""
    over: Over | None = None
    """A limit that earlier records count towards."""
    any_of: Annotated[tuple["Criterion", ...], Limits(min_length=1)] = ()
    """Criteria of which one holds; a field's name alone means yes."""
    all_of: Annotated[tuple["Criterion", ...], Limits(min_length=1)] = ()
    """Criteria that all hold."""
    none_of: Annotated[tuple["Criterion", ...], Limits(min_length=1)] = ()
    """Criteria of which none holds."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any, info: ValidationInfo) -> Any:
        """Read a field's name as a key as short for `equals`, and a name alone as a yes."""
        if isinstance(given, str):
            given = {given: True}
        if not isinstance(given, Mapping) or not isinstance(given.get("equals", {}), Mapping):
            return given
        short = {
            key: value
            for key, value in given.items()
            if not isinstance(value, Mapping) and cls._is_field(key, info.context or {})
        }
        equals = {**given.get("equals", {}), **short}
        listed = {key: tuple(v) if isinstance(v, list | tuple) else (v,) for key, v in equals.items()}
        rest = {key: value for key, value in given.items() if key not in (*short, "equals")}
        return rest | ({"equals": listed} if listed else {})

    @classmethod
    def _is_field(cls, key: str, _context: Mapping[str, Any]) -> bool:
        """Return True for any other key; checking says which of them is no field."""
        return key not in cls.model_fields

    @property
    def empty(self) -> bool:
        """Return True if nothing is asked, so that it always holds."""
        return not (self.equals or self.above or self.below or self.over or self.inner)

    @property
    def inner(self) -> tuple["Criterion", ...]:
        """Return the criteria in its lists."""
        return (*self.any_of, *self.all_of, *self.none_of)

    @property
    def sums(self) -> tuple[Over, ...]:
        """Return every limit in it that earlier records count towards."""
        nested = (one for inner in self.inner for one in inner.sums)
        return (*((self.over,) if self.over else ()), *nested)


class FilingRule(Criterion):
    """Where its criterion holds, and none above it did, the record begins in this state."""

    state: str
    """The state in which the record begins."""
    id: str = ""
    """By which a further language of the form says its sentence again."""
    otherwise: bool = False
    """Holds for whatever no rule above held for."""
    reason: Annotated[str, StringConstraints(max_length=400)] = ""
    """Why, in a sentence for the reviewers."""
    told: Annotated[str, StringConstraints(max_length=400)] | None = None
    """What the person reads of it; the reason where it is left out, nothing where it is empty."""
    tell: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")] | bool = True
    """Who is told: the form's channel, or that of a name (HOLDFAST_CHANNEL_<NAME>); false: nobody."""

    @classmethod
    def _is_field(cls, key: str, context: Mapping[str, Any]) -> bool:
        """Beside a rule's own keys only what is a field for certain: a slip in a key is told as one."""
        return key not in cls.model_fields and key in context.get("fields", ())


class Extend(Part):
    """Who decides whether a state that ends on a day counts longer."""

    by: str
    """The role. Whoever decided on the way to this state does not decide on this."""
    most: Annotated[int, Limits(ge=1, le=9)] = 1
    """How often the person may ask for it, whatever the outcome."""


class RecordState(Part):
    """One state of a form's records."""

    label: Annotated[str, StringConstraints(max_length=75)] = ""
    """Its name on screen; a state with a name in every language keeps that where this is left out."""
    next: str = ""
    """What happens now, in a sentence to the person."""
    decided: bool | None = None
    """True if nobody looks at such a record any more: what is in doubt is never filed so."""
    counts: bool | None = None
    """True if such a record counts towards the limits of later ones."""
    by: str = ""
    """The role that decides on such a record, where somebody does."""
    decide: Mapping[Name, str] = {}
    """Verdicts, and the state to which each leads: { approve = "approved", decline = "declined" }."""
    needs: Annotated[int, Limits(ge=1, le=9)] = 1
    """How many different people must approve before it counts; any other verdict counts when one gives it."""
    reason: tuple[str, ...] = ("decline",)
    """Verdicts that want a reason in words."""
    conditions: bool = False
    """True if it may be approved under conditions."""
    withdraw: str = ""
    """The state to which the person may take their own record back; empty where they may not."""
    hours: Annotated[int, Limits(ge=1, le=2000)] | None = None
    """How long there is to decide, in hours of working days; the reviewers are reminded after that, and after as long again."""
    overdue: str = ""
    """The state into which a record goes that nobody has decided on by then, in the place of a reminder."""
    expires: str = ""
    """The state into which such a record goes when the day is over until which it counts."""
    ask: bool = False
    """True if the reviewers may have some of it answered again; it comes back as the same record."""
    years: Annotated[int, Limits(ge=0, le=100)] | None = None
    """For how many years from filing such a record is kept, where that is not what `retain` says of all of them."""
    basis: str = ""
    """The rule that asks for these years, for whoever reports on them."""
    extend: Extend | None = None
    """Who decides on counting longer, of a state that counts until a day."""
    report: str = ""
    """The state into which the person's report leads: what was approved was done."""
    unused: str = ""
    """The state into which it goes when they say that they have not done it, and will not."""
    valid: bool = True
    """True if something approved stands behind it; a report from another state is a breach."""

    @property
    def waits(self) -> bool:
        """Return True if such a record waits for somebody's verdict."""
        return bool(self.by and self.decide)

    @property
    def leads_to(self) -> tuple[str, ...]:
        """The states that may follow it, by a verdict or by themselves."""
        return tuple(filter(None, (*self.decide.values(), self.withdraw, self.overdue, self.expires)))

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any) -> Any:
        """Read a text alone as its label."""
        return {"label": given} if isinstance(given, str) else given


class FilingTable(Part):
    """The states of a form's records, and the rules in their order."""

    states: Mapping[Name, RecordState] = {}
    """The states of its records, a table each; a text alone is a state's label."""
    rules: tuple[FilingRule, ...] = ()
    """Which state a submission begins in: the first rule that holds, else `received`."""
    subject: tuple[str, ...] | None = None
    """Fields by whose words a request is found ("security"), or what a look-up knew of one ("security.ticker")."""
    zone: str = ""
    """The time zone (IANA) of the reviewers, by which their working days are counted; the person's own where it is left out."""
    holidays: str = ""
    """Whose holidays are no working days: a country ("IT", "GB-SCT") or an exchange ("XLON"). Weekends never are."""
    report: ReportTable | None = None
    """What the person reports once they have done what was approved."""
    note: NoteTable | None = None
    """The file that has to match it."""
    breaches: BreachTable | None = None
    """What is not as it has to be, and who closes it."""

    def waits(self, state: str) -> bool:
        """Return True if a record in this state waits for somebody's verdict."""
        return state in self.states and self.states[state].waits

    @property
    def known(self) -> tuple[str, ...]:
        """Return every state in which a record may be, as far as data can say."""
        led_to = (to for one in self.states.values() for to in one.leads_to)
        return tuple(dict.fromkeys((*self.states, *led_to, *(rule.state for rule in self.rules), *DECIDED)))

    @property
    def roles(self) -> tuple[str, ...]:
        """Return every role that decides on something, in the order of the states."""
        states = self.states.values()
        asked = ((s.by if s.waits else "", s.extend.by if s.extend else "") for s in states)
        closing = self.breaches.by if self.breaches else ""
        return tuple(dict.fromkeys(role for roles in (*asked, (closing,)) for role in roles if role))

    @property
    def sums(self) -> tuple[Over, ...]:
        """Return every limit of its rules that earlier records count towards."""
        return tuple(over for rule in self.rules for over in rule.sums)


DECIDED: Mapping[str, bool] = {
    "received": False, "blocked": False, "escalated": False, "asked": False, "pending_manager": False, "pending_compliance": False,
    "pending_senior": False, "approved": True, "auto_approved": True, "declined": True, "executed": True,
    "expired": True, "withdrawn": True, "unused": True,
}  # fmt: skip
"""States that have a name in every language, and whether nobody looks at such a record any more."""


def is_decided(table: FilingTable, state: str) -> bool | None:
    """Return True if nobody looks at a record in this state any more; None where nothing says so."""
    known = table.states.get(state)
    said = known.decided if known is not None else None
    return DECIDED.get(state) if said is None else said


NEVER_WAS = frozenset({"blocked", "declined", "expired", "withdrawn", "unused"})
"""States of what did not take place: it counts towards no limit."""


def counts(table: FilingTable, state: str) -> bool:
    """Return True if a record in this state counts towards the limits of later ones."""
    known = table.states.get(state)
    said = known.counts if known is not None else None
    return state not in NEVER_WAS if said is None else said


def sentences_of(table: FilingTable) -> dict[str, str]:
    """The states' names and what happens now, as sentences of the catalogue."""
    labels = {f"state_{name}": state.label for name, state in table.states.items() if state.label}
    return labels | {f"next_{name}": state.next for name, state in table.states.items() if state.next}
