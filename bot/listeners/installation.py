"""Listens to a workspace that takes the app's token back, or uninstalls the app."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.messages import team_of_event

TakenBack = Callable[[str], Awaitable[None]]


def register(app: AsyncApp, taken_back: TakenBack) -> None:
    """Both may come, in either order, and each of them twice."""

    @app.event("app_uninstalled")
    async def on_uninstalled(body: Mapping[str, Any]) -> None:
        await taken_back(team_of_event(body))

    @app.event("tokens_revoked")
    async def on_revoked(body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        if (event.get("tokens") or {}).get("bot"):
            await taken_back(team_of_event(body))
