"""Slack's availability, what its rate tiers leave, and its Web API client, for one workspace.

While Slack takes nothing, all that waits waits as one, and one asks. Of each method a little less is used than the rate allows, and for
posts by conversation too. Questions are given their time in the order in which they ask. What is cosmetic is given none in advance: it
goes when a good part of the minute is free, so that no question ever waits for it. Times are in seconds of Slack's; `now` is passed in.
"""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.operations.metrics import SLACK_CALLS
from bot.slack.errors import Fault, Later, Scope, fault_of

FIRST, LONGEST = 0.5, 60.0
"""Seconds until Slack is asked again: twice as many each time, up to a minute, for as long as it lasts."""
TRIAL = 2.0
"""Seconds that the others wait while the first post after an outage shows whether it is over."""
PATIENCE = 10.0
"""Seconds for an answer to auth.test."""
ENOUGH = 3
"""Calls of other methods after which a failure is over that nobody has tried again."""
COURTESIES = ("assistant.", "users.", "views.")
"""Methods that nothing waits for: where they alone fail, the rest goes on."""
HOLDS = (Scope.OUTAGE, Scope.WORKSPACE)
ASKED = "auth.test"


class SlackAvailability:
    """Told of every call's outcome. `ask` calls auth.test; `pace`: how many times as fast as at Slack its minutes pass."""

    def __init__(self, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace, self._clock = pace or 1.0, clock
        self.ask: Callable[[], Awaitable[object]] | None = None
        self.team = ""
        self.reason = ""
        """Why nothing is sent; empty while it is."""
        self.ok_at: datetime | None = None
        self.since: datetime | None = None
        self.done: Counter[str] = Counter()
        """How many calls of each method Slack did."""
        self._level, self._until = 0, 0.0
        self._method, self._others = "", 0
        self._trying = self._asking = False

    @property
    def holding(self) -> bool:
        """True if everything waits."""
        return self._level > 0

    @property
    def seconds(self) -> float:
        """Seconds to wait before the next call."""
        return max(0.0, self._until - self._clock())

    def answered(self, method: str, at: datetime) -> None:
        """Slack did what it was asked. What another method than the one that failed could do shows only little."""
        self.ok_at = at
        self.done[method] += 1
        if method == ASKED or not self._level:
            return
        self._trying, self._others = False, self._others + 1
        self._until = min(self._until, self._clock())
        if self._method in (method, "") or self._others >= ENOUGH:
            self._level, self.reason, self.since, self._method = 0, "", None, ""

    def failed(self, fault: Fault, at: datetime) -> None:
        """A call failed. What fails while everything waits already makes nobody wait longer."""
        courtesy = fault.method.startswith(COURTESIES) and fault.scope is Scope.OUTAGE
        if courtesy or fault.scope not in HOLDS or not (self._trying or self.seconds <= 0):
            return
        self._trying, self._others = False, 0
        self._method = self._method if fault.method == ASKED else fault.method
        self._level += 1
        self._until = self._clock() + min(LONGEST, FIRST * 2 ** min(self._level - 1, 16)) / self._pace
        self.reason, self.since = fault.code, self.since or at

    def hold(self, seconds: float) -> None:
        """Whoever refused wants to be left alone for so long."""
        self._until = max(self._until, self._clock() + seconds / self._pace)

    async def clear(self) -> None:
        """Return when a call may be made. Raises Later while Slack is not to be asked; one caller asks for all."""
        if not self.holding:
            return
        if self.seconds > 0 or self._asking:
            raise Later(self.seconds or TRIAL / self._pace)
        await self.check()
        if self.seconds > 0:
            raise Later(self.seconds)
        self._until, self._trying = self._clock() + TRIAL / self._pace, True

    async def probe(self) -> None:
        """Ask whether an outage is over where nobody has anything to send: the next who has goes first all the same."""
        if self.holding and self.seconds <= 0 and not (self._asking or self._trying):
            await self.check()
            if self.seconds <= 0:
                self.answered("", self.ok_at or datetime.now(UTC))

    async def check(self) -> None:
        """Ask whether the token still works, by auth.test: its outcome is noted like any call's, and it is safe to repeat, as a post is not."""
        self._asking = True
        try:
            if self.ask is not None:
                async with asyncio.timeout(PATIENCE):
                    await self.ask()
        except Exception as problem:  # whatever it says but yes, nothing is sent yet
            if self.seconds <= 0:
                code = self.reason or type(problem).__name__
                self.failed(Fault(Scope.OUTAGE, code, method=ASKED), self.since or datetime.now(UTC))
        finally:
            self._asking = False


class SlackClient(AsyncWebClient):
    """Slack's own client, which tells `reach` what became of every call, and has one kind of error for every answer that is none."""

    def __init__(self, *args: Any, reach: SlackAvailability | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.reach = reach or SlackAvailability()

    async def api_call(self, api_method: str, **named: Any) -> AsyncSlackResponse:
        """As the SDK's. Raises SlackApiError, aiohttp.ClientError, TimeoutError."""
        try:
            answer = await super().api_call(api_method, **named)
        except AttributeError:  # the SDK's own, over a body that is plain text
            problem = SlackApiError(f"{api_method} was answered by no JSON.", {})  # type: ignore[no-untyped-call]  # the SDK's
            self._failed(api_method, problem)
            raise problem from None
        except Exception as problem:
            self._failed(api_method, problem)
            raise
        SLACK_CALLS.labels("done").inc()
        self.reach.answered(api_method, datetime.now(UTC))
        return answer

    def _failed(self, api_method: str, problem: Exception) -> None:
        problem.add_note(api_method)
        fault: Fault | None = fault_of(problem)
        if fault is not None:
            SLACK_CALLS.labels(fault.scope.value).inc()
            self.reach.failed(fault, datetime.now(UTC))


ClientFor = Callable[[str], Awaitable[SlackClient]]


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
    """Return how many of so many calls may be cosmetic."""
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
        if len(self.given) == self.most:
            self.given.popleft()
        self.given.append(at)
        return at

    def spare(self, now: float) -> float:
        """Return when less than the cosmetic part would be taken, as it looks now; `now` if that is so already. Take nothing."""
        few = part(self.most)
        return max(now, self.held, self.given[-few] + self.seconds if len(self.given) >= few else now)

    def hold(self, until: float) -> None:
        """Slack wants no call before `until`: what was promised is void, and after it calls go one by one for a while."""
        self.held = max(self.held, until)
        apart = self.seconds / self.most
        self.given = deque(self.held - self.seconds + apart * n for n in range(1, self.most + 1))


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
        self._counts, self.pace, self._clock = pace > 0, pace or 1.0, clock
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
            queue = self._queues.setdefault((team, method), Window(part(window.most)))
            self._take((team, key, method), queue.reserve, window.held)
        at = window.spare(now) if self._counts else max(now, window.held)
        if at > now:
            raise Later((at - now) / self.pace)
        window.reserve(now)
        self._promised.pop((team, key, method), None)

    def refused(self, team: str, method: str, seconds: float) -> Later:
        """Slack wants no call of this method in this workspace for so long. Gives what to raise."""
        self._window(team, method).hold(self._now() + seconds)
        return Later(seconds / self.pace)

    def _now(self) -> float:
        return self._clock() * self.pace

    def _take(self, name: tuple[str, str, str], reserve: Callable[[float], float], held: float) -> None:
        now = self._now()
        at = self._promised.get(name)
        if at is None or at < held:
            at = reserve(now) if self._counts else max(now, held)
            self._promised[name] = at
            if len(self._promised) > KEPT:
                self._promised.popitem(last=False)
        if at > now:
            raise Later((at - now) / self.pace)

    def _window(self, team: str, method: str) -> Window:
        return self._methods.setdefault((team, method), Window(A_MINUTE.get(method, KEPT)))

    def _place(self, team: str, channel: str) -> Bucket:
        bucket = self._places.setdefault((team, channel), Bucket())
        self._places.move_to_end((team, channel))
        if len(self._places) > KEPT:
            self._places.popitem(last=False)
        return bucket
