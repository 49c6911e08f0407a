"""Timers that have come due: each becomes one event of its request, once, since its row's key is the event's."""

from collections.abc import Mapping

from bot.delivery.drafts import draft_of
from state.engine.codec import decode_effect, encode
from state.engine.effects import Remind
from state.engine.events import TimerFired
from state.stores.rows import InboxRow, OutboxRow
from state.stores.store import Store
from state.workflow.load import Workflow


class Timers:
    """Whether what was waited for still counts is judged by the request, not here."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows

    async def fire(self, row: OutboxRow) -> InboxRow | None:
        """The event; nothing where the request was erased. Raises NotInstalled: it waits for its form."""
        draft, effect = await draft_of(self._store, row), decode_effect(row.body["effect"])
        if draft is None or not isinstance(effect, Remind):
            return None
        _ = self._workflows[draft.form]
        now = (await self._store.now()).isoformat()
        event = TimerFired(f"{row.key}/fired", now, "timer", effect.what, effect.state, effect.mark, effect.at)
        return InboxRow(event.id, draft.conversation, row.person, {"event": encode(event), "draft": draft.id})
