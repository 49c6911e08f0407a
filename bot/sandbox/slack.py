"""One local Slack: its workspace, time and the ways in and out; the parameters of a call, and what a Web API method is."""

import base64
import binascii
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from bot.sandbox.changes import Changes, Records
from bot.sandbox.delivery import Delivery
from bot.sandbox.knobs import Knobs, Tiers
from bot.sandbox.tickets import Clock, Grants, Tickets
from bot.sandbox.workspace import Channel, Json, SlackError, Workspace

BOT_TOKEN, APP_TOKEN = "xoxb-sandbox-holdfast", "xapp-sandbox-holdfast"
SIGNING_SECRET, VERIFICATION_TOKEN = "signing-holdfast", "verification-holdfast"
"""The secret that signs HTTP mode's requests, and the token in every payload; all the same at each start, so that a bot finds it again."""


@dataclass
class Slack:
    """All of it; `url` is the server's own address once it listens."""

    workspace: Workspace
    clock: Clock
    changes: Changes
    records: Records
    knobs: Knobs
    tickets: Tickets
    delivery: Delivery
    tiers: Tiers
    url: str = ""
    commands: tuple[str, ...] = ()
    grants: Grants = field(default_factory=Grants)

    def channel(self, channel_id: str | None) -> Channel:
        """Return a conversation by its id; a person's id finds the direct message with them.

        Raises SlackError channel_not_found.
        """
        wanted = channel_id or ""
        found = self.workspace.channels.get(wanted) or self.workspace.channels.get(self.workspace.dms.get(wanted, ""))
        if found is None:
            raise SlackError("channel_not_found")
        return found

    def joined(self, channel_id: str | None) -> Channel:
        """Return a conversation that the bot is in. Raises SlackError channel_not_found or not_in_channel."""
        channel = self.channel(channel_id)
        if self.workspace.bot.user_id not in channel.members:
            raise SlackError("not_in_channel" if channel.kind == "channel" else "channel_not_found")
        return channel

    def postable(self, channel_id: str | None) -> Channel:
        """Return a conversation that the bot may write in.

        Raises SlackError channel_not_found, not_in_channel or is_archived.
        """
        channel = self.joined(channel_id)
        if channel.archived:
            raise SlackError("is_archived")
        return channel


@dataclass(frozen=True)
class Params:
    """Typed reading of one call's parameters; forms carry JSON and booleans as strings."""

    given: Json

    def text(self, name: str) -> str | None:
        """Return a string; numbers count as their digits; None when absent."""
        value = self.given.get(name)
        return value if value is None or isinstance(value, str) else str(value)

    def needed(self, name: str, error: str = "invalid_arguments") -> str:
        """Return a string that must be there and not empty. Raises SlackError with `error` otherwise."""
        value = self.text(name)
        if not value:
            message = f"[ERROR] missing required field: {name}"
            raise SlackError(error, **({"response_metadata": {"messages": [message]}} if "arguments" in error else {}))
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a boolean; "1" and "true" are true."""
        value = self.given.get(name)
        return default if value is None else value is True or str(value) in {"1", "true", "True"}

    def number(self, name: str, default: int) -> int:
        """Return a whole number. Raises SlackError invalid_arguments."""
        value = self.given.get(name)
        if value in (None, ""):
            return default
        try:
            return int(str(value))
        except ValueError:
            raise SlackError("invalid_arguments") from None

    def json(self, name: str, error: str = "invalid_arguments") -> object:
        """Return a JSON value, given as it is or as a string; None when absent.

        Raises SlackError with `error` when the string is no JSON.
        """
        value = self.given.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            parsed: object = json.loads(value)
        except ValueError:
            raise SlackError(error) from None
        return parsed

    def blocks(self, name: str = "blocks") -> list[Json] | None:
        """Return a list of objects; None when absent.

        Raises SlackError invalid_blocks_format (or invalid_attachments_format).
        """
        error = f"invalid_{name}_format"
        value = self.json(name, error)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise SlackError(error)
        return value

    def object(self, name: str, error: str = "invalid_arguments") -> Json | None:
        """Return a JSON object; None when absent. Raises SlackError with `error` otherwise."""
        value = self.json(name, error)
        if value is not None and not isinstance(value, dict):
            raise SlackError(error)
        return value

    def metadata(self) -> Json | None:
        """Message metadata, {"event_type": str, "event_payload": object}; {} takes it away.

        Raises SlackError invalid_metadata_format or invalid_metadata_schema.
        """
        value = self.object("metadata", "invalid_metadata_format")
        if not value:
            return value
        if not isinstance(value.get("event_type"), str) or not isinstance(value.get("event_payload"), dict):
            raise SlackError("invalid_metadata_schema")
        return value

    def names(self, name: str) -> list[str]:
        """Return a list of ids, given as a list or with commas between them."""
        value = self.given.get(name)
        if isinstance(value, list):
            return [str(one) for one in value]
        return [one.strip() for one in str(value or "").split(",") if one.strip()]


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
    kind, start = "next", "0"
    if cursor := params.text("cursor"):
        try:
            kind, _, start = base64.urlsafe_b64decode(cursor).decode().partition(":")
        except (ValueError, binascii.Error):
            kind = ""
    if kind != "next" or not start.isdigit():
        raise SlackError("invalid_cursor")
    end = int(start) + (limit or PAGE)
    following = base64.urlsafe_b64encode(f"next:{end}".encode()).decode() if end < len(found) else ""
    return found[int(start) : end], following
