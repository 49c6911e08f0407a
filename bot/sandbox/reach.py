"""Finding an element on a person's screen by its id or by the words on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.sandbox import inputs, messages
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json, Message, View


@dataclass(frozen=True)
class Shown:
    """A message or view on the screen: how a click names it, its blocks, and its body if it is no more as it was."""

    container: Json
    blocks: list[Json]
    original: Json | None = None


@dataclass(frozen=True)
class Place:
    """An element within reach."""

    shown: Shown
    placed: inputs.Placed

    @property
    def action(self) -> Json:
        """How an act names the element."""
        return {"block_id": self.placed.block_id, "action_id": self.placed.action_id}

    @property
    def kind(self) -> str:
        """The element's type."""
        return str(self.placed.element["type"])


def find(shown: list[Shown], wanted: str) -> Place:
    """Return the first element that has this action id or these words on it.

    Raises LookupError naming what there is.
    """
    seen = []
    for one in shown:
        for placed in inputs.elements(one.blocks):
            if wanted in (placed.action_id, placed.label):
                return Place(one, placed)
            seen.append(f"{placed.label!r} ({placed.action_id})")
    raise LookupError(f"{wanted!r} is not on the screen; there is {', '.join(seen) or 'nothing to click'}")


def screen(slack: Slack, person: str, channel: str) -> list[Shown]:
    """All that a person can reach, nearest first: the open modal, the newest messages, the home view."""
    modal = slack.workspace.modals.get(person, [])[-1:]
    home = slack.workspace.homes.get(person)
    said = sorted(_said(slack, person, channel), key=lambda shown: str(shown.container["message_ts"]), reverse=True)
    views = [_view(view) for view in [*modal, home] if view]
    return views[: len(modal)] + said + views[len(modal) :]


def one(slack: Slack, person: str, wanted: str, channel: str | None) -> Shown:
    """One message by its `ts`, or one view by its id.

    Raises LookupError when the person does not see it.
    """
    view = slack.workspace.view(wanted)
    if view is not None:
        return _view(view)
    whisper = messages.whispered(slack, person, wanted)
    if whisper is not None:
        return _message(whisper, ephemeral=True)
    for found in slack.workspace.channels.values():
        if wanted in found.messages and channel in (None, found.id):
            return _message(found.messages[wanted], ephemeral=False)
    raise LookupError(f"there is no message or view {wanted}")


def as_it_was(slack: Slack, person: str, message: Json, channel: str) -> Shown:
    """Return a message as somebody still has it on an old screen."""
    ts = str(message["ts"])
    ephemeral = messages.whispered(slack, person, ts) is not None
    container = {"type": "message", "channel": channel, "message_ts": ts, "ephemeral": ephemeral}
    return Shown(container, message.get("blocks") or [], original=message)


def _said(slack: Slack, person: str, channel: str) -> Iterator[Shown]:
    for message in slack.workspace.channels[channel].messages.values():
        yield _message(message, ephemeral=False)
    for message in slack.workspace.ephemerals.get(person, []):
        if message.channel == channel:
            yield _message(message, ephemeral=True)


def _view(view: View) -> Shown:
    return Shown({"type": "view", "view_id": view.id}, view.body["blocks"])


def _message(message: Message, *, ephemeral: bool) -> Shown:
    container = {"type": "message", "channel": message.channel, "message_ts": message.ts, "ephemeral": ephemeral}
    return Shown(container, message.body.get("blocks") or [])
