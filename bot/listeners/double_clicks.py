"""The second half of a double click is no act of its own: what the first one comes to stands where both were made."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from decimal import Decimal

WITHIN = Decimal("0.5")
"""Seconds, by Slack's clock."""
KEPT = 1000


class DoubleClicks:
    """Knows what was clicked last in this process, and when. One that reaches another process is judged by the draft as it then stands."""

    def __init__(self) -> None:
        self._last: OrderedDict[Hashable, tuple[Decimal, asyncio.Future[None]]] = OrderedDict()

    async def once(self, what: Hashable, at: str, act: Callable[[], Awaitable[None]]) -> None:
        """Act, unless `what` was clicked less than half a second before `at` (Slack's time) and that came through. Raises what acting raises."""
        moment = Decimal(at or 0)
        before, first = self._last.get(what, (Decimal(0), None))
        if first is not None and 0 < moment - before <= WITHIN:
            await asyncio.wait([first])
            if not first.cancelled() and first.exception() is None:
                return
        acting = asyncio.ensure_future(act())
        self._last[what] = moment, acting
        if len(self._last) > KEPT:
            self._last.popitem(last=False)
        await acting
