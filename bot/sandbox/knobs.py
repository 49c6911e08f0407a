"""Faults on demand: what the next calls and deliveries suffer, and Slack's rate limits, so that a bot's reliability is tested, not assumed."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields

from bot.sandbox.workspace import ActError, Json


@dataclass
class Knobs:
    """All faults; per-method ones are keyed by the method's name, such as "chat.postMessage".

    rate_limit                 how many of the next calls get HTTP 429 with `Retry-After: retry_after` (seconds)
    fail                       for the next calls in turn: an HTTP status (int) or an error of Slack's (str)
    outage                     for every call, as long as it lasts: an HTTP status (int), an error of Slack's, "page" or "plain" (an
                               answer that is no JSON), "cut" (no answer, and nothing is carried out); "*" is every method
    timeout_after_delivery     how many of the next calls are carried out and never answered
    disconnect_after_delivery  how many of the next calls are carried out and lose their connection
    delay                      seconds that every call takes longer on its way to Slack
    delay_answers              seconds that every answer takes longer on its way back
    delay_events               seconds that everything takes longer on its way to the app, by "events_api", "interactive", "slash_commands"
    redeliver                  how many more times every event is delivered
    drop_acks                  how many of the next acks are lost on their way
    duplicate_clicks           how many more times every click arrives, as from a nervous finger
    tiers                      Slack's rate limits: 1 as they are, 30 with minutes of two seconds, 0 without any
    """

    rate_limit: dict[str, int] = field(default_factory=dict)
    fail: dict[str, list[int | str]] = field(default_factory=dict)
    outage: dict[str, int | str] = field(default_factory=dict)
    timeout_after_delivery: dict[str, int] = field(default_factory=dict)
    disconnect_after_delivery: dict[str, int] = field(default_factory=dict)
    delay: dict[str, float] = field(default_factory=dict)
    delay_answers: dict[str, float] = field(default_factory=dict)
    delay_events: dict[str, float] = field(default_factory=dict)
    redeliver: int = 0
    drop_acks: int = 0
    duplicate_clicks: int = 0
    retry_after: int = 1
    tiers: int = 1

    def turn(self, given: Json) -> None:
        """Set the knobs named in `given` and leave the others.

        Raises ActError for a knob that does not exist or a value of another kind.
        """
        for name, value in given.items():
            _check(name, value)
        for name, value in given.items():
            setattr(self, name, value)

    def as_json(self) -> Json:
        """Return the knobs as they stand."""
        return asdict(self)

    def rate_limited(self, method: str) -> bool:
        """Take one from the calls that are still to be rate limited."""
        return _take(self.rate_limit, method)

    def failure(self, method: str) -> int | str | None:
        """Return the next failure in store for a method, else the outage that stands."""
        store = self.fail.get(method)
        return store.pop(0) if store else self.outage.get(method, self.outage.get("*"))

    def unanswered(self, method: str) -> bool:
        """Take one from the calls that get no answer."""
        return _take(self.timeout_after_delivery, method)

    def cut_off(self, method: str) -> bool:
        """Take one from the calls whose connection breaks before the answer."""
        return _take(self.disconnect_after_delivery, method)

    def ack_dropped(self) -> bool:
        """Take one from the acks that are lost."""
        lost = self.drop_acks > 0
        self.drop_acks -= lost
        return lost


def _take(counters: dict[str, int], method: str) -> bool:
    left = counters.get(method, 0)
    if left > 0:
        counters[method] = left - 1
    return left > 0


PER_METHOD: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("rate_limit", "timeout_after_delivery", "disconnect_after_delivery"), (int,)),
    **dict.fromkeys(("delay", "delay_answers", "delay_events"), (int, float)),
    **dict.fromkeys(("fail", "outage"), (int, str)),
}
"""The knobs with an entry for each method, and what an entry may be; `fail` has a list of them."""


def _check(name: str, value: object) -> None:
    if name not in {knob.name for knob in fields(Knobs)}:
        raise ActError(f"There is no knob called {name}.")
    if name not in PER_METHOD:
        if not _is_one_of((int,), value):
            raise ActError(f"{name} takes a whole number.")
        return
    entries = list(value.values()) if isinstance(value, dict) else [None]
    if name == "fail":
        entries = [one for each in entries for one in (each if isinstance(each, list) else [None])]
    if not all(_is_one_of(PER_METHOD[name], one) for one in entries):
        raise ActError(f"{name} takes an object with one entry per method.")


def _is_one_of(kinds: tuple[type, ...], value: object) -> bool:
    negative = isinstance(value, int | float) and value < 0
    return isinstance(value, kinds) and not isinstance(value, bool) and not negative


T2, T3, T4 = 20, 50, 100
"""Calls a minute of Slack's tiers. Tier 1 has `apps.connections.open` alone, of which a restart may need several at once."""
POST = "chat.postMessage"
A_MINUTE: Mapping[str, int] = {
    POST: 300,
    "chat.update": T3, "chat.delete": T3, "chat.postEphemeral": T4,
    "conversations.history": T3, "conversations.replies": T3, "conversations.open": T3,
    "views.open": T4, "views.push": T4, "views.update": T4, "views.publish": T4,
    "users.info": T4, "users.list": T2, "usergroups.users.list": T2,
    "files.getUploadURLExternal": T4, "files.completeUploadExternal": T4, "files.info": T4,
    "assistant.threads.setStatus": 600, "assistant.threads.setSuggestedPrompts": T4,
}  # fmt: skip
"""`chat.postMessage` ("several hundred") and the status have figures of their own. What stands nowhere here is not limited."""
MINUTE = 60.0
BURST, EACH = 5, 1.0
"""Posts at once in one conversation, and seconds in which it earns one more."""


class Tiers:
    """The latest calls of each method. `clock` gives seconds; time passes `pace` times as fast as by the clock, and not at all with 0."""

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
        wait = calls[0] + MINUTE - now if len(calls) == calls.maxlen else 0.0
        if method == POST:
            wait = max(wait, (1 - self._left(channel, now)) * EACH)
        if wait > 0:
            return math.ceil(wait)
        calls.append(now)
        if method == POST:
            self._posts[channel] = (self._left(channel, now) - 1, now)
        return 0

    def _left(self, channel: str, now: float) -> float:
        left, since = self._posts.get(channel, (float(BURST), now))
        return min(BURST, left + (now - since) / EACH)
