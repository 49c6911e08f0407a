"""The rules of a form that data cannot state: look-ups, grading, checks, and filing. A workflow's `rules.py` fills this in."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from inspect import isawaitable
from traceback import walk_tb
from typing import Any, Protocol

from state.draft.draft import Draft, Option
from state.draft.operations import Produced, Refused, Result, Roles, Runner
from state.form.source import Problem
from state.lists.versions import InForce, Row


class FormFault(Exception):
    """A form's own Python raised, or gave what it must not: calling it again would be the same again.

    `what` is its name in Rules, `where` the line of the form's file, `error` the exception's class; its text may hold what people wrote.
    """

    def __init__(self, what: str, where: str = "", error: str = "") -> None:
        super().__init__(f"{what}, {where or 'rules.py'}: {error}")
        self.what, self.where, self.error = what, where, error

    @property
    def told(self) -> tuple[str, str, str]:
        """The parts of it that an event carries."""
        return self.what, self.where, self.error


class Grade(StrEnum):
    """How good a graded text is. GOOD locks; BRIEF is coached once; OFF_TOPIC is refused."""

    EMPTY = "empty"
    BRIEF = "brief"
    GOOD = "good"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True)
class Results:
    """Search results, best first. `exact` says that the first one is what an identifier names, beyond doubt."""

    options: tuple[Option, ...]
    exact: bool = False


@dataclass(frozen=True)
class Filing:
    """The result of a submission: the record's first state, the reasons in sentences, and what the rules computed.

    An empty state leaves it to the form's own rules of filing; what else is said here then stands beside theirs.
    """

    state: str
    reasons: tuple[str, ...] = ()
    computed: Mapping[str, Any] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    """The sentences that the person reads; `reasons` are for the reviewers and may name what only they know."""
    files: tuple[Produced, ...] = ()
    """Put into the person's conversation once the record is stored."""
    until: str = ""
    """The last day (ISO 8601) on which what was filed counts, where there is one: an approval's end."""
    tell: str | None = ""
    """Who is told of it: the form's own channel, that of a name, or (None) nobody."""
    background: tuple[str, ...] = ()
    """What else the reviewers read, in sentences: how much risk there is, what was asked for before, what is held."""
    kept: Mapping[str, Any] = field(default_factory=dict)
    """Figures by which the record is judged to its end (`draft.docket.kept`), whatever the policy says by then."""


@dataclass(frozen=True)
class CalledOff:
    """The effect of an erasure on a record: its new state (empty: the old one), and a sentence for whoever waits, without a name."""

    state: str = ""
    notice: str = ""


class Sources(Protocol):
    """The sources of facts: the person's own earlier records of this form, newest first."""

    async def own_records(self, limit: int = 200) -> list[Mapping[str, Any]]:
        """Return each with `number`, `state`, `filed_at` (ISO 8601, UTC), `essence` (the request in a line), and what was filed.

        That is `values` (field to {"data": …}) and `computed`; `valid_until` (ISO 8601) where somebody's verdict counts until a day;
        `reported` (field of the report to its canonical value) where it was reported as done.
        """

    async def rows(self, form: str) -> list[Mapping[str, Any]]:
        """Return the person's own rows of a form of operations that no record holds, newest first: `number`, and what the row says."""

    def today(self) -> str:
        """Return the date of the installation's clock, ISO 8601."""

    async def in_force(self, name: str) -> InForce:
        """Return a list of the form as it holds at the moment that is judged, with its version."""

    def asked(self) -> tuple[str, str]:
        """Return the command that is to be answered and the words after it; both empty where a submission is judged."""

    async def conversation(self) -> Mapping[str, str]:
        """Whose conversation it is, and where its messages are found: `name` as Slack shows it, `archive` (the address below which each
        message has its own), `thread` (the ts that it hangs below); each empty where it is not known."""


Look = Callable[[str], Results]


