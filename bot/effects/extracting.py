"""The text of a file, read by a program apart: one that hangs is ended, one that breaks breaks alone."""

import asyncio
import base64
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from state.draft.documents import Problem
from state.stores.protocol import StoredDocument

PDF = "application/pdf"
READ_BY_MODELS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_HEAD = 1024
"""PDF's mark may stand behind other bytes, up to here (ISO 32000, implementation notes)."""
_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_HEIC = frozenset({b"heic", b"heix", b"mif1", b"msf1", b"hevc"})


def kind_of_file(content: bytes) -> str:
    """The media type of a PDF or an image; empty for anything else."""
    if b"%PDF-" in content[:_HEAD]:
        return PDF
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC:
        return "image/heic"
    return next((kind for start, kind in _STARTS if content.startswith(start)), "")


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


MOST_PDF, MOST_IMAGE = 4 * 1024 * 1024, 3_700_000
"""Bytes. The Messages API takes 5 MB of base64 for a picture, 32 MB and 100 pages for a PDF; a page costs thousands of tokens."""
MOST_PAGES = 10


def content_block(document: StoredDocument, pages: int) -> dict[str, Any] | None:
    """The file itself; None where the model would not take it, or it costs more than it tells: its text is told anyway."""
    if document.type == PDF and len(document.content) <= MOST_PDF and pages <= MOST_PAGES:
        return {"type": "document", "source": _source(document)}
    if document.type in READ_BY_MODELS and len(document.content) <= MOST_IMAGE:
        return {"type": "image", "source": _source(document)}
    return None


def _source(document: StoredDocument) -> dict[str, str]:
    data = base64.b64encode(document.content).decode()
    return {"type": "base64", "media_type": document.type, "data": data}
