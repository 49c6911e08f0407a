"""Slack's Web API client of a team: who needs one is given a way to it, and knows nothing of tokens."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.operations.metrics import SLACK_CALLS
from bot.slack.availability import Reach
from bot.slack.errors import Fault, fault_of


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
