"""Slack's availability and its Web API client, for one workspace: while it takes nothing, all that waits waits as one, and one asks."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
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


class Reach:
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
        """How long to wait before the next call."""
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
        await self._ask()
        if self.seconds > 0:
            raise Later(self.seconds)
        self._until, self._trying = self._clock() + TRIAL / self._pace, True

    async def probe(self) -> None:
        """Ask whether an outage is over where nobody has anything to send: the next who has goes first all the same."""
        if self.holding and self.seconds <= 0 and not (self._asking or self._trying):
            await self._ask()
            if self.seconds <= 0:
                self.answered("", self.ok_at or datetime.now(UTC))

    async def check(self) -> None:
        """Ask whether the token still works. Its outcome is noted like any call's."""
        await self._ask()

    async def _ask(self) -> None:
        """auth.test, whose outcome the client tells like any other's: it is safe to repeat, as a post is not."""
        self._asking = True
        try:
            if self.ask is not None:
                async with asyncio.timeout(PATIENCE):
                    await self.ask()
        except Exception as problem:
            self._refused(problem)
        finally:
            self._asking = False

    def _refused(self, problem: Exception) -> None:
        """Whatever auth.test says but yes, nothing is sent yet."""
        if self.seconds <= 0:
            code = self.reason or type(problem).__name__
            self.failed(Fault(Scope.OUTAGE, code, method=ASKED), self.since or datetime.now(UTC))


class SlackClient(AsyncWebClient):
    """Slack's own client, which tells `reach` what became of every call, and has one kind of error for every answer that is none."""

    def __init__(self, *args: Any, reach: Reach | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.reach = reach or Reach()

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