OwnLook = Callable[[str, Draft, Sources], Awaitable[Results]]
"""A look-up among what is the person's own: given the query, the draft, and what may be asked of them."""
Grader = Callable[[str], Grade]
Gatherer = Callable[[Draft, Sources], Awaitable[Mapping[str, Any]]]
Filer = Callable[[Draft, Mapping[str, Any]], Filing]
Answerer = Callable[[str, Mapping[str, Any]], tuple[str, ...]]
"""A command's answer in sentences, from the words after it and the gathered facts (`sources` of the command)."""
Checker = Callable[[Draft, str, Any], str]
"""An own rule of a field: the sentence that says what to do, or the empty string. Takes draft, field name, canonical value."""


Reader = Callable[[str], Mapping[str, tuple[Any, str]]]
"""Read a document's text: by field, the value as it is written, and the words that it rests on."""


@dataclass(frozen=True)
class Decision:
    """The trigger that leads out of a code-only stage, and what the person is told of it."""

    trigger: str
    told: tuple[str, ...] = ()


Decider = Callable[[Draft, Mapping[str, Any]], str | Decision]
"""Decides the way out of a code-only stage, from the draft and the day (`today`, ISO 8601)."""


Finder = Callable[[str], frozenset[str]]
"""Names of one kind that a text holds, in one spelling each."""


async def nothing(_draft: Draft, _sources: Sources) -> Mapping[str, Any]:
    """Return no facts."""
    return {}


def received(_draft: Draft, _facts: Mapping[str, Any]) -> Filing:
    """Return the filing of a submission that no rule judges."""
    return Filing("received")


def no_limits(name: str, _facts: Mapping[str, Any]) -> int:
    """Raise KeyError: no number has a name."""
    raise KeyError(name)


def answer(draft: Draft, name: str) -> Any:
    """Return a field's canonical value; None while there is none."""
    return draft.values[name].data if name in draft.values else None


@dataclass(frozen=True)
class Rules:
    """The whole of a workflow's `rules.py`, by the names that its form uses."""

    version: str = "1"
    """Yours; it stands in every record."""
    lookups: Mapping[str, Look] = field(default_factory=dict)
    """A query to `Results`: options to pick from; nothing is ever picked for the person."""
    own_lookups: Mapping[str, OwnLook] = field(default_factory=dict)
    """Look-ups by the same names, among what is the person's own."""
    graders: Mapping[str, Grader] = field(default_factory=dict)
    """A text to `Grade` EMPTY, BRIEF (coached once), GOOD or OFF_TOPIC (refused)."""
    checks: Mapping[str, Checker] = field(default_factory=dict)
    """By field: draft, field and value to a sentence that says what to do, or the empty string."""
    warnings: Mapping[str, Checker] = field(default_factory=dict)
    """A remark on an answer that is taken all the same."""
    commands: Mapping[str, Answerer] = field(default_factory=dict)
    """The words that follow, and facts, to sentences."""
    decisions: Mapping[str, Decider] = field(default_factory=dict)
    """Draft and facts to the trigger out of a code-only stage, or a `Decision` with sentences."""
    names: Mapping[str, Finder] = field(default_factory=dict)
    """Finds the names that a persona may not be the first to use."""
    readers: Mapping[str, Reader] = field(default_factory=dict)
    """By document field; without one, labelled lines are read."""
    operations: Mapping[str, Runner] = field(default_factory=dict)
    """Runners by operation: see `state/draft/operations.py`."""
    roles: Roles = field(default_factory=Roles)
    """Who holds which role; without any, everybody is a member and reaches their own rows."""
    gather: Gatherer = nothing
    """Draft and sources (the person's own records, lists, today) to facts as plain data, kept with the record."""
    file: Filer = received
    """Draft and facts to a `Filing`: the record's first state (empty: what [filing] says), reasons, sentences, figures, files."""
    until: Callable[[Draft, str, str], str] = lambda _draft, _state, _today: ""
    """The last day (ISO 8601) on which a state counts that a record comes into today (ISO 8601) by somebody's verdict."""
    shipped: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    """Version 0 of lists of the form that have no file of their own, by the list's name."""
    vets: Mapping[str, Callable[[Row], str]] = field(default_factory=dict)
    """By list, what columns cannot say of a row: the sentence that says what to do, or the empty string."""
    limits: Callable[[str, Mapping[str, Any]], int] = no_limits
    """A number that the form names instead of writing it, by the facts that `gather` gathered; none of them where it could not."""
    breaches: Callable[[Draft, Mapping[str, Any]], tuple[str, ...]] = lambda _draft, _facts: ()
    """What is wrong with what was reported last, in sentences, by the facts that `gather` gathered."""
    note: Callable[[str, Draft], Mapping[str, tuple[Any, str]]] | None = None
    """What a note's text says, by figure: as it is written, and the line that it rests on. Without one, labelled lines are read."""
    closes: Callable[[Draft, str], str] = lambda _draft, _day: ""
    """The instant (ISO 8601, UTC) after which nothing more can be done on a day under an approval; empty: the day's end."""
    outdated: Callable[[str], Iterable[Problem]] = lambda _day: ()
    """What of its tables no longer holds on a day (ISO 8601); entries of TOML files with `stale_after` are told without it."""
    erased: Callable[[Mapping[str, Any]], CalledOff | None] = lambda _record: None
    """What is called off when a record's person is erased: an appointment. Given the record as `own_records` gives it."""

    def __post_init__(self) -> None:
        """Put every function under protection: what it raises is a FormFault."""
        for name, gives in GIVES.items():
            given = getattr(self, name)
            if isinstance(given, Mapping):
                safe: Any = {key: _protected(call, f"{name}.{key}", gives) for key, call in given.items()}
            else:
                safe = _protected(given, name, gives)
            object.__setattr__(self, name, safe)

    def finds(self, lookup: str, text: str) -> bool:
        """Return True if a look-up of tables finds what a text names."""
        results = self.lookups[lookup](text)
        return isinstance(results, Results) and bool(results.options)


