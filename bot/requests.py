"""Slack's requests before Bolt sees them: read in time, and looked at for what Bolt takes for granted of their shape."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from aiohttp import web

BODY = 5.0
"""Seconds for a body."""
DICTS = ("event", "container", "view", "message", "response_urls_", "function_data", "state")
NAMES = ("team", "user", "channel", "enterprise")
"""What may be an object or a name."""
FORMS = frozenset({"command", "ssl_check"})
"""What a form holds that is no envelope of JSON: a slash command, or Slack's look at a certificate."""
LISTS = ("authorizations", "actions", "authed_users", "authed_teams")


class Broken(Exception):
    """A request that did not come whole: the status and the code that it is answered with."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, error


@dataclass(frozen=True)
class Body:
    """A body as it came, as text, and whether it can be a request of Slack's."""

    raw: bytes
    text: str
    well_formed: bool


async def read(request: web.Request, seconds: float = BODY) -> Body:
    """The whole body. Raises Broken where it does not come in time, or is too large."""
    try:
        async with asyncio.timeout(seconds):
            raw = await request.read()
    except TimeoutError:
        raise Broken(408, "timeout") from None
    except web.HTTPRequestEntityTooLarge:
        raise Broken(413, "too_large") from None
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return Body(raw, "", well_formed=False)
    return Body(raw, text, _well_formed(text, request.content_type))


def _well_formed(text: str, kind: str) -> bool:
    """Whether it is JSON, or a form that may hold JSON, of the shape that every request of Slack's has."""
    try:
        told = json.loads(text) if kind == "application/json" or text[:1] in ("{", "[") else _form(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and bool(told) and _shaped(told)


def _form(text: str) -> Any:
    fields = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
    if "payload" in fields:
        return json.loads(fields["payload"])
    return fields if fields.keys() & FORMS else None


def _shaped(told: Mapping[str, Any]) -> bool:
    """Objects, names and lists where Bolt looks for them."""
    given = {name: value for name, value in told.items() if value is not None}
    dicts = all(isinstance(given.get(name, {}), dict) for name in DICTS)
    names = all(isinstance(given.get(name, {}), dict | str) for name in NAMES)
    lists = all(isinstance(given.get(name, []), list) for name in LISTS)
    inner = [one for name in ("authorizations", "actions") for one in (given.get(name) or [] if lists else [])]
    event = given.get("event", {})
    deep = not isinstance(event, dict) or all(isinstance(event.get(name) or {}, dict | str) for name in NAMES)
    return dicts and names and lists and deep and all(isinstance(one, dict) for one in inner)
