"""Ending tasks for good: a library may swallow one cancellation, so it is asked again until it is heard."""

import asyncio
from typing import Any

AGAIN = 1.0
"""Seconds after which a task that still runs is cancelled once more."""


async def cancelled(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until every one has ended; what they raise is theirs."""
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN)
