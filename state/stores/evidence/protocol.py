"""What a store must do for the evidence: sign where its chains stand, and find what is not as it was written."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from state.stores.evidence.checkpoints import Checkpoint, Restored
from state.stores.evidence.found import Evidence, Report

Result = TypeVar("Result")


class EvidenceStore(Protocol):
    """Part of `Store`; every implementation passes the same contract test."""

    @property
    def public_key(self) -> str:
        """The public key that belongs to today's signatures, in base64."""

    async def checkpoint(self, restored: Restored | None = None) -> Checkpoint | None:
        """Sign the heads that changed since the newest checkpoint; None where none did, or another replica was faster.

        With `restored`, say that a backup was put back, and go on behind the newest checkpoint that is known of.
        """

    async def checkpoints(self, after: int = 0) -> list[Checkpoint]:
        """The checkpoints after this one, oldest first."""

    async def audit(self, draft: str = "") -> Report:
        """Check everything, or one draft, in one snapshot: every link, row and body, also after erasures."""

    async def with_evidence(self, work: Callable[[Evidence], Result]) -> Result:
        """Hand the evidence to `work`, which reads it within one snapshot, on another thread."""
