"""What Slack's rate tiers leave: a little less than they allow, by method and workspace, and for posts by conversation too.

Questions are given their time in the order in which they ask. What is cosmetic is given none in advance: it goes when a good part of
the minute is free, so that no question ever waits for it. Times are in seconds of Slack's; `now` is passed in.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.slack.errors import Later

POST, UPDATE, DELETE = "chat.postMessage", "chat.update", "chat.delete"
HISTORY, REPLIES = "conversations.history", "conversations.replies"
WHISPER, FILES = "chat.postEphemeral", "files.getUploadURLExternal"
STATUS, PROMPTS = "assistant.threads.setStatus", "assistant.threads.setSuggestedPrompts"
A_MINUTE: Mapping[str, int] = {
    POST: 270,
    UPDATE: 45,
    DELETE: 45,
    HISTORY: 45,
    REPLIES: 45,
    WHISPER: 90,
    FILES: 90,
    STATUS: 540,
    PROMPTS: 90,
}
"""Nine tenths of what Slack takes in a minute; it may count a call sooner or later than it was sent."""
MINUTE = 61.0
COSMETIC = 0.75
"""The part of a minute that may be used up while something cosmetic still goes."""
BURST, EACH = 4, 1.1
"""Posts at once in one conversation, and seconds in which it earns one more."""
KEPT = 5000
"""Conversations, and promises, that are remembered."""


def part(most: int) -> int:
    """How many of so many calls may be cosmetic."""
    return max(1, int(most * COSMETIC))


@dataclass
class Window:
    """At most `most` calls in any `seconds`."""

    most: int
    seconds: float = MINUTE
    held: float = 0.0
    """No call before: Slack said so."""
    given: deque[float] = field(default_factory=deque)
    """When the last calls were, or will be."""

    def reserve(self, now: float) -> float:
        """Return the first time from `now` on that is free; it is taken."""
        oldest = self.given[0] + self.seconds if len(self.given) == self.most else now
        at = max(now, self.held, oldest)
        self._give(at)
        return at

    def spare(self, now: float) -> float:
        """When less than the cosmetic part would be taken, as it looks now; `now` if that is so already. Takes nothing."""
        few = part(self.most)
        return max(now, self.held, self.given[-few] + self.seconds if len(self.given) >= few else now)

    def hold(self, until: float) -> None:
        """Slack wants no call before `until`: what was promised is void, and after it calls go one by one for a while."""
        self.held = max(self.held, until)
        apart = self.seconds / self.most
        self.given = deque(self.held - self.seconds + apart * n for n in range(1, self.most + 1))

    def _give(self, at: float) -> None:
        if len(self.given) == self.most:
            self.given.popleft()
        self.given.append(at)


@dataclass
class Bucket:
    """So many at once, and one more every so many seconds."""

    burst: int = BURST
    each: float = EACH
    full_at: float = 0.0

    def reserve(self, now: float) -> float:
        """Return the first time from `now` on at which there is one; it is taken."""
        at = max(now, self.full_at - (self.burst - 1) * self.each)
        self.full_at = max(self.full_at, at) + self.each
        return at


class Budget:
    """Of one process. `pace`: how many times as fast as here Slack's minutes pass, for a local Slack; with 0 it counts nothing itself.

    `clock` gives seconds.
    """

    def __init__(self, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._counts, self._pace, self._clock = pace > 0, pace or 1.0, clock
        self._methods: dict[tuple[str, str], Window] = {}
        self._queues: dict[tuple[str, str], Window] = {}
        self._places: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._promised: OrderedDict[tuple[str, str, str], float] = OrderedDict()

    def spend(self, team: str, method: str, key: str, channel: str = "") -> None:
        """Take a call of this method, for the work that `key` names. Raises Later where it has to wait: then its time is promised to it."""
        if channel:
            self._take((team, key, channel), self._place(team, channel).reserve, 0.0)
        window = self._window(team, method)
        self._take((team, key, method), window.reserve, window.held)
        for name in (channel, method):
            self._promised.pop((team, key, name), None)

    def spend_spare(self, team: str, method: str, key: str = "") -> None:
        """Take a call for something cosmetic, if enough are left. Raises Later where they are not.

        Those with a `key` queue up, so that not all of them look again at the same time; that holds nothing back for them.
        """
        window, now = self._window(team, method), self._now()
        if key:
            self._take((team, key, method), self._queue(team, method).reserve, window.held)
        at = window.spare(now) if self._counts else max(now, window.held)
        if at > now:
            raise Later((at - now) / self._pace)
        window.reserve(now)
        self._promised.pop((team, key, method), None)

    def refused(self, team: str, method: str, seconds: float) -> Later:
        """Slack wants no call of this method in this workspace for so long. Gives what to raise."""
        self._window(team, method).hold(self._now() + seconds)
        return Later(seconds / self._pace)

    def _now(self) -> float:
        return self._clock() * self._pace

    def _take(self, name: tuple[str, str, str], reserve: Callable[[float], float], held: float) -> None:
        now = self._now()
        at = self._promised.get(name)
        if at is None or at < held:
            at = reserve(now) if self._counts else max(now, held)
            self._promise(name, at)
        if at > now:
            raise Later((at - now) / self._pace)

    def _promise(self, name: tuple[str, str, str], at: float) -> None:
        self._promised[name] = at
        if len(self._promised) > KEPT:
            self._promised.popitem(last=False)

    def _window(self, team: str, method: str) -> Window:
        return self._methods.setdefault((team, method), Window(A_MINUTE.get(method, KEPT)))

    def _queue(self, team: str, method: str) -> Window:
        return self._queues.setdefault((team, method), Window(part(self._window(team, method).most)))

    def _place(self, team: str, channel: str) -> Bucket:
        bucket = self._places.setdefault((team, channel), Bucket())
        self._places.move_to_end((team, channel))
        if len(self._places) > KEPT:
            self._places.popitem(last=False)
        return bucket
