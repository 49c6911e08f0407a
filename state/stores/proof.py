"""What a store must do for proof: a record's whole story, what was shown of it, who read it, and what may not go for now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from state.stores.evidence.links import CustodyLink
from state.stores.rows import Body, Record, StoredEvent

Scope = Literal["record", "person"]
READ = "read"
"""The kind of the links that say who read what others filed."""


@dataclass(frozen=True)
class Shown:
    """Something that was put before somebody, as it was rendered: a `post`, a `repaint`, a `whisper` or an `attach`.

    `event` is the id of the event that wanted it. It was seen where `status` is "done", since `at`.
    """

    event: str
    kind: str
    status: str
    at: datetime | None
    body: Body


@dataclass(frozen=True)
class Account:
    """A record with everything that happened to it, oldest first; both are empty once it is emptied or its person erased.

    `kept`: its person was erased, and the law or a hold keeps it.
    """

    record: Record
    events: tuple[StoredEvent, ...] = ()
    shown: tuple[Shown, ...] = ()
    kept: bool = False


@dataclass(frozen=True)
class LegalHold:
    """Nothing of a record, or of a person ("team:user"), goes while it stands. `by` is a Slack id or an operating system's user."""

    id: int
    scope: Scope
    name: str
    at: datetime
    by: str
    reason: str
    lifted_at: datetime | None = None
    lifted_by: str = ""
    lifted_why: str = ""


class Proof(Protocol):
    """Part of `Store`; every implementation passes the same contract test."""

    async def account(self, number: str) -> Account | None:
        """A record with its events and what was shown of it; None where there is none of that number."""

    async def attest(self, kind: str, told: Mapping[str, Any]) -> CustodyLink:
        """Append a link to the installation's chain. It is in clear for ever: no word that anybody wrote may be in it."""

    async def attested(self, kind: str, after: int = 0, limit: int = 1000) -> list[CustodyLink]:
        """Links of a kind of the installation's chain, oldest first."""

    def signature(self, text: str) -> tuple[str, str]:
        """The id of today's key, and its signature of a text in base64."""

    async def hold(self, scope: Scope, name: str, by: str, reason: str) -> LegalHold | None:
        """Let nothing of it go, and link that; None where a hold stands already."""

    async def lift(self, scope: Scope, name: str, by: str, reason: str) -> LegalHold | None:
        """End a hold, and link that; None where none stands."""

    async def holds(self, *, standing: bool = True) -> list[LegalHold]:
        """Holds that stand, or every one there was, oldest first."""

    async def on_hold(self, person: str) -> bool:
        """Whether nothing of a person may go for now."""
