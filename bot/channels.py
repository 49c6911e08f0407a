"""Which channel of a workspace a setting names."""

import re
from collections.abc import Mapping

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
    """The workspace and the channel in which those who run the bot are told of one workspace: its own, else the first that is named."""
    pairs = PAIR.findall(value)
    own = dict(pairs).get(team)
    return (team, own) if own else pairs[0] if pairs else (team, value)


def every(value: str) -> tuple[str, ...]:
    """Each channel that a setting names."""
    return tuple(channel for _, channel in PAIR.findall(value)) or ((value,) if value else ())


def _channel(value: str, team: str) -> str:
    pairs = dict(PAIR.findall(value))
    return pairs.get(team, "") if pairs else value
