"""The errors that a store raises on purpose.

StoreError
├── LeaseLost
├── AlreadyFiled
├── RevisionGap
├── WasErased
├── OnHold
├── Tampered
├── WrongKey
├── NoBackup
└── Unavailable
"""

from typing import Literal

Why = Literal["", "full", "read_only"]


class StoreError(Exception):
    """Anything a store may raise on purpose."""


class LeaseLost(StoreError):
    """The lease was released or taken over, or the row has ended: nothing of the unit of work was written."""


class AlreadyFiled(StoreError):
    """The draft has a record already: nothing of the unit of work was written. `number` is the record's."""

    def __init__(self, number: str) -> None:
        super().__init__(number)
        self.number = number


class RevisionGap(StoreError):
    """A draft's revision does not follow the stored one, or a draft comes without its events: nothing was written."""


class WasErased(StoreError):
    """The draft belongs to nobody any more, or to somebody else: nothing was written."""


class OnHold(StoreError):
    """A legal hold keeps all of a person: nothing was erased."""


class NoBackup(StoreError):
    """A file that cannot be restored, or a database that it may not be restored into; says why. Nothing was changed."""


class Tampered(StoreError):
    """A stored body is not the one that was written there."""


class WrongKey(StoreError):
    """The database was sealed under another installation's key."""


class Unavailable(StoreError):
    """The database does not answer. All of the unit of work was written, or nothing. `why`: what keeps it from being written, where that is known."""

    def __init__(self, told: str, why: Why = "") -> None:
        super().__init__(told)
        self.why: Why = why
