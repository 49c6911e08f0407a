"""The text of a file, read by a program apart: one that hangs is ended, one that breaks breaks alone."""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import structlog

from state.draft.documents import Problem

log = structlog.get_logger("holdfast.documents")

CHILD = Path(__file__).with_name("child.py")
LIMIT = 60.0
"""Seconds for one file."""
AT_ONCE = 2


@dataclass(frozen=True)
class Extracted:
    """What was read of a file."""

    pages: int = 0
    text: str = ""
    problem: Problem = ""
    doubts: tuple[str, ...] = ()


class Extractor:
    """Reads files, a few at a time. `limit` is in seconds."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._room = asyncio.Semaphore(AT_ONCE)

    async def extract(self, kind: str, content: bytes) -> Extracted:
        """The text of a PDF or an image, by its media type; a problem in its place where there is none."""
        async with self._room:
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-I", str(CHILD), kind, stdin=-1, stdout=-1, stderr=asyncio.subprocess.DEVNULL, env={}
            )
            try:
                told, _ = await asyncio.wait_for(child.communicate(content), self._limit)
            except TimeoutError:
                log.warning("document_slow", kind=kind, size=len(content))
                return Extracted(problem="slow")
            finally:
                await _end(child)
        return _read(told, child.returncode)


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.returncode is None:
        child.kill()
        await child.wait()


def _read(told: bytes, code: int | None) -> Extracted:
    """A child that its limits ended has told nothing: what it could not read in time counts as slow."""
    if code != 0:
        log.warning("document_unread", code=code)
        return Extracted(problem="slow")
    found = json.loads(told)
    return Extracted(int(found["pages"]), str(found["text"]), found["problem"], tuple(found["doubts"]))
