"""What a refused call says."""

from collections.abc import Awaitable

import pytest
from slack_sdk.errors import SlackApiError


async def error_of(answer: Awaitable[object]) -> str:
    """The error of a refused call."""
    with pytest.raises(SlackApiError) as refused:
        await answer
    return str(refused.value.response["error"])
