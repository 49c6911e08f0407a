"""Slack's time, from what its answers say and a clock that runs steadily: no wall clock of ours tells what was on screen when."""

import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from math import inf
from typing import Any

DRIFT = 1e-4
"""Seconds in a second that two clocks may run apart."""


class SlackTime:
    """How far Slack's clock is ahead of ours, between two bounds that every answer narrows. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._least, self._most, self._known_at = -inf, inf, 0.0

    def heard(self, ts: str) -> None:
        """Take in when something happened at Slack that we have heard of by now."""
        self._narrow(self.clock(), float(ts), inf)

    def posted(self, sent: float, ts: str) -> None:
        """Take in when Slack posted what we sent: it says so exactly."""
        self._narrow(sent, float(ts), float(ts))

    def shown(self, sent: float, headers: Mapping[str, Any]) -> str:
        """Give the moments of Slack's between which it did what we sent, as `Posted` keeps them; empty where nothing tells."""
        first, last = _answered(headers)
        now = self._narrow(sent, first, last)
        latest = min(last, now + (self._most if self._most < inf else self._least))
        return "" if latest in (inf, -inf) else f"{max(sent + self._least, 0.0):.6f} {latest:.6f}"

    def _narrow(self, sent: float, first: float, last: float) -> float:
        """Something happened between `first` and `last` of Slack's time, between `sent` and now of ours. Gives now.

        Where that cannot be, one of the clocks was set, and what was known before counts no more.
        """
        now = self.clock()
        apart = DRIFT * (now - self._known_at)
        self._least, self._most = max(self._least - apart, first - now), min(self._most + apart, last - sent)
        if self._least > self._most:
            self._least, self._most = first - now, last - sent
        self._known_at = now
        return now


def _answered(headers: Mapping[str, Any]) -> tuple[float, float]:
    """The second in which Slack answered."""
    try:
        second = parsedate_to_datetime(str(headers.get("Date"))).timestamp()
    except ValueError:
        return -inf, inf
    return second, second + 1
