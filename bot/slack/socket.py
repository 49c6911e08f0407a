"""Socket Mode: what comes in a socket is held against the same shape as what comes over HTTP, before Bolt sees it."""

from collections.abc import Mapping
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.slack.requests import MISSHAPEN, shaped

log = structlog.get_logger("holdfast.slack")
NO_REQUESTS = frozenset({"hello", "disconnect"})


class SocketHandler(AsyncSocketModeHandler):
    """Acknowledges what nobody can handle, so that Slack does not send it again, and says so in the log."""

    def __init__(self, app: AsyncApp, app_token: str) -> None:
        super().__init__(app, app_token)
        self.client.message_listeners.append(_envelope)

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]  # as Bolt has it
        """Hand a request to Bolt, if it has the shape of one; what has none was acknowledged with its envelope."""
        if not (isinstance(req.type, str) and shaped(req.payload)):
            return
        try:
            await super().handle(client, req)
        except MISSHAPEN:  # of Bolt's, over keys that no listener looks at
            await _acknowledged(client, req.envelope_id)


async def _envelope(client: AsyncBaseSocketModeClient, message: Mapping[str, Any], _raw: str | None) -> None:
    """Acknowledge an envelope whose content nobody can handle."""
    kind = message.get("type")
    if isinstance(kind, str) and (kind in NO_REQUESTS or shaped(message.get("payload"))):
        return
    await _acknowledged(client, message.get("envelope_id"))


async def _acknowledged(client: AsyncBaseSocketModeClient, name: object) -> None:
    log.warning("misshapen", kind="envelope")
    if isinstance(name, str) and name:
        await client.send_socket_mode_response(SocketModeResponse(envelope_id=name))
