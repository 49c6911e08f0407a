"""What the sandbox's tests hand each other."""

from collections.abc import Awaitable, Callable

import pytest
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.sandbox.workspace import Json

Connect = Callable[[AsyncApp], Awaitable[AsyncSocketModeHandler]]


IMPATIENT = pytest.mark.parametrize("sandbox", [0.2], indirect=True)


class Seen(list[Json]):
    """What a listener got, in order."""
