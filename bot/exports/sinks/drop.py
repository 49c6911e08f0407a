"""A folder of CSV files, one a day for each form: each row once, the file always whole."""

import csv
import errno
import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.exports.sinks.file import ANSWERS, Sink
from bot.slack.errors import Fault, Scope, Undelivered
from state.stores.cells import csv_text

if sys.platform != "win32":
    import fcntl

ENVELOPE = ("key", "number", "form", "what", "state", "revision", "changed_at")
GONE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS)
"""What does not end by itself."""
DAY = len("2026-11-22")
LOOKS, PAUSE = 60, 0.05
"""Looks at a folder that another process writes in, and seconds between two."""


def columns_of(sink: Sink) -> tuple[str, ...]:
    """Return the header: the same in every file of the sink, whichever form it is of."""
    decisions = {"reasons", "conditions", "decided_by"}
    return (*ENVELOPE, *dict.fromkeys("decisions" if name in decisions else name for name in sink.fields))


def append(folder: Path, sink: Sink, told: Mapping[str, Any]) -> bool:
    """Add a row to the file of its day; False where it is there already. Raises Undelivered.

    The file is written anew beside itself and put in its place, so that a reader or a crash never finds half of one.
    """
    try:
        with _locked(folder):
            return _append(folder, columns_of(sink), told)
    except OSError as problem:
        name = errno.errorcode.get(problem.errno or 0, "other").lower()
        scope = Scope.PLACE if problem.errno in GONE else Scope.OUTAGE
        raise Undelivered(Fault(scope, f"disk_{name}")) from None


def _append(folder: Path, columns: tuple[str, ...], told: Mapping[str, Any]) -> bool:
    day = f"{told['form']}-{str(told['changed_at'])[:DAY]}"
    files = list(_of_the_day(folder, day))
    tables = [(file, list(csv.reader(io.StringIO(file.read_text("utf-8"), newline="")))) for file in files]
    if any(row and row[0] == told["key"] for _, rows in tables for row in rows[1:]):
        return False
    fitting = next((file for file, rows in tables if not rows or tuple(rows[0]) == columns), None)
    target = fitting or folder / (f"{day}.csv" if not files else f"{day}-{len(files) + 1}.csv")
    before = target.read_bytes() if target.exists() else b""
    added = csv_text(columns, [[cell(told, name) for name in columns]])
    text = added if not before else added.split("\r\n", 1)[1]
    _put(target, before + text.encode())
    return True


def cell(told: Mapping[str, Any], column: str) -> str:
    """Return what is in a column: an answer in plain words, the decisions in their order in one cell."""
    if column == "decisions":
        return "; ".join(" ".join(_decision(one)) for one in told.get("decisions", ()))
    if column in ("breaches", "reports"):
        return "; ".join(_plain(one) for one in told.get(column, ()))
    value = (
        told.get("answers", {}).get(column.removeprefix(ANSWERS)) if column.startswith(ANSWERS) else told.get(column)
    )
    return _plain(value)


def _decision(one: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(one[name]) for name in ("at", "state", "role", "verdict") if one.get(name))
    yield from (f"{name}: {one[name]}" for name in ("by", "deputy_of", "conditions", "reason") if one.get(name))
    yield from ("(void)",) if one.get("void") else ()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_plain(one)}" for name, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_plain(one) for one in value)
    return "" if value is None else str(value)


def _of_the_day(folder: Path, day: str) -> Iterator[Path]:
    """Yield the day's file, and those that other columns began."""
    yield from sorted(
        (f for f in folder.glob(f"{day}*.csv") if f.stem == day or f.stem.startswith(f"{day}-")),
        key=lambda f: (len(f.stem), f.stem),
    )


def _put(target: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.stem}-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    if sys.platform != "win32":
        _sync(target.parent)


def _sync(folder: Path) -> None:
    """That the file has its name outlives a power cut."""
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time, whichever process it is in. Raises OSError where another does not come to its end."""
    with (folder / ".lock").open("w") as file:
        looks = 0
        while not _got(file.fileno(), last=looks >= LOOKS):
            looks += 1
            time.sleep(PAUSE)
        yield


def _got(file: int, *, last: bool) -> bool:
    """Return True if nobody else has it. Raises OSError where somebody has, and it was the last look."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if last:
            raise
        return False
    return True
