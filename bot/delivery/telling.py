"""Who is told where something cannot be delivered: the operators, once for each cause; and the person, where they wait for it."""

from typing import Any, Literal

from blocks.operators import build_cause
from blocks.phrases import Phrasebook
from bot.channels import every, place_of
from bot.faults import WORKSPACE
from state.engine.codec import encode
from state.engine.events import DeliveryChanged
from state.stores.protocol import InboxRow, OutboxRow, Setback, Store, Stuck

MOST = 1000
"""Stuck rows that are looked through for the same cause."""
STUCK = ("blocked", "dead")


class Teller:
    """`channel` is the operators' ("C034", or with its workspace, "T012:C034, T056:C078"); without one, logs and `holdfast status` have to do.

    `words` are in the installation's language.
    """

    def __init__(self, store: Store, channel: str, words: Phrasebook) -> None:
        self._store, self._channel, self._words = store, channel, words

    async def notices(self, row: OutboxRow, setback: Setback) -> tuple[OutboxRow, ...]:
        """The operators' message, unless they have one of this cause, or cannot get any."""
        if (
            setback.status not in STUCK
            or not self._channel
            or row.lane in (f"slack:{one}" for one in every(self._channel))
        ):
            return ()
        if row.status in STUCK or setback.reason in WORKSPACE or await self._known(row, setback):
            return ()  # a token that is refused reaches nobody; once it works, there is nothing to tell
        return (self._notice(f"o{row.id}", row.person.partition(":")[0], channel_of(row.lane), setback),)

    async def of_inbox(self, row: InboxRow, reason: str) -> OutboxRow | None:
        """The operators' message of an event that could not be handled."""
        known = any(s.queue == "inbox" and s.reason == reason and s.id != row.id for s in await self._store.stuck(MOST))
        if known or not self._channel:
            return None
        team = row.person.partition(":")[0]
        return self._notice(f"i{row.id}", team, "", Setback("dead", None, reason))

    async def _known(self, row: OutboxRow, setback: Setback) -> bool:
        """Whether another row is stuck for the same cause: in the same place, where it is the place's."""
        holds, mine = setback.delay is not None, channel_of(row.lane)
        others = (s for s in await self._store.stuck(MOST) if s.queue == "outbox" and s.id != row.id)
        return any(s.reason == setback.reason and (not holds or channel_of(s.lane) == mine) for s in others)

    def _notice(self, name: str, team: str, channel: str, setback: Setback) -> OutboxRow:
        """A row of nobody's, which says nothing of any person."""
        message = build_cause(
            self._words, setback.status, setback.reason, channel, name, holds=setback.delay is not None
        )
        there, mine = place_of(self._channel, team)
        body: dict[str, Any] = {"team": there, "channel": mine, "thread": "", "card": ""}
        body |= {"text": message.text, "blocks": list(message.blocks)}
        return OutboxRow(f"operators:{name}:{setback.reason}", f"slack:{mine}", "post", f"{there}:", body)


def channel_of(lane: str) -> str:
    """The channel that a lane posts in; empty for a direct message, which would name a person."""
    parts = lane.split(":")
    return next((part for part in parts[1:] if part[:1] in "CG" and part[:1]), "")


def touches(stuck: Stuck, channel: str) -> bool:
    """Whether a row waits for something to change in a channel."""
    return stuck.queue == "outbox" and channel in stuck.lane.split(":")


def news_of(row: OutboxRow, came: Literal["held", "delivered"], at: str) -> InboxRow | None:
    """The event that tells the person; None where nobody waits for the row."""
    about = row.body.get("about") or {}
    if not about or (came == "held" and about["what"] == "message" and row.kind == "repaint"):
        return None
    event = DeliveryChanged(f"{row.key}/{came}:{row.reason}", at, "delivery", about["what"], came)
    return InboxRow(event.id, about["conversation"], row.person, {"event": encode(event), "draft": about["draft"]})