GIVES: Mapping[str, type | tuple[type, ...]] = {
    "lookups": Results, "own_lookups": Results, "graders": Grade, "checks": str, "warnings": str, "commands": tuple,
    "decisions": (str, Decision), "names": frozenset, "readers": Mapping, "operations": Result, "gather": Mapping,
    "file": Filing, "until": str, "vets": str, "limits": int, "breaches": tuple, "note": Mapping, "closes": str,
    "outdated": tuple, "erased": (CalledOff, type(None)),
}  # fmt: skip
"""Every function that a form may bring, and what it gives; of a tuple, anything that can be gone through."""
SHELL = ("bot.", "state.stores.")
"""Modules that a form's function reaches through what is handed to it: what these raise is no fault of the form's."""


def _protected(call: Any, what: str, gives: Any) -> Any:
    """Return the function under protection; the defaults of this module need none."""
    if not callable(call) or hasattr(call, "protects") or getattr(call, "__module__", "") == __name__:
        return call

    async def awaited(found: Awaitable[Any]) -> Any:
        try:
            return _as_promised(await found, gives)
        except Exception as problem:
            raise _as_fault(problem, what) from problem

    @wraps(call, assigned=(), updated=())
    def protected(*given: Any) -> Any:
        try:
            found = call(*given)
            return awaited(found) if isawaitable(found) else _as_promised(found, gives)
        except Exception as problem:
            raise _as_fault(problem, what) from problem

    protected.protects = call  # type: ignore[attr-defined]
    return protected


def _as_promised(found: Any, gives: Any) -> Any:
    """Return what a function gave. Raises TypeError where that is nothing that can be gone on with."""
    given = tuple(found) if gives is tuple and isinstance(found, Iterable) and not isinstance(found, str) else found
    if not isinstance(given, gives):
        raise TypeError(type(found).__name__)
    return given


def _as_fault(problem: Exception, what: str) -> Exception:
    """Return the fault, unless the function said no as it may, or asked the shell for something that failed there."""
    frames = [
        (frame.f_globals.get("__name__", ""), frame.f_code.co_filename, line)
        for frame, line in walk_tb(problem.__traceback__)
    ]
    own = [one for one in frames if one[0] != __name__]
    shell = any(name.startswith(SHELL) and not name.startswith("bot.workflows.") for name, *_ in own)
    if isinstance(problem, FormFault | Refused) or shell:
        return problem
    where = f"{own[-1][1].rpartition('/')[2]}:{own[-1][2]}" if own else ""
    return FormFault(what, where, type(problem).__name__)
