"""Deliver to sinks: one signed POST of JSON, or a line in a CSV file of the day. A sink that is away makes no other wait."""

import asyncio
import csv
import errno
import hashlib
import hmac
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import aiohttp

from bot.exports.sinks import ANSWERS, SECRET, Sink, Sinks
from bot.operations.files import written_beside
from bot.operations.metrics import SINK_AWAY, SINK_DELIVERIES
from bot.slack.client import SlackAvailability
from bot.slack.errors import Fault, Later, Scope, Undelivered, fault_of, status_fault
from state.stores.cells import csv_text
from state.stores.rows import OutboxRow

if sys.platform != "win32":
    import fcntl

LIMIT = 10.0
"""Seconds for the whole of it."""
KEY, TIMESTAMP, SIGNATURE = "Idempotency-Key", "X-Holdfast-Timestamp", "X-Holdfast-Signature"
CONFLICT = 409


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over version, timestamp and body, in hexadecimal: "v0=…"."""
    return f"v0={hmac.new(secret, b'v0:' + timestamp.encode() + b':' + body, hashlib.sha256).hexdigest()}"


def read_secret(file: Path) -> bytes:
    """Return what signs. Raises ValueError, in words that do not repeat it, and OSError."""
    secret = file.read_bytes().strip()
    if len(secret) < SECRET:
        raise ValueError(f"{file.name} has fewer than {SECRET} bytes.")
    return secret


def lacks(name: str, sink: Sink, var: Path) -> Iterator[str]:
    """Yield what a sink needs beside its file and does not have, in sentences."""
    if sink.folder and not os.access(var / sink.folder, os.W_OK | os.X_OK):
        yield f"The sink {name} writes into {var / sink.folder}, and cannot: make that folder, and let Holdfast write there."
    try:
        _ = read_secret(var / sink.secret_file) if sink.secret_file else b""
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else str(problem).rstrip(".")
        yield f"The sink {name} cannot sign: {var / sink.secret_file} cannot be read ({why}). Nothing is sent to it until then."


async def post(session: aiohttp.ClientSession, sink: Sink, secret: bytes, told: dict[str, Any], now: int) -> None:
    """Send once. Raises Undelivered; a connection that breaks, as aiohttp raises it, after which nobody knows. The answer's body is not read."""
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json", "User-Agent": "Holdfast", KEY: str(told["key"]), TIMESTAMP: str(now),
        SIGNATURE: signature(secret, str(now), body),
    }  # fmt: skip
    limit = aiohttp.ClientTimeout(total=LIMIT)
    async with session.post(sink.url, data=body, headers=headers, timeout=limit, allow_redirects=False) as answer:
        status, given = answer.status, answer.headers
    if status == CONFLICT and given.get(KEY, told["key"]) == told["key"]:
        return  # it has that one already
    fault = status_fault(status, _seconds(given.get("Retry-After", ""), now))
    if fault is not None:
        raise Undelivered(fault)


def _seconds(wanted: str, now: int) -> float:
    """`Retry-After`, which is in seconds or a date; nothing where it is neither."""
    if wanted.isascii() and wanted.isdigit():
        return float(wanted)
    try:
        return parsedate_to_datetime(wanted).timestamp() - now
    except (TypeError, ValueError):
        return 0.0


def no_secret(problem: Exception) -> Undelivered:
    """The sink's secret cannot be read: nothing is sent unsigned."""
    return Undelivered(Fault(Scope.PLACE, "no_secret" if isinstance(problem, OSError) else "short_secret"))


AT_ONCE, SOON = 8, 0.2
"""Rows that are under way to one sink, and seconds until there may be room for one more."""
METHOD = "POST"


