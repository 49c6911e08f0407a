"""The input and the result of an operation's runner, and the ways in which it refuses.

Refused
├── Invalid      the arguments cannot be taken together
├── Forbidden    the person's role does not allow it
├── NotFound     no such row for this person: another tenant's, another person's, deleted, or never made
└── Conflict     used, expired, cancelled, or not what it was when it was shown
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from state.draft.utterance import Phrase, Utterance, Verbatim
from state.fields.base import Context
from state.form.field import Data
from state.form.schema import Operation

MEMBER = "member"


@dataclass(frozen=True)
class Identity:
    """Who acts, as Slack or a token says: never what a message or a body says. `wide` reaches every row of the tenant."""

    tenant: str
    user: str
    roles: frozenset[str] = frozenset({MEMBER})
    wide: bool = False


@dataclass(frozen=True)
class Roles:
    """Who holds which role beyond `member`: tenant to role to user ids. `above` lists roles from the lowest up.

    Whoever holds a role holds those below it. Roles in `wide` reach every row of their tenant.
    """

    holders: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    above: tuple[str, ...] = (MEMBER,)
    wide: frozenset[str] = frozenset()

    def of(self, tenant: str, user: str) -> Identity:
        """Return a person of Slack with the roles that the configuration gives them."""
        held = {role for role, users in self.holders.get(tenant, {}).items() if user in users}
        return self.given(tenant, user, held)

    def given(self, tenant: str, user: str, held: set[str]) -> Identity:
        """Return a person with these roles, and those below them."""
        highest = max((self.above.index(role) for role in held if role in self.above), default=0)
        roles = frozenset(self.above[: highest + 1])
        return Identity(tenant, user, roles, bool(roles & self.wide))


@dataclass(frozen=True)
class Row:
    """An entry as rules see it. `owner` is a Slack user id; `at` is when it was made (ISO 8601, UTC)."""

    number: int
    owner: str
    body: Mapping[str, Any]
    revision: int = 0
    at: str = ""


@dataclass(frozen=True)
class Write:
    """A row as it is to be: a new one where `row.revision` is 0."""

    row: Row
    body: Mapping[str, Any]
    deleted: bool = False


@dataclass(frozen=True)
class Produced:
    """A private file for the person: `text`, or bytes as base64 in `data`. Of a submission, `{number}` in name and title is the record's."""

    name: str
    title: str
    text: str = ""
    data: str = ""
    alt: str = ""
    """A description of a picture for those who do not see it; its title where there is none."""


@dataclass(frozen=True)
class Wanted:
    """A call of an operation that passed every check: canonical arguments, and the names of those that were inferred."""

    operation: str
    arguments: Mapping[str, Data]
    inferred: tuple[str, ...] = ()
    suggested: bool = False
    """True if the model suggested a confirmation; its words for it are never shown."""
    words: str = ""
    """The person's words beside the arguments: they name a row that is there, or stand on the card as not read."""
    corrects: bool = False
    """True if the words may put right what was added today."""


@dataclass(frozen=True)
class Ask:
    """One operation as it is to be carried out: canonical arguments, and the names of those that were inferred."""

    operation: str
    arguments: Mapping[str, Data]
    identity: Identity
    context: Context
    inferred: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Result:
    """The result of an operation: `plan` is on the confirmation card, `told` is said once it is done.

    `facts` are plain data for callers over HTTP; lists of several results are joined. Warnings ask for a confirmation.
    """

    told: tuple[Utterance, ...]
    plan: tuple[Utterance, ...] = ()
    writes: tuple[Write, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[Produced, ...] = ()
    warnings: tuple[Utterance, ...] = ()


class Rows(Protocol):
    """The rows that the person may see."""

    async def all(self) -> list[Row]:
        """Return those that stand, newest first."""

    async def one(self, number: int) -> Row:
        """Return one by its number. Raises NotFound."""

    async def number(self) -> int:
        """Return the number of a new row; 0 while an operation is only planned."""


Runner = Callable[[Ask, Rows], Awaitable[Result]]


class Refused(Exception):
    """An operation does not run; `line` is the sentence that the person reads."""

    def __init__(self, told: str | Verbatim, **args: str) -> None:
        """A key of the catalogue with what it names, or a workflow's own words."""
        super().__init__(type(self).__name__)
        self.line: Utterance = told if isinstance(told, Verbatim) else Phrase(told, args)

    @property
    def key(self) -> str:
        """Return the catalogue's key; empty for a workflow's own words."""
        return self.line.key if isinstance(self.line, Phrase) else ""


class Invalid(Refused):
    """The arguments cannot be taken together."""


class Forbidden(Refused):
    """The person's role does not allow this operation."""

    def __init__(self) -> None:
        super().__init__("op_forbidden")


class NotFound(Refused):
    """There is no such row for this person, whatever the reason."""

    def __init__(self, number: int) -> None:
        super().__init__("op_not_found", number=str(number))


class Conflict(Refused):
    """Used, expired, cancelled, or not what it was when it was shown."""


def needs_confirmation(operation: Operation, *, inferred: bool, several: bool, warned: bool) -> bool:
    """Return True if the operation waits for a click: always, never, or when something was not said in so many words."""
    if operation.confirm == "inferred":
        return inferred or several or warned
    return operation.confirm == "always"


def may_call(identity: Identity, operation: Operation) -> bool:
    """Return True if one of the person's roles allows the operation; one that names no roles is everybody's."""
    return not operation.roles or bool(identity.roles & set(operation.roles))


def may_touch(identity: Identity, tenant: str, owner: str) -> bool:
    """Return True if a row is within the person's reach: their own, or any of their tenant's for those who see it whole."""
    return tenant == identity.tenant and (owner == identity.user or identity.wide)
