"""What a Web API method is."""

import base64
import binascii
from collections.abc import Callable
from typing import TypeVar

from bot.sandbox.errors import SlackError
from bot.sandbox.params import Params
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json

Method = Callable[[Slack, Params], Json]


PAGE = 100
LONGEST_PAGE = 1_000
One = TypeVar("One")


def page(found: list[One], params: Params) -> tuple[list[One], str]:
    """One page by `limit` and `cursor`, and the cursor of the next page ("" on the last).

    Raises SlackError invalid_cursor or invalid_limit.
    """
    limit = params.number("limit", PAGE)
    if not 0 <= limit <= LONGEST_PAGE:
        raise SlackError("invalid_limit")
    start = _start(params.text("cursor"))
    end = start + (limit or PAGE)
    return found[start:end], base64.urlsafe_b64encode(f"next:{end}".encode()).decode() if end < len(found) else ""


def _start(cursor: str | None) -> int:
    if not cursor:
        return 0
    try:
        kind, _, start = base64.urlsafe_b64decode(cursor).decode().partition(":")
        return int(start) if kind == "next" else int("")
    except (ValueError, binascii.Error):
        raise SlackError("invalid_cursor") from None
