"""How much is done at once, for each kind of work by itself: calls that hang hold up neither clicks nor posts."""

from collections import OrderedDict
from collections.abc import Mapping

from bot.effects.outbox import COSMETIC, TURNS, kind_of

LIMITS: Mapping[str, int] = {
    TURNS: 32, "slack": 64, COSMETIC: 16, "model": 256, "facts": 16, "operate": 16, "documents": 4, "rights": 4, "prompts": 8,
    "sink": 16,
}  # fmt: skip
"""Lanes worked on at the same time by one process. A model call costs nothing but a connection while it is waited for."""


class Pools:
    """Counts what runs, and queues what has to wait. `room` may be asked from any thread."""

    def __init__(self, limits: Mapping[str, int] = LIMITS) -> None:
        self._limits = limits
        self._running: dict[str, int] = dict.fromkeys(limits, 0)
        self._waiting: dict[str, OrderedDict[str, None]] = {kind: OrderedDict() for kind in limits}

    def room(self, lane: str) -> bool:
        """Whether work in this lane could begin now."""
        kind = kind_of(lane)
        return self._running[kind] < self._limits[kind]

    def enter(self, lane: str) -> None:
        """Count one more."""
        self._running[kind_of(lane)] += 1
        self._waiting[kind_of(lane)].pop(lane, None)

    def wait(self, lane: str) -> None:
        """Queue up."""
        self._waiting[kind_of(lane)][lane] = None

    def leave(self, lane: str) -> str | None:
        """Count one less; gives the lane that has waited longest for this room."""
        kind = kind_of(lane)
        self._running[kind] -= 1
        return self._waiting[kind].popitem(last=False)[0] if self._waiting[kind] and self.room(lane) else None
