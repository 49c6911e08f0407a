"""Slack's Web API client of a team: who needs one is given a way to it, and knows nothing of tokens."""

from collections.abc import Awaitable, Callable

from slack_sdk.web.async_client import AsyncWebClient

ClientFor = Callable[[str], Awaitable[AsyncWebClient]]
