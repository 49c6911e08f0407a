"""Who has an SQLite file open: a lock beside it, which the system lets go of with the process that holds it, however that ended."""

import fcntl
import os
from pathlib import Path


class Presence:
    """Held by every process that has the database open. Whoever finds nobody else there knows that what is held in it is a dead one's.

    Where the file system knows no locks, nobody is ever alone: leases then run out in their own time.
    """

    def __init__(self, database: Path) -> None:
        self._path, self._handle = database.with_name(f"{database.name}.lock"), -1

    def enter(self) -> bool:
        """Be there from now on. True where nobody else was."""
        if self._handle < 0:
            try:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                return False
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.stay()
            return False
        return True

    def stay(self) -> None:
        """Let others come in beside this process; until then nobody else is there."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_SH)
        except OSError:
            self.leave()

    def leave(self) -> None:
        """Be there no more."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
