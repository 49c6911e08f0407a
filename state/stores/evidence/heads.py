"""A file of signed heads outside the database: what is in it cannot be unsaid by whoever has the database."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from state.stores.evidence.checkpoints import Checkpoint, genuine, read_line, statement
from state.stores.evidence.found import Fault
from state.stores.evidence.keys import signed

BRIEF = re.compile(r"holdfast checkpoint (\d+) ([0-9a-f]{64}) (\S+)")
FILE_TODO = "Compare it with another copy of it, or with the lines in the operators' channel; put the whole one back."
BACK_TODO = "Stop the bot. If nobody restored a backup, put the newest database back, and find out who changed it."


class HeadsFile:
    """Lines are appended and never changed. Several processes may append to one: the same line twice says nothing new.

    So may the bots of several databases: each looks at the lines of its own `place`, and at those that name none.
    """

    def __init__(self, path: Path, place: str | None = None) -> None:
        self.path, self.place = path, place
        self._known: tuple[int, Checkpoint | None] | None = None
        """The file's size when it was last looked at, and its newest checkpoint then."""

    def lines(self) -> list[str]:
        """Return every line, with its end; none where there is no file."""
        try:
            return self.path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        except FileNotFoundError:
            return []

    def last(self) -> Checkpoint | None:
        """Return the newest checkpoint in the file; None in an empty one. ValueError where its end is none. Read anew where the file changed."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if self._known is None or self._known[0] != size:
            whole = (read_line(line) for line in reversed(self.lines()) if line.endswith("\n"))
            self._known = (
                size,
                next((one for one in whole if self.place is None or one.place in ("", self.place)), None),
            )
        return self._known[1]

    def append(self, checkpoints: Sequence[Checkpoint]) -> bool:
        """Append those that follow the file's newest; False, and nothing is written, where they do not: the database went back.

        A line that a crash cut off is written to its end. Raises OSError, and ValueError where the file's end is no checkpoint.
        """
        if not all(_follows(one, next_one) for one, next_one in pairwise([self.last(), *checkpoints])):
            return False
        text, newest = "".join(f"{one.line}\n" for one in checkpoints), (self.lines() if checkpoints else [])[-1:]
        torn = newest[0] if newest and not newest[0].endswith("\n") else ""
        if not text.startswith(torn):
            return False
        if text:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, text[len(torn) :].encode())
                os.fsync(handle)
            finally:
                os.close(handle)
            self._known = self.path.stat().st_size, checkpoints[-1]
        return True


def _follows(one: Checkpoint | None, next_one: Checkpoint | None) -> bool:
    if one is None or next_one is None:
        return True
    restored = next_one.restored
    back = restored is not None and (restored.over, restored.hash) == (one.n, one.hash)
    return back or (next_one.n == one.n + 1 and next_one.previous == one.hash)


def heads_faults(
    name: str, lines: Sequence[str], stored: Sequence[Checkpoint], public: Mapping[str, str], place: str = ""
) -> list[Fault]:
    """Return what a file of heads and the stored checkpoints say against each other; lines of another database's bot say nothing."""
    where, lines = f"Heads file {name}", ours(lines, stored, place or (stored[-1].place if stored else ""))
    if not lines:
        what = f"It is not there or empty, and the database has {len(stored)} checkpoints."
        return [Fault(where, what, FILE_TODO)] if stored else []
    faults = list(_line_faults(where, lines, stored, public))
    return faults or [*_gaps(where, lines, stored)]


def ours(lines: Sequence[str], stored: Sequence[Checkpoint], place: str) -> list[str]:
    """Return all but the lines of another place. One that names none is of the place of those that follow it."""
    known, of = {one.hash for one in stored}, dict[str, str]()
    kept = []
    for line in reversed(lines):
        try:
            one = read_line(line)
        except ValueError:
            kept.append(line)
            continue
        theirs = one.place or of.get(one.hash, "")
        of[one.previous] = theirs
        if not place or theirs in ("", place) or one.hash in known:
            kept.append(line)
    return kept[::-1]


def short(lines: Sequence[str], stored: Sequence[Checkpoint]) -> bool:
    """Return True if the file ends before the stored checkpoints do: a running bot may be about to write the rest."""
    try:
        return bool(stored) and (not lines or read_line(lines[-1]).n < stored[-1].n)
    except ValueError:
        return False


def _line_faults(
    where: str, lines: Sequence[str], stored: Sequence[Checkpoint], public: Mapping[str, str]
) -> Iterator[Fault]:
    by_n = {one.n: one.hash for one in stored}
    lost = {n for one in stored if one.restored for n in range(one.restored.since + 1, one.restored.over + 1)}
    newest, beyond = max(by_n, default=0), list[int]()
    for place, line in enumerate(lines, 1):
        n, hashed, wrong = _said(line, public)
        if wrong:
            yield Fault(where, f"Line {place}: {wrong}.", FILE_TODO)
        elif n not in by_n and n not in lost:
            beyond.append(n)
        elif n in by_n and by_n[n] != hashed:
            what = f"Line {place}: its checkpoint {n} is not the database's: the database was rolled back and went on, or is another."
            yield Fault(where, what, BACK_TODO)
    if beyond:
        has = f"checkpoints {beyond[0]} to {beyond[-1]}" if len(beyond) > 1 else f"checkpoint {beyond[0]}"
        what = (
            f"It has {has}; the database ends at {newest} or lacks them: the database was rolled back, or is another."
        )
        yield Fault(where, what, BACK_TODO)


def _said(line: str, public: Mapping[str, str]) -> tuple[int, str, str]:
    """Return a line's number and hash, and what is wrong with it."""
    if brief := BRIEF.search(line):
        n, hashed, signature = int(brief[1]), brief[2], brief[3]
        ours = any(signed(key, statement(n, hashed), signature) for key in public.values())
        return n, hashed, "" if ours else "its signature is not this installation's"
    try:
        checkpoint = read_line(line)
    except ValueError:
        return 0, "", "it is no checkpoint: it was edited or cut off"
    return checkpoint.n, checkpoint.hash, genuine(checkpoint, public)


def _gaps(where: str, lines: Sequence[str], stored: Sequence[Checkpoint]) -> Iterator[Fault]:
    """Yield lines that were taken out; a file that begins in the middle; an end before the database's."""
    numbers = [read_line(line).n for line in lines if not BRIEF.search(line)]
    if not numbers:
        return
    before = 0
    for n in numbers:
        if n not in (before, before + 1):
            yield Fault(where, f"Lines are missing between checkpoint {before} and {n}.", FILE_TODO)
            return
        before = n
    newest = stored[-1].n if stored else 0
    if before < newest:
        what = f"It ends at checkpoint {before}, the database at {newest}: its end was cut off, or the bot was killed before it wrote it."
        yield Fault(where, what, f"If the bot was killed, its next start writes what is missing. Else: {FILE_TODO}")
