"""What changed, in order: feeds the page's event stream and wakes those who wait."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sandbox.clock import new_id
from bot.sandbox.workspace import Json

CHANGES_KEPT = 2_000
RUN_ID_LENGTH = 6


@dataclass(frozen=True)
class Change:
    """One change as the page gets it; `number` counts from 1."""

    number: int
    data: Json


@dataclass
class Changes:
    """A bounded log of changes; its ids name this run, so that a page of an earlier run starts afresh. `keep` hears each first."""

    keep: Callable[[Json], None] | None = None
    run: str = field(default_factory=lambda: new_id("", RUN_ID_LENGTH).lower())
    _log: deque[Change] = field(default_factory=lambda: deque(maxlen=CHANGES_KEPT))
    _number: int = 0
    _next: asyncio.Event = field(default_factory=asyncio.Event)

    def publish(self, kind: str, **data: object) -> None:
        """Tell the page and everyone who waits."""
        if self.keep is not None:
            self.keep({"kind": kind, **data})
        self._number += 1
        self._log.append(Change(self._number, {"kind": kind, **data}))
        self.tick()

    def tick(self) -> None:
        """Wake those who wait, with nothing for the page."""
        waiting, self._next = self._next, asyncio.Event()
        waiting.set()

    def next(self) -> asyncio.Event:
        """Is set at the next change after this call."""
        return self._next

    @property
    def last(self) -> int:
        """The number of the newest change; 0 before the first."""
        return self._number

    def since(self, number: int) -> list[Change] | None:
        """The changes after `number`; None when some of them are forgotten, or it was never reached."""
        oldest = self._log[0].number if self._log else self._number + 1
        if number > self._number or number + 1 < oldest:
            return None
        return [change for change in self._log if change.number > number]
