"""Lists that officers keep, in versions that nobody changes any more, and uploads that wait for a confirmation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from state.stores.rows import Body, OutboxRow


class Overtaken(Exception):
    """Another version came meanwhile, or the upload is there no more: nothing was written."""


@dataclass(frozen=True)
class ListKey:
    """Whose list: a workspace's, of a form, by its name."""

    tenant: str
    form: str
    list: str


@dataclass(frozen=True)
class ListVersion:
    """What is known of a version without its content."""

    number: int
    effective: datetime
    uploaded_at: datetime


class ListStore(Protocol):
    """Part of `Store`; every implementation passes the same contract test. What ships is version 0 and stands in no store."""

    async def list_versions(self, key: ListKey) -> list[ListVersion]:
        """All of them, oldest first."""

    async def list_content(self, key: ListKey, number: int) -> Body | None:
        """What a version holds: its rows, and who uploaded them; None where there is no such version."""

    async def keep_upload(self, name: str, body: Body, seconds: float) -> None:
        """Keep what somebody looks at before they confirm it, for so long; what is over by now is forgotten."""

    async def upload(self, name: str) -> Body | None:
        """What is kept under this name; None where it is over, or was confirmed."""

    async def publish(
        self, name: str, key: ListKey, after: int, effective: datetime, body: Body, outgoing: Sequence[OutboxRow] = ()
    ) -> ListVersion:
        """Make the upload of this name the version behind `after`, with a link in the chain, in one transaction with `outgoing`.

        No version begins before it is there: an earlier `effective` is the moment of writing. Raises Overtaken, and nothing is written.
        """
