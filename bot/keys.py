"""Where a conversation stands: team, channel and thread in one key."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A conversation in Slack. `thread` is empty in a plain direct message."""

    team: str
    channel: str
    thread: str = ""

    @property
    def key(self) -> str:
        """The conversation's key in every store: "T1:D1:" or "T1:C1:1700000000.000100"."""
        return f"{self.team}:{self.channel}:{self.thread}"

    @property
    def direct(self) -> bool:
        """Whether only the person and the bot read here."""
        return self.channel.startswith("D")


def place(key: str) -> Place:
    """The place that a conversation's key names."""
    team, channel, thread = key.split(":", 2)
    return Place(team, channel, thread)


def origin(key: str) -> str:
    """The key of Slack's event from which a row or an event came: what follows from something is named by it, a stroke, and more."""
    return key.partition("/")[0]


def person_key(team: str, user: str) -> str:
    """A person's key in every store."""
    return f"{team}:{user}"
