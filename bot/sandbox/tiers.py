"""Slack's rate limits: so many calls of a method a minute in a workspace, and about one post a second in a conversation."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping

from bot.sandbox.workspace import Json

T2, T3, T4 = 20, 50, 100
"""Calls a minute of Slack's tiers. Tier 1 has `apps.connections.open` alone, of which a restart may need several at once."""
POST = "chat.postMessage"
A_MINUTE: Mapping[str, int] = {
    POST: 300,
    "chat.update": T3, "chat.delete": T3, "chat.postEphemeral": T4,
    "chat.startStream": T2, "chat.appendStream": T4, "chat.stopStream": T2,
    "conversations.history": T3, "conversations.replies": T3, "conversations.info": T3, "conversations.open": T3,
    "conversations.members": T4, "reactions.add": T3,
    "views.open": T4, "views.push": T4, "views.update": T4, "views.publish": T4,
    "users.info": T4, "users.list": T2, "usergroups.users.list": T2, "team.info": T3,
    "files.getUploadURLExternal": T4, "files.completeUploadExternal": T4, "files.info": T4,
    "assistant.threads.setStatus": 600, "assistant.threads.setTitle": T4, "assistant.threads.setSuggestedPrompts": T4,
}  # fmt: skip
"""`chat.postMessage` ("several hundred") and the status have figures of their own. What stands nowhere here is not limited."""
MINUTE = 60.0
BURST, EACH = 5, 1.0
"""Posts at once in one conversation, and seconds in which it earns one more."""


class Tiers:
    """What was called lately. `clock` gives seconds; time passes `pace` times as fast as by the clock, and not at all with 0."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[str, deque[float]] = {}
        self._posts: dict[str, tuple[float, float]] = {}

    def wait(self, method: str, args: Json, pace: int) -> int:
        """Count a call that is granted, and give 0; else the seconds after which to come again, as in `Retry-After`."""
        if not pace or method not in A_MINUTE:
            return 0
        now, channel = self._clock() * pace, str(args.get("channel") or "")
        calls = self._calls.setdefault(method, deque(maxlen=A_MINUTE[method]))
        wait = self._until_next(calls, now)
        if method == POST:
            wait = max(wait, self._until_earned(channel, now))
        if wait > 0:
            return math.ceil(wait)
        calls.append(now)
        if method == POST:
            self._posts[channel] = (self._left(channel, now) - 1, now)
        return 0

    def _until_next(self, calls: deque[float], now: float) -> float:
        """Until the oldest of as many calls as a minute holds is a minute old."""
        return calls[0] + MINUTE - now if len(calls) == calls.maxlen else 0.0

    def _left(self, channel: str, now: float) -> float:
        left, since = self._posts.get(channel, (float(BURST), now))
        return min(BURST, left + (now - since) / EACH)

    def _until_earned(self, channel: str, now: float) -> float:
        return (1 - self._left(channel, now)) * EACH
