"""Ways back to clicked messages: Slack's `response_url` replaces the message that was clicked, and no rate tier counts it."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

log = structlog.get_logger("holdfast.posting")

USES, LIFE = 5, timedelta(minutes=29)
"""Slack takes five answers in thirty minutes; a minute is left for the way."""
QUICK = 3.0
"""Seconds: somebody waits, and there is another way."""
OK = 200
KEPT = 5000
"""Clicked messages that are remembered."""
Message = tuple[str, str]
"""Channel and timestamp."""


@dataclass
class _Way:
    url: str
    until: datetime
    left: int = USES


class Replies:
    """Kept in memory alone: after a restart, and wherever Slack refuses one, a message is changed as any other."""

    def __init__(self) -> None:
        self._ways: OrderedDict[Message, _Way] = OrderedDict()

    def came(self, message: Message, url: str, at: datetime) -> None:
        """A click on this message, at this time, brought this address."""
        self._ways[message] = _Way(url, at + LIFE)
        self._ways.move_to_end(message)
        while len(self._ways) > KEPT:
            self._ways.popitem(last=False)

    async def replace(
        self, client: AsyncWebClient, message: Message, shown: dict[str, Any], now: datetime
    ) -> Mapping[str, Any] | None:
        """Replace a message by its `text` and `blocks`; gives the headers of the answer.

        None: there is no way, or Slack did not say that it has; then another is needed.
        """
        way = self._ways.get(message)
        if way is None or now >= way.until or not way.left:
            return None
        way.left -= 1
        headers = await _taken(client, way.url, shown)
        if headers is None:
            self._ways.pop(message, None)
        return headers

    def forget(self) -> None:
        """Remember none."""
        self._ways.clear()


async def _taken(client: AsyncWebClient, url: str, shown: dict[str, Any]) -> Mapping[str, Any] | None:
    """Return the headers with which Slack said "ok", if it did. The address is a secret: no log names it."""
    webhook = AsyncWebhookClient(url, session=client.session, retry_handlers=[])
    try:
        async with asyncio.timeout(QUICK):
            answer = await webhook.send(text=shown["text"], blocks=shown["blocks"], replace_original=True)
    except (aiohttp.ClientError, TimeoutError, ValueError) as problem:
        log.info("reply_refused", kind=type(problem).__name__)
        return None
    taken = answer.status_code == OK and answer.body.strip() in ("ok", '{"ok":true}', '{"ok": true}')
    if not taken:
        log.info("reply_refused", status=answer.status_code)
    return answer.headers if taken else None
