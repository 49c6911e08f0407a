"""Performs what was written to the outbox: one small function per kind of row, and one table."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.facts import Facts
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.posts import Poster
from bot.delivery.prompts import Prompts
from bot.metrics import PERFORMED
from state.stores.protocol import Done, InboxRow, OutboxRow, Posted


class Performer:
    """At-least-once by nature; each kind makes sure that a repetition does no harm."""

    def __init__(
        self,
        poster: Poster,
        thinker: ModelCaller,
        facts: Facts,
        documents: Documents,
        operator: Operator,
        rights: Rights,
        prompts: Prompts,
    ) -> None:
        self._poster = poster
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
            "prompts": prompts.serve,
        }

    async def perform(self, row: OutboxRow) -> Done:
        """Perform one row and say what came of it; the engine marks it done."""
        came = await self._kinds[row.kind](row)
        PERFORMED.labels(row.kind).inc()
        return Done(row.id, came if isinstance(came, Posted) else None, came if isinstance(came, InboxRow) else None)

    def forget(self) -> None:
        """Remember nothing of where posts stand."""
        self._poster.forget()
