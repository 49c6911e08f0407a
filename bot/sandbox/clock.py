"""Time and ids as Slack hands them out: increasing message timestamps and ids that never come twice."""

import secrets
import string
from collections.abc import Callable

ID_ALPHABET = string.ascii_uppercase + string.digits
ID_LENGTH = 10
MICROSECONDS = 1_000_000


class Clock:
    """The workspace's time in epoch seconds; every `ts` is later than the one before.

    It goes by `now`, and is ahead of it by as long as people have looked at their screens without anybody waiting for them.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.waited = now
        """The same clock as those see it who wait: what lives for some seconds dies by it."""
        self._ahead = 0.0
        self._last = 0

    def now(self) -> float:
        """Epoch seconds."""
        return self.waited() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let time pass for Slack and its people, and for nobody else."""
        self._ahead += seconds

    def seconds(self) -> int:
        """Epoch seconds, whole, as in `event_time`."""
        return int(self.now())

    def ts(self) -> str:
        """Return the next message timestamp, "1700000000.000100"; unique and increasing in the workspace."""
        self._last = max(int(self.now() * MICROSECONDS), self._last + 1)
        return f"{self._last // MICROSECONDS}.{self._last % MICROSECONDS:06d}"

    def after(self, ts: str) -> None:
        """Hand out no timestamp up to this one: it is taken by a message of an earlier run."""
        seconds, _, fraction = ts.partition(".")
        self._last = max(self._last, int(seconds) * MICROSECONDS + int(fraction))
        self._ahead = max(self._ahead, self._last / MICROSECONDS - self.waited())


def new_id(prefix: str, length: int = ID_LENGTH) -> str:
    """Return an id such as "Ev0A1B2C3D4E"; random, so that a restarted sandbox never repeats one."""
    return prefix + "".join(secrets.choice(ID_ALPHABET) for _ in range(length))
