"""Lanes by their names: what a name begins with is the kind of work in it; a conversation's own lane is one of turns."""

from collections.abc import Mapping

TURNS, COSMETIC = "turns", "cosmetic"
KINDS = (TURNS, "slack", COSMETIC, "model", "facts", "operate", "documents", "rights", "prompts", "sink")
SAME: Mapping[str, str] = {"expire": "operate", "timer": "facts", "digest": "documents"}


def kind_of(lane: str) -> str:
    """The kind of work in a lane."""
    kind = lane.partition(":")[0]
    kind = SAME.get(kind, kind)
    return kind if kind in KINDS else TURNS
