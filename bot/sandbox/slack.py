"""One local Slack: its workspace, time, credentials, and the ways in and out. Every room works on this."""

from dataclasses import dataclass, field

from bot.sandbox.changes import Changes, Records
from bot.sandbox.clock import Clock
from bot.sandbox.delivery import Delivery
from bot.sandbox.errors import SlackError
from bot.sandbox.knobs import Knobs, Tiers
from bot.sandbox.tickets import Grants, Tickets
from bot.sandbox.workspace import Channel, Message, Workspace


@dataclass(frozen=True)
class Credentials:
    """What the app proves itself with, and what Slack signs with."""

    bot_token: str
    app_token: str
    signing_secret: str
    verification_token: str

    @classmethod
    def made_from(cls, suffix: str) -> "Credentials":
        """Return the same credentials for the same suffix, so that a bot finds a restarted sandbox."""
        return cls(
            bot_token=f"xoxb-sandbox-{suffix}",
            app_token=f"xapp-sandbox-{suffix}",
            signing_secret=f"signing-{suffix}",
            verification_token=f"verification-{suffix}",
        )


@dataclass
class Slack:
    """All of it; `url` is the server's own address once it listens."""

    workspace: Workspace
    clock: Clock
    credentials: Credentials
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
        found = self.workspace.channels.get(wanted) or self.workspace.channels.get(self.workspace.dm_of(wanted) or "")
        if found is None:
            raise SlackError("channel_not_found")
        return found

    def joined(self, channel_id: str | None) -> Channel:
        """Return a conversation that the bot is in.

        Raises SlackError channel_not_found or not_in_channel.
        """
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

    def message(self, channel: Channel, ts: str | None) -> Message:
        """Return a message of a conversation.

        Raises SlackError message_not_found.
        """
        found = channel.messages.get(ts or "")
        if found is None:
            raise SlackError("message_not_found")
        return found