class Deliverer:
    """`pace`: how many times as fast as elsewhere minutes pass; `now` is the store's clock."""

    def __init__(
        self, sinks: Sinks, session: aiohttp.ClientSession, now: Callable[[], Awaitable[datetime]], pace: float = 1.0
    ) -> None:
        self._sinks, self._session, self._now, self._pace = sinks, session, now, pace or 1.0
        self._reaches: dict[str, SlackAvailability] = {}
        self._busy: Counter[str] = Counter()
        self._locks: dict[str, asyncio.Lock] = {}

    async def serve(self, row: OutboxRow) -> None:
        """Perform one row. Raises Undelivered, and Later where there is no room."""
        name = str(row.body["sink"])
        sink = self._sinks.current().get(name)
        if sink is None:
            self._reaches.pop(name, None)
            SINK_AWAY.labels(name).set(0)
            raise Undelivered(Fault(Scope.PLACE, "no_such_sink"))
        reach = self._reaches.setdefault(name, SlackAvailability(self._pace))
        with self._room(name):
            try:
                await reach.clear()
            except Later as later:  # the sink is to be left alone for a while: nothing is sent
                fault = Fault(Scope.OUTAGE, reach.reason, after=later.seconds, tried=False)
                raise Undelivered(fault) from None
            try:
                await self._deliver(name, sink, row.body["payload"])
            except Undelivered as refused:
                self._failed(name, reach, refused.fault)
                raise
            except (
                aiohttp.ClientSSLError
            ) as problem:  # somebody has to mend the certificate; whatever else breaks off ends by itself
                fault = Fault(Scope.PLACE, "certificate")
                self._failed(name, reach, fault)
                raise Undelivered(fault) from problem
            except Exception as problem:
                fault = fault_of(problem) or Fault(Scope.UNKNOWN, type(problem).__name__)
                self._failed(name, reach, fault)
                raise Undelivered(fault) from problem
        reach.answered(METHOD, datetime.now(UTC))
        SINK_DELIVERIES.labels(name, "done").inc()
        SINK_AWAY.labels(name).set(0)

    async def _deliver(self, name: str, sink: Sink, told: dict[str, Any]) -> None:
        if sink.kind == "csv":
            async with self._locks.setdefault(name, asyncio.Lock()):
                folder = self._sinks.var / sink.folder  # a relative one is under HOLDFAST_VAR
                await asyncio.to_thread(append, folder, sink, told)
            return
        try:
            secret = await asyncio.to_thread(read_secret, self._sinks.var / sink.secret_file)
        except (OSError, ValueError) as problem:
            raise no_secret(problem) from None
        await post(self._session, sink, secret, told, int((await self._now()).timestamp()))

    @contextmanager
    def _room(self, name: str) -> Iterator[None]:
        if self._busy[name] >= AT_ONCE:
            raise Later(SOON)
        self._busy[name] += 1
        try:
            yield
        finally:
            self._busy[name] -= 1

    def _failed(self, name: str, reach: SlackAvailability, fault: Fault) -> None:
        SINK_DELIVERIES.labels(name, "waits" if fault.scope is Scope.OUTAGE else "refused").inc()
        if fault.scope is not Scope.OUTAGE:
            reach.answered(METHOD, datetime.now(UTC))  # it is there, and says no
            SINK_AWAY.labels(name).set(0)
            return
        reach.failed(Fault(Scope.OUTAGE, fault.code, method=METHOD), datetime.now(UTC))
        reach.hold(fault.after)
        SINK_AWAY.labels(name).set(1)


ENVELOPE = ("key", "number", "form", "what", "state", "revision", "changed_at")
GONE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS)
"""Errors that do not end by themselves."""
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
    files = sorted(  # the day's file, and those that other columns began
        (f for f in folder.glob(f"{day}*.csv") if f.stem == day or f.stem.startswith(f"{day}-")),
        key=lambda f: (len(f.stem), f.stem),
    )
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
    """Return what is in a column: an answer in plain words and what it declares, the decisions in their order in one cell."""
    if column == "decisions":
        return "; ".join(" ".join(_decision(one)) for one in told.get("decisions", ()))
    if column in ("breaches", "reports"):
        return "; ".join(_plain(one) for one in told.get(column, ()))
    if not column.startswith(ANSWERS):
        return _plain(told.get(column))
    told_of = (told.get(part, {}).get(column.removeprefix(ANSWERS)) for part in ("answers", "declared"))
    return " – ".join(filter(None, map(_plain, told_of)))


def _decision(one: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(one[name]) for name in ("at", "state", "role", "verdict") if one.get(name))
    yield from (
        f"{name}: {one[name]}" for name in ("by", "deputy_of", "conditions", "reason", "message") if one.get(name)
    )
    yield from ("(void)",) if one.get("void") else ()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_plain(one)}" for name, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_plain(one) for one in value)
    return "" if value is None else str(value)


def _put(target: Path, content: bytes) -> None:
    written_beside(target, content).replace(target)
    if sys.platform != "win32":  # that the file has its name outlives a power cut
        directory = os.open(target.parent, os.O_RDONLY)
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
