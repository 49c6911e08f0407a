"""Places in Slack: the key of a conversation, of a person, and the channels that a setting names."""

import re
from collections.abc import Mapping
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
        """True if only the person and the bot read here."""
        return self.channel.startswith("D")


def place(key: str) -> Place:
    """Return the place that a conversation's key names."""
    team, channel, thread = key.split(":", 2)
    return Place(team, channel, thread)


def origin(key: str) -> str:
    """Return the key of Slack's event from which a row or an event came: what follows from something is named by it, a stroke, and more."""
    return key.partition("/")[0]


def person_key(team: str, user: str) -> str:
    """Return a person's key in every store."""
    return f"{team}:{user}"


PAIR = re.compile(r"([TE][A-Z0-9]+):([A-Z0-9]+)")
"""A workspace and a channel of it: "T012:C034"."""


def of_team(channels: Mapping[str, str], team: str) -> Mapping[str, str]:
    """Name to channel, as they are set for a workspace.

    "C034" is the channel of every workspace, as one that has installed the app alone needs it; "T012:C034, T056:C078" names
    one for each, and none for others: nothing is told in a workspace that it does not concern.
    """
    named = {name: _channel(value, team) for name, value in channels.items()}
    return {name: channel for name, channel in named.items() if channel}


def place_of(value: str, team: str) -> tuple[str, str]:
    """Return the workspace and the channel in which those who run the bot are told of one workspace: its own, else the first that is named."""
    pairs = PAIR.findall(value)
    own = dict(pairs).get(team)
    return (team, own) if own else pairs[0] if pairs else (team, value)


def every(value: str) -> tuple[str, ...]:
    """Return each channel that a setting names."""
    return tuple(channel for _, channel in PAIR.findall(value)) or ((value,) if value else ())


def _channel(value: str, team: str) -> str:
    pairs = dict(PAIR.findall(value))
    return pairs.get(team, "") if pairs else value
