"""Files of a message: fetched, told by their content, read and stored, one by one; what became of them comes back as one event."""

import base64
import hashlib
from dataclasses import replace
from datetime import timedelta

from bot.delivery.drafts import draft_of
from bot.delivery.model_calls import Status
from bot.documents.extracting import Extracted, Extractor
from bot.documents.fetching import Fetched, Fetcher, TryAgain
from bot.documents.kinds import kind_of_file
from state.draft.documents import UNOPENED, UNREAD, Document, Problem, Sent
from state.draft.draft import Draft
from state.engine.codec import decode_effect, encode
from state.engine.effects import Discard, Fetch
from state.engine.events import DocumentsReceived
from state.stores.rows import InboxRow, OutboxRow, StoredDocument
from state.stores.store import Store

TEXT = 8000
"""Characters of a document that the draft keeps, for the model to read and for quotes to be found in."""
PATIENCE = 3
"""Tries after which the person is told that the file did not come."""


class Documents:
    """Stores what was fetched before the event that speaks of it: a repetition stores nothing twice."""

    def __init__(self, store: Store, fetcher: Fetcher, extractor: Extractor, status: Status) -> None:
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
        body = {"event": encode(event), "draft": draft.id}
        return InboxRow(event.id, draft.conversation, row.person, body)

    async def whole(self, row: OutboxRow) -> OutboxRow | None:
        """The row with the content of the stored file that it names; None where its time is over, or its person was erased."""
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
        if document.problem in UNREAD or (draft.reports and document.problem in UNOPENED):
            await self._keep(row, draft, effect, document, fetched.content)
        return document

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
