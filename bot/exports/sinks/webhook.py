"""A webhook: one POST of JSON, signed as Slack signs its own requests (v0), with a key by which the receiver knows it again."""

import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import aiohttp

from bot.exports.sinks.file import SECRET, Sink
from bot.slack.errors import Fault, Scope, Undelivered, status_fault

LIMIT = 10.0
"""Seconds for the whole of it."""
KEY, TIMESTAMP, SIGNATURE = "Idempotency-Key", "X-Holdfast-Timestamp", "X-Holdfast-Signature"
AGENT = "Holdfast"
CONFLICT = 409


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over version, timestamp and body, in hexadecimal: "v0=…"."""
    return f"v0={hmac.new(secret, b'v0:' + timestamp.encode() + b':' + body, hashlib.sha256).hexdigest()}"


def read_secret(file: Path) -> bytes:
    """What signs. Raises ValueError, in words that do not repeat it, and OSError."""
    secret = file.read_bytes().strip()
    if len(secret) < SECRET:
        raise ValueError(f"{file.name} has fewer than {SECRET} bytes.")
    return secret


def lacks(name: str, sink: Sink, var: Path) -> Iterator[str]:
    """What a sink needs beside its file and does not have, in sentences."""
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
        "Content-Type": "application/json", "User-Agent": AGENT, KEY: str(told["key"]), TIMESTAMP: str(now),
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
