"""Performs what was written to the outbox: one small function per kind of row, and one table."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.metrics import PERFORMED
from bot.performing.documents import Documents
from bot.performing.facts import Facts
from bot.performing.operating import Operator
from bot.performing.posting import Poster
from bot.performing.thinking import Thinker
from bot.rights.serving import Rights
from state.stores.protocol import Incoming, Lease, Outgoing, Posted, Store


class Performer:
    """At-least-once by nature; each kind makes sure that a repetition does no harm."""

    def __init__(
        self,
        store: Store,
        poster: Poster,
        thinker: Thinker,
        facts: Facts,
        documents: Documents,
        operator: Operator,
        rights: Rights,
    ) -> None:
        self._store = store
        self._kinds: Mapping[str, Callable[[Outgoing], Awaitable[Any]]] = {
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

    async def perform(self, lease: Lease, row: Outgoing) -> str:
        """Perform one row and mark it done; give the conversation that has an event waiting because of it, if any."""
        came = await self._kinds[row.kind](row)
        incoming = came if isinstance(came, Incoming) else None
        posted = came if isinstance(came, Posted) else None
        await self._store.finish(lease, row.id, posted, incoming)
        PERFORMED.labels(row.kind).inc()
        return incoming.conversation if incoming else ""
