"""What a store must do for operations: proposals that wait for a click, and the rows ("entries") that operations write.

An entry is known by tenant, form and number, and belongs to one person, under whose key it is sealed. A proposal is sealed
under the key of whoever asked. Nothing is written but through `carry_out`: the proposal is used up, the entries change and
the outcome is kept in one transaction, so that no operation runs twice and none leaves no trace.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

Body = dict[str, Any]

OPEN, USED, CANCELLED, UNDONE = "open", "used", "cancelled", "undone"


@dataclass(frozen=True)
class Entry:
    """A row of a workflow. `before` is its body before the newest change; None where it was new then."""

    tenant: str
    form: str
    number: int
    person: str
    body: Body
    revision: int
    deleted: bool = False
    before: Body | None = None
    made_at: datetime | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True)
class Pending:
    """A proposal: what `person` asked for in `tenant`, exactly. `status` is open, used, cancelled, undone or erased.

    `late` is the store's own word on whether its time has passed. `outcome` is what came of it; None before it was used.
    """

    id: str
    tenant: str
    person: str
    form: str
    body: Body
    status: str = OPEN
    made_at: datetime | None = None
    expires_at: datetime | None = None
    late: bool = False
    outcome: Body | None = None


@dataclass(frozen=True)
class EntryWrite:
    """An entry as it is to be. `revision` is the one that was seen: 0 makes a new entry; any other must still hold."""

    tenant: str
    form: str
    number: int
    person: str
    body: Body
    revision: int = 0
    deleted: bool = False


@dataclass(frozen=True)
class Deed:
    """A proposal carried out: `outcome` is kept with it, `undone` names an earlier one that this takes back."""

    proposal: str
    writes: tuple[EntryWrite, ...] = ()
    outcome: Mapping[str, Any] = field(default_factory=dict)
    undone: str = ""


Came = Literal["done", "closed", "changed"]
"""Carried out; not open any more, or too late; or an entry is not what was seen. Only the first one wrote anything."""


class Ledger(Protocol):
    """Part of `Store`; every implementation passes the same contract test."""

    async def propose(self, pending: Pending, seconds: float) -> Pending:
        """Keep a proposal, open for so many seconds. One whose id is known is given as it stands: it is kept once."""

    async def proposal(self, name: str) -> Pending | None:
        """A proposal by its id; None where there is none, or its person was erased."""

    async def proposals_of(self, person: str, form: str, limit: int = 50) -> list[Pending]:
        """A person's proposals of a form, those that were made or came to their end last first."""

    async def withdraw(self, name: str) -> bool:
        """Cancel an open proposal; False where it was not open."""

    async def carry_out(self, deed: Deed) -> Came:
        """Use the proposal up and write everything, in one transaction, or nothing at all."""

    async def next_entry(self, tenant: str, form: str) -> int:
        """A number that no entry of this tenant and form has; one that is not used leaves a gap."""

    async def entry(self, tenant: str, form: str, number: int) -> Entry | None:
        """An entry, also a deleted one; None where this tenant has none of that number, or its person was erased."""

    async def entries(self, tenant: str, form: str, person: str = "", limit: int = 5000) -> list[Entry]:
        """A tenant's entries that stand, newest first; of one person where `person` is given."""
