"""Fetch the files of a message, tell their kind by their content, read them in a program apart, store them; what was read comes back as one event."""

import asyncio
import base64
import hashlib
import json
import sys
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from bot.effects.performer import draft_of, incoming
from bot.slack.downloads import Fetched, Fetcher, TryAgain
from bot.slack.people import ThreadStatus
from state.draft.documents import Document, Problem, Sent
from state.draft.draft import Draft
from state.engine.codec import decode_effect
from state.engine.effects import Discard, Fetch
from state.engine.events import DocumentsReceived
from state.extras import lacking
from state.stores.rows import InboxRow, OutboxRow, StoredDocument
from state.stores.store import Store

log = structlog.get_logger("holdfast.documents")

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
    """Return the media type of a PDF or an image; empty for anything else."""
    if b"%PDF-" in content[:_HEAD]:
        return PDF
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC:
        return "image/heic"
    return next((kind for start, kind in _STARTS if content.startswith(start)), "")


CHILD = Path(__file__).with_name("child.py")
LIMIT = 60.0
"""Seconds for one file."""
AT_ONCE = 2


@dataclass(frozen=True)
class Extracted:
    """The text that was read of a file."""

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
        """Return the text of a PDF or an image, by its media type; a problem in its place where there is none."""
        if kind == PDF and (missing := lacking("pdf", "Reading a PDF")):
            log.warning("document_unread", why=missing)
            return Extracted(problem="no_reader")
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
                if child.returncode is None:
                    child.kill()
                    await child.wait()
        if child.returncode != 0:  # its limits ended it, and it has told nothing
            log.warning("document_unread", code=child.returncode)
            return Extracted(problem="slow")
        found = json.loads(told)
        return Extracted(int(found["pages"]), str(found["text"]), found["problem"], tuple(found["doubts"]))


MOST_PDF, MOST_IMAGE = 4 * 1024 * 1024, 3_700_000
"""Bytes. The Messages API takes 5 MB of base64 for a picture, 32 MB and 100 pages for a PDF; a page costs thousands of tokens."""
MOST_PAGES = 10


def content_block(document: StoredDocument, pages: int) -> dict[str, Any] | None:
    """Return the file itself; None where the model would not take it, or it costs more than it tells: its text is told anyway."""
    if document.type == PDF and len(document.content) <= MOST_PDF and pages <= MOST_PAGES:
        return {"type": "document", "source": _source(document)}
    if document.type in READ_BY_MODELS and len(document.content) <= MOST_IMAGE:
        return {"type": "image", "source": _source(document)}
    return None


def _source(document: StoredDocument) -> dict[str, str]:
    data = base64.b64encode(document.content).decode()
    return {"type": "base64", "media_type": document.type, "data": data}


TEXT = 8000
"""Characters of a document that the draft keeps, for the model to read and for quotes to be found in."""
PATIENCE = 3
"""Tries after which the person is told that the file did not come."""


class Documents:
    """Stores what was fetched before the event that speaks of it: a repetition stores nothing twice."""

    def __init__(self, store: Store, fetcher: Fetcher, extractor: Extractor, status: ThreadStatus) -> None:
        self._store, self._fetcher, self._extractor, self._status = store, fetcher, extractor, status

    async def fetch(self, row: OutboxRow) -> InboxRow | None:
        """Fetch a message's files."""
        draft, effect = await draft_of(self._store, row), decode_effect(row.body["effect"])
        if draft is None or not isinstance(effect, Fetch):
            return None
        await self._status.show(draft.conversation, effect.message, draft)
        found = [await self._one(row, draft, effect, n, sent) for n, sent in enumerate(effect.files)]
        await self._status.show(draft.conversation, effect.message, None)
        event = DocumentsReceived(
            f"{row.key}/received", (await self._store.now()).isoformat(), "documents", tuple(found), effect.turn,
            effect.asked, effect.message, effect.words,
        )  # fmt: skip
        return incoming(row, draft, event)

    async def whole(self, row: OutboxRow) -> OutboxRow | None:
        """Return the row with the content of the stored file that it names; None where its time is over, or its person was erased."""
        stored = await self._store.document(str(row.body["document"]))
        if stored is None:
            return None
        return replace(row, body={**row.body, "data": base64.b64encode(stored.content).decode(), "text": ""})

    async def discard(self, row: OutboxRow) -> None:
        """Destroy what no field took."""
        effect = decode_effect(row.body["effect"])
        if isinstance(effect, Discard):
            await self._store.discard(effect.documents)

    async def _one(self, row: OutboxRow, draft: Draft, effect: Fetch, n: int, sent: Sent) -> Document:
        fetched = await self._fetched(draft.tenant, sent, last=row.attempts + 1 >= PATIENCE)
        kind = kind_of_file(fetched.content)
        problem: Problem = fetched.problem or ("" if kind else "type")
        if problem:
            return Document("", sent.name, problem=problem, message=effect.message)
        read = await self._extractor.extract(kind, fetched.content)
        document = _document(row, n, sent, kind, read, effect)
        digest = hashlib.blake2s(fetched.content, digest_size=16).hexdigest()
        await self._keep(row, draft, effect, document, fetched.content)
        return replace(document, digest=digest)

    async def _fetched(self, team: str, sent: Sent, *, last: bool) -> Fetched:
        try:
            return await self._fetcher.fetch(team, sent)
        except TryAgain:
            if last:
                return Fetched(problem="away")
            raise

    async def _keep(self, row: OutboxRow, draft: Draft, effect: Fetch, document: Document, content: bytes) -> None:
        until = await self._store.now() + timedelta(days=effect.days)
        digest = hashlib.sha256(content).hexdigest()
        await self._store.keep(
            StoredDocument(
                document.id, draft.id, row.person, draft.tenant, document.name, document.type, digest, content, until
            )
        )


def _document(row: OutboxRow, n: int, sent: Sent, kind: str, read: Extracted, effect: Fetch) -> Document:
    name = hashlib.blake2s(f"{row.key}/{n}".encode(), digest_size=8).hexdigest()
    doubts = {*read.doubts, *(("cut",) if len(read.text) > TEXT else ())}
    text = read.text[:TEXT]
    return Document(name, sent.name, kind, read.pages, text, read.problem, effect.message, tuple(sorted(doubts)))
