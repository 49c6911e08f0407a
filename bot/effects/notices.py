"""Who is told where something cannot be delivered: the operators, once for each cause; and the person, where they wait for it."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from blocks.messages import build_cause, build_held, build_sink_cause
from blocks.phrases import Phrasebook
from bot.exports.sinks import KIND as SINK
from bot.exports.sinks import lane_place
from bot.slack.errors import WORKSPACE
from bot.slack.places import every, of_team
from bot.slack.places import place_of as operators_of
from state.engine.codec import encode
from state.engine.events import DeliveryChanged
from state.stores.delivery import Stuck
from state.stores.rows import InboxRow, OutboxRow, Setback
from state.stores.store import Store

NO_CHANNELS: Mapping[str, str] = {}
NO_WORDS: Mapping[str, Phrasebook] = {}
MOST = 1000
"""Stuck rows that are looked through for the same cause."""
STUCK = ("blocked", "dead")


class Teller:
    """`channel` is the operators' ("C034", or with its workspace, "T012:C034, T056:C078"); without one, logs and `holdfast status` have to do.

    `words` are in the installation's language; `channels` are those of the forms, whose people hear of a sink that takes nothing, each in
    the form's own language (`spoken`).
    """

    def __init__(
        self,
        store: Store,
        channel: str,
        words: Phrasebook,
        channels: Mapping[str, str] = NO_CHANNELS,
        spoken: Mapping[str, Phrasebook] = NO_WORDS,
    ) -> None:
        self._store, self._channel, self._words, self._channels = store, channel, words, channels
        self._spoken = spoken

    async def notices(self, row: OutboxRow, setback: Setback) -> tuple[OutboxRow, ...]:
        """Return the operators' message, unless they have one of this cause, or cannot get any; of a sink, the form's people's too."""
        if setback.status not in STUCK or row.status in STUCK or setback.reason in WORKSPACE:
            return ()  # a token that is refused reaches nobody; once it works, there is nothing to tell
        same, told = await self._same(row, setback), list[OutboxRow]()
        own = row.lane in (f"slack:{one}" for one in every(self._channel))
        if self._channel and not own and not same:
            told.append(self._notice(f"o{row.id}", row.person.partition(":")[0], _where(row.lane), setback, row.kind))
        if row.kind == SINK and not any(lane_place(s.lane)[1] == row.body["form"] for s in same):
            told += self._to_officers(row, setback)
        return tuple(told)

    def _to_officers(self, row: OutboxRow, setback: Setback) -> Iterator[OutboxRow]:
        """Reviewers read once for each cause that what they decided does not get where it should."""
        team, form = row.person.partition(":")[0], str(row.body["form"])
        if channel := of_team(self._channels, team).get(form):
            message = build_held(self._spoken.get(form, self._words), str(row.body["sink"]), setback.reason)
            body: dict[str, Any] = {"team": team, "channel": channel, "thread": "", "card": ""}
            body |= {"text": message.text, "blocks": list(message.blocks)}
            yield OutboxRow(f"officers:o{row.id}:{setback.reason}", f"slack:{channel}", "post", f"{team}:", body)

    async def of_inbox(self, row: InboxRow, reason: str) -> OutboxRow | None:
        """Return the operators' message of an event that could not be handled."""
        known = any(s.queue == "inbox" and s.reason == reason and s.id != row.id for s in await self._store.stuck(MOST))
        if known or not self._channel:
            return None
        team = row.person.partition(":")[0]
        return self._notice(f"i{row.id}", team, "", Setback("dead", None, reason))

    async def _same(self, row: OutboxRow, setback: Setback) -> list[Stuck]:
        """Return other rows that are stuck for the same cause: in the same place, where it is the place's."""
        holds, mine = setback.delay is not None, _where(row.lane)
        others = (s for s in await self._store.stuck(MOST) if s.queue == "outbox" and s.id != row.id)
        return [s for s in others if s.reason == setback.reason and (not holds or _where(s.lane) == mine)]

    def _notice(self, name: str, team: str, place: str, setback: Setback, kind: str = "") -> OutboxRow:
        """Return a row of nobody's, which says nothing of any person."""
        if kind == SINK:
            message = build_sink_cause(self._words, place, setback.reason, name)
        else:
            holds = setback.delay is not None
            message = build_cause(self._words, setback.status, setback.reason, place, name, holds=holds)
        there, mine = operators_of(self._channel, team)
        body: dict[str, Any] = {"team": there, "channel": mine, "thread": "", "card": ""}
        body |= {"text": message.text, "blocks": list(message.blocks)}
        return OutboxRow(f"operators:{name}:{setback.reason}", f"slack:{mine}", "post", f"{there}:", body)


def channel_of(lane: str) -> str:
    """Return the channel that a lane posts in; empty for a direct message, which would name a person, and for a sink."""
    if lane_place(lane)[0]:
        return ""
    parts = lane.split(":")
    return next((part for part in parts[1:] if part[:1] in "CG" and part[:1]), "")


def _where(lane: str) -> str:
    """Return the sink or the channel of a lane."""
    return lane_place(lane)[0] or channel_of(lane)


def touches(stuck: Stuck, channel: str) -> bool:
    """Return True if a row waits for something to change in a channel."""
    return stuck.queue == "outbox" and channel in stuck.lane.split(":")


def news_of(row: OutboxRow, came: Literal["held", "delivered"], at: str) -> InboxRow | None:
    """Return the event that tells the person; None where nobody waits for the row."""
    about = row.body.get("about") or {}
    if not about or (came == "held" and about["what"] == "message" and row.kind == "repaint"):
        return None
    event = DeliveryChanged(f"{row.key}/{came}:{row.reason}", at, "delivery", about["what"], came)
    return InboxRow(event.id, about["conversation"], row.person, {"event": encode(event), "draft": about["draft"]})
