"""Files that an operator writes under HOLDFAST_VAR: read when they have changed, and never while somebody is still writing them."""

import time
from dataclasses import dataclass, field
from pathlib import Path

QUIET = 1.0
"""Seconds for which a file must have been left alone: half of one may read like a whole."""
Stamp = tuple[int, int, int]
"""When it was written, its size, and which file it is."""


def stamp_of(path: Path) -> Stamp | None:
    """None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)


@dataclass
class Watched:
    """A file, and how it was when it was last taken; None for a file that was not there."""

    path: Path
    taken: Stamp | None = None
    _seen: tuple[Stamp | None, float] = field(default=(None, 0.0), repr=False)

    def changed(self) -> bool:
        """Return True if it is another than the one that was taken, and nobody writes it any more."""
        now = stamp_of(self.path)
        if now == self.taken:
            return False
        if self._seen[0] != now or not self._seen[1]:
            self._seen = (now, time.monotonic())
        left_alone = time.time() - now[0] / 1e9 if now else 0.0
        return max(left_alone, time.monotonic() - self._seen[1]) >= QUIET

    def take(self) -> None:
        """It counts as it is now."""
        self.taken, self._seen = stamp_of(self.path), (None, 0.0)
