"""Performs what was written to the outbox: one small function per kind of row, and one table."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.facts import Facts
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.posts import Poster
from bot.metrics import PERFORMED
from state.stores.protocol import (
    InboxRow,
    Lease,
    OutboxRow,
    Posted,
    Store,
)


class Performer:
    """At-least-once by nature; each kind makes sure that a repetition does no harm."""

    def __init__(
        self,
        store: Store,
        poster: Poster,
        thinker: ModelCaller,
        facts: Facts,
        documents: Documents,
        operator: Operator,
        rights: Rights,
    ) -> None:
        self._store = store
        self._kinds: Mapping[str, Callable[[OutboxRow], Awaitable[Any]]] = {
            "post": poster.post,
            "repaint": poster.repaint,
            "attach": poster.attach,
            "whisper": poster.whisper,
            "model": thinker.think,
            "look_up": facts.look_up,
            "gather": facts.gather,
            "begin": facts.begin,
            "fetch": documents.fetch,
            "discard": documents.discard,
            "operate": operator.operate,
            "right": rights.serve,
        }

    async def perform(self, lease: Lease, row: OutboxRow) -> str:
        """Perform one row and mark it done; give the conversation that has an event waiting because of it, if any."""
        came = await self._kinds[row.kind](row)
        incoming = came if isinstance(came, InboxRow) else None
        posted = came if isinstance(came, Posted) else None
        await self._store.finish(lease, row.id, posted, incoming)
        PERFORMED.labels(row.kind).inc()
        return incoming.conversation if incoming else ""
