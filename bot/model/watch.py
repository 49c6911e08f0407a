"""Watches the attempts of one call from inside the SDK's retry loop: counts them, and stops those that cannot help."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anthropic

from bot.model.faults import fault_of_status, wait_asked
from bot.model.protocol import Away, Cause, ModelAway, ModelError

Next = Callable[[anthropic.APIRequest], Awaitable[anthropic.AsyncAPIResponse[Any]]]

_TOO_MANY = 429
_FIRST_ERROR = 400


class Watch:
    """Middleware of one call; `until` is the deadline on the event loop's clock, in seconds."""

    def __init__(self, until: float) -> None:
        self.attempts = 0
        self._until = until
        self._status: int | None = None
        self._request_id: str | None = None

    async def __call__(self, request: anthropic.APIRequest, call_next: Next) -> anthropic.AsyncAPIResponse[Any]:
        """One attempt; raises a `ModelAway` of ours where the SDK would wait in vain."""
        self.attempts += 1
        self._status = self._request_id = None
        response = await call_next(request)
        self._status, self._request_id = response.status_code, response.request_id
        if self._status == _TOO_MANY and (fault := await self._hopeless(response)):
            await response.close()
            raise fault
        return response

    def cause(self, kind: str) -> Cause:
        """What the log may say of a failure of this kind."""
        return Cause(kind, self._status, self._request_id, self.attempts)

    def late(self) -> ModelError:
        """The deadline passed: the failure that was being waited out if there was one, else a timeout."""
        if self._status and self._status >= _FIRST_ERROR:
            return fault_of_status(self._status, "", self.cause("deadline"))
        return ModelAway(Away.TIMEOUT, self.cause("deadline"))

    async def _hopeless(self, response: anthropic.AsyncAPIResponse[Any]) -> ModelError | None:
        """Why a 429 is not worth a retry: a spend limit (it names no wait), or a wait beyond the deadline."""
        wait, cause = wait_asked(response.headers), self.cause("RateLimitError")
        if wait is None:
            return ModelAway(Away.BUDGET, cause)
        fault = fault_of_status(_TOO_MANY, await response.text(), cause)
        is_about_money = isinstance(fault, ModelAway) and fault.reason is Away.BUDGET
        return fault if is_about_money or asyncio.get_running_loop().time() + wait > self._until else None
