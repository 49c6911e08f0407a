"""Slack's time as answers and clicks tell it, and ways back to clicked messages.

A `response_url` replaces the message that was clicked, and no rate tier counts it.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from math import inf
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


class Unheard(Exception):
    """Slack may have replaced the message, or may do so yet."""


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

        None: there is no way, or Slack refused; then another is needed. Raises Unheard where Slack gave no answer.
        """
        way = self._ways.get(message)
        if way is None or now >= way.until or not way.left:
            return None
        way.left -= 1
        del self._ways[message]
        headers = await _taken(client, way.url, shown)
        if headers is not None:
            self._ways[message] = way
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
        log.info("reply_unheard", kind=type(problem).__name__)
        raise Unheard from None
    taken = answer.status_code == OK and answer.body.strip() in ("ok", '{"ok":true}', '{"ok": true}')
    if not taken:
        log.info("reply_refused", status=answer.status_code)
    return answer.headers if taken else None


DRIFT = 1e-4
"""Seconds in a second that two clocks may run apart."""


class SlackTime:
    """Knows how far Slack's clock is ahead of ours, between two bounds that every answer narrows. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._least, self._most, self._known_at = -inf, inf, 0.0

    def heard(self, ts: str) -> None:
        """Take in when something happened at Slack that we have heard of by now."""
        self._narrow(self.clock(), float(ts), inf)

    def posted(self, sent: float, ts: str) -> None:
        """Take in when Slack posted what we sent: it says so exactly."""
        self._narrow(sent, float(ts), float(ts))

    def shown(self, sent: float, headers: Mapping[str, Any]) -> str:
        """Give the moments of Slack's between which it did what we sent, as `Posted` keeps them; empty where nothing tells."""
        first, last = _answered(headers)
        now = self._narrow(sent, first, last)
        latest = min(last, now + (self._most if self._most < inf else self._least))
        earliest = sent + self._least - DRIFT * (now - sent)
        return "" if latest in (inf, -inf) else f"{max(earliest, 0.0):.6f} {latest:.6f}"

    def _narrow(self, sent: float, first: float, last: float) -> float:
        """Something happened between `first` and `last` of Slack's time, between `sent` and now of ours. Gives now.

        Where that cannot be, one of the clocks was set, and what was known before counts no more.
        """
        now = self.clock()
        apart = DRIFT * (now - self._known_at)
        least, most = first - now, last - sent + DRIFT * (now - sent)
        self._least, self._most = max(self._least - apart, least), min(self._most + apart, most)
        if self._least > self._most:
            self._least, self._most = least, most
        self._known_at = now
        return now


def _answered(headers: Mapping[str, Any]) -> tuple[float, float]:
    """Return the second in which Slack answered."""
    try:
        second = parsedate_to_datetime(str(headers.get("Date"))).timestamp()
    except ValueError:
        return -inf, inf
    return second, second + 1
