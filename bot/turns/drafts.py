"""Drafts that this process has just written or read, decoded: a copy counts only at the revision that the database names."""

import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from state.draft.draft import Draft
from state.engine.codec import decode_draft
from state.stores.rows import Current, StoredDraft
from state.stores.store import Store

KEPT = 500
"""Drafts remembered."""
LIFE = 3600.0
"""Seconds that a draft is remembered which nobody writes on."""


@dataclass(frozen=True)
class Known:
    """A draft, and its row without the body."""

    stored: StoredDraft
    draft: Draft
    read_back: bool = False
    """True if another process wrote it: what became of its posts is known to the database alone."""


class Drafts:
    """What is remembered is a copy: whoever writes on a stale one is refused by the store."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._since: dict[str, float] = {}

    def at(self, current: Current) -> Known | None:
        """Return the draft at exactly this revision."""
        known = self._known.get(current.draft)
        return known if known and not current.erased and known.stored.revision == current.revision else None

    def conversation(self, name: str) -> str:
        """Where a draft is talked about, which never changes; empty where that is not remembered."""
        known = self._known.get(name)
        return known.stored.conversation if known else ""

    def put(self, stored: StoredDraft, draft: Draft) -> Known:
        """Remember a draft."""
        known = self._known[stored.id] = Known(replace(stored, body={}), draft)
        self._known.move_to_end(stored.id)
        self._since[stored.id] = time.monotonic()
        while len(self._known) > self._kept:
            self.drop(next(iter(self._known)))
        return known

    def tidy(self) -> None:
        """Forget what is old: nothing is kept longer in memory than it is wanted."""
        old = time.monotonic() - LIFE
        for name in [name for name, since in self._since.items() if since < old]:
            self.drop(name)

    def drop(self, name: str) -> None:
        """Forget a draft."""
        self._known.pop(name, None)
        self._since.pop(name, None)

    def forget(self, person: str) -> None:
        """Forget a person's drafts."""
        for name in [name for name, known in self._known.items() if known.stored.person == person]:
            self.drop(name)

    async def read(self, store: Store, current: Current) -> Known | None:
        """From memory, else from the store; None for one that was erased."""
        known = self.at(current)
        if known is not None:
            return known
        stored = await store.draft(current.draft, current)
        if stored is None or stored.erased:
            return None
        return replace(self.put(stored, decode_draft(stored.body)), read_back=True)
