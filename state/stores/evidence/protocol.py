"""What a store must do for the evidence: sign where its chains stand, and find what is not as it was written."""

from typing import Protocol

from state.stores.evidence.checkpoints import Checkpoint, Restored
from state.stores.evidence.found import Report

MOST = 1_000_000
"""Checkpoints that are read at once."""


class EvidenceStore(Protocol):
    """Part of `Store`; every implementation passes the same contract test."""

    @property
    def public_keys(self) -> dict[str, str]:
        """The public keys of all signatures, in base64, by the id of the installation's key; that of today is the last."""

    @property
    def place(self) -> str:
        """The name of the database, as heads say whose they are: a file's, or host and database."""

    async def checkpoint(self, restored: Restored | None = None) -> Checkpoint | None:
        """Sign the heads that changed since the newest checkpoint; None where none did, or another replica was faster.

        With `restored`, say that a backup was put back, and go on behind the newest checkpoint that is known of.
        """

    async def checkpoints(self, after: int = 0, limit: int = MOST) -> list[Checkpoint]:
        """The checkpoints after this one, oldest first."""

    async def newest_checkpoint(self) -> Checkpoint | None:
        """The newest one; None before the first."""

    async def audit(self, draft: str = "") -> Report:
        """Check everything, or one draft, in one snapshot: every link, row and body, also after erasures."""

    async def exported(self) -> str:
        """The evidence as a file that is verified with the public key alone; what an audit finds meanwhile is part of it."""
