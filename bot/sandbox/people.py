"""A person at the keyboard, for tests: the same acts as the page's, addressed by what is written on the screen."""

from dataclasses import dataclass, replace

from bot.sandbox import inputs, messages, screen, shapes, talk
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


TO_READ = 2.5
"""Seconds that a person looks at the screen before they act; a card counts as read after one, and it may take another to be sure of when it came."""


@dataclass(frozen=True)
class Person:
    """One person of the workspace; a message or view may be given as Slack's object or by its `ts` or id.

    Before each act Slack's clock moves on by the seconds that they take to read; nobody waits for it.
    """

    slack: Slack
    id: str
    reads: float = TO_READ

    def hasty(self, seconds: float = 0.0) -> "Person":
        """Return the same person, who looks for so long only."""
        return replace(self, reads=seconds)

    def _look(self) -> None:
        self.slack.clock.advance(self.reads)

    @property
    def dm(self) -> str:
        """The direct message with the bot."""
        return self.slack.workspace.dms.get(self.id, "")

    @property
    def home(self) -> Json | None:
        """The published home view."""
        view = self.slack.workspace.homes.get(self.id)
        return view.body if view else None

    @property
    def modal(self) -> Json | None:
        """The modal on top, if one is open."""
        stack = self.slack.workspace.modals.get(self.id)
        return stack[-1].body if stack else None

    def messages(self, channel: str | None = None) -> list[Json]:
        """Return what a conversation holds, oldest first, with `metadata` and `notifies`."""
        return [shapes.for_page(found) for found in self.slack.workspace.channels[channel or self.dm].messages.values()]

    def ephemerals(self, channel: str | None = None) -> list[Json]:
        """Return what only this person sees in a conversation, oldest first."""
        kept = self.slack.workspace.ephemerals.get(self.id, [])
        return [shapes.for_page(found) for found in kept if found.channel == (channel or self.dm)]

    async def say(self, text: str, channel: str | None = None, thread_ts: str | None = None) -> str | None:
        """Send words; gives the message's ts, None for a slash command."""
        self._look()
        return await talk.say(self.slack, self.id, channel or self.dm, text, thread_ts)

    async def edit(self, ts: str, text: str, channel: str | None = None) -> None:
        """Change one's own message."""
        talk.edit(self.slack, self.id, channel or self.dm, ts, text)

    async def delete(self, ts: str, channel: str | None = None) -> None:
        """Delete one's own message."""
        talk.delete(self.slack, self.id, channel or self.dm, ts)

    async def command(self, command: str, text: str = "", channel: str | None = None) -> None:
        """Use a slash command."""
        self._look()
        await talk.command(self.slack, self.id, channel or self.dm, command, text)

    async def upload(
        self,
        name: str,
        content: bytes,
        mimetype: str = "application/octet-stream",
        channel: str | None = None,
        thread_ts: str | None = None,
    ) -> str:
        """Share a file; gives the message's ts."""
        return await self.share([talk.Upload(name, content, mimetype)], "", channel, thread_ts)

    async def share(
        self, uploads: list[talk.Upload], words: str = "", channel: str | None = None, thread_ts: str | None = None
    ) -> str:
        """Share several files in one message, with words; gives the message's ts."""
        self._look()
        return talk.share(self.slack, self.id, channel or self.dm, uploads, words, thread_ts)

    def give(self, name: str, content: bytes) -> list[Json]:
        """Return a file for an input of a modal; what `submit` takes as its value."""
        return talk.keep(self.slack, self.id, [talk.Upload(name, content, "text/csv")])

    async def open_home(self, tab: str = "home") -> None:
        """Look at the app's home (or messages) tab."""
        talk.open_home(self.slack, self.id, tab)

    async def click(
        self,
        wanted: str,
        message: Json | str | None = None,
        *,
        channel: str | None = None,
        stale: bool = False,
        **extra: object,
    ) -> None:
        """Click what has this action id, or these words on it; returns once the app has acked.

        Looks in `message` (a view will do), else in the open modal, the newest messages, the home view. `stale` clicks
        the given message as it was. `extra` joins the action. Raises LookupError naming what there is to click.
        """
        self._look()
        place = self._reach(wanted, message, channel, stale=stale)
        action = {**place.action, **extra}
        await screen.click(self.slack, self.id, place.shown.container, action, original=place.shown.original)

    async def choose(
        self,
        wanted: str,
        *choices: str,
        message: Json | str | None = None,
        channel: str | None = None,
        stale: bool = False,
    ) -> None:
        """Choose in a menu, radio group, checkboxes, date picker …: options by value or words, dates as they are."""
        self._look()
        place = self._reach(wanted, message, channel, stale=stale)
        key = inputs.ACTION_KEYS[place.kind]
        picked = [await self._picked(place, choice) for choice in choices]
        action = {**place.action, key: picked if key.endswith("s") else picked[0]}
        await screen.click(self.slack, self.id, place.shown.container, action, original=place.shown.original)

    async def options(self, wanted: str, value: str, message: Json | str | None = None) -> list[Json]:
        """Type into an external select; gives the options that the app offers."""
        return await self._suggested(self._reach(wanted, message, None), value)

    async def submit(self, view_id: str | None = None, values: Json | None = None) -> Json:
        """Submit a modal (the top one by default): {block_id: text, option's value, or Slack's own state of it}.

        Gives {"ok": true}, {"errors": …}, {"update": view} or {"cleared": true}.
        """
        self._look()
        view = self._view(view_id)
        state = {block_id: _entered(view, block_id, value) for block_id, value in (values or {}).items()}
        return await screen.submit(self.slack, self.id, str(view["id"]), state)

    async def close(self, view_id: str | None = None) -> None:
        """Close a modal (the top one by default)."""
        await screen.close(self.slack, self.id, str(self._view(view_id)["id"]))

    def _reach(self, wanted: str, message: Json | str | None, channel: str | None, *, stale: bool = False) -> Place:
        """Return the first element that has this action id or these words on it.

        Raises LookupError naming what there is.
        """
        if message is None:
            places = self._screen(channel or self.dm)
        elif stale and not isinstance(message, str):
            places = [self._as_it_was(message, channel or self.dm)]
        else:
            places = [
                self._shown(message if isinstance(message, str) else str(message.get("ts") or message["id"]), channel)
            ]
        seen = []
        for shown in places:
            for placed in inputs.elements(shown.blocks):
                if wanted in (placed.action_id, placed.label):
                    return Place(shown, placed)
                seen.append(f"{placed.label!r} ({placed.action_id})")
        raise LookupError(f"{wanted!r} is not on the screen; there is {', '.join(seen) or 'nothing to click'}")

    def _screen(self, channel: str) -> list[Shown]:
        """Return all that they can reach, nearest first: the open modal, the newest messages, the home view."""
        workspace = self.slack.workspace
        said = [_message(message) for message in workspace.channels[channel].messages.values()]
        private = (message for message in workspace.ephemerals.get(self.id, []) if message.channel == channel)
        said += [_message(message, ephemeral=True) for message in private]
        said.sort(key=lambda shown: str(shown.container["message_ts"]), reverse=True)
        home = workspace.homes.get(self.id)
        modal = workspace.modals.get(self.id, [])[-1:]
        return [*map(_view, modal), *said, *([_view(home)] if home else [])]

    def _shown(self, wanted: str, channel: str | None) -> Shown:
        """Return one message by its `ts`, or one view by its id. Raises LookupError when they do not see it."""
        view = self.slack.workspace.view(wanted)
        if view is not None:
            return _view(view)
        private = messages.whispered(self.slack, self.id, wanted)
        if private is not None:
            return _message(private, ephemeral=True)
        for found in self.slack.workspace.channels.values():
            if wanted in found.messages and channel in (None, found.id):
                return _message(found.messages[wanted])
        raise LookupError(f"there is no message or view {wanted}")

    def _as_it_was(self, message: Json, channel: str) -> Shown:
        """Return a message as they still have it on an old screen."""
        ephemeral = messages.whispered(self.slack, self.id, str(message["ts"])) is not None
        return replace(_message(Message(channel, message), ephemeral=ephemeral), original=message)

    async def _picked(self, place: Place, choice: str) -> object:
        if inputs.ACTION_KEYS[place.kind] not in screen.OPTION_KEYS:
            return choice
        offered = await self._suggested(place, choice) if "external" in place.kind else place.placed.options()
        for option in offered:
            if choice in (option["value"], option["text"]["text"]):
                return {"text": option["text"], "value": option["value"]}
        raise LookupError(f"{choice!r} is not among {[option['text']['text'] for option in offered]}")

    async def _suggested(self, place: Place, value: str) -> list[Json]:
        asked = (place.placed.block_id, place.placed.action_id, value)
        return inputs.flat(await screen.options(self.slack, self.id, place.shown.container, *asked))

    def _view(self, view_id: str | None) -> Json:
        view = self.slack.workspace.view(view_id) if view_id else None
        body = view.body if view else self.modal
        if body is None:
            raise LookupError("no modal is open")
        return body


def _entered(view: Json, block_id: str, value: object) -> Json:
    """One block's state in Slack's form, from a plain text, option value or list of them."""
    if isinstance(value, dict):
        return value
    placed = next((one for one in inputs.elements(view["blocks"]) if one.block_id == block_id), None)
    if placed is None:
        raise LookupError(f"the modal has no input {block_id!r}")
    key = inputs.STATE_KEYS[placed.element["type"]]
    known = {option["value"]: option for option in placed.options()}
    if isinstance(value, list):
        value = [known.get(str(one), one) for one in value]
    elif key == "selected_option":
        value = known.get(str(value), value)
    return {placed.action_id: {"type": placed.element["type"], key: value}}


def _view(view: View) -> Shown:
    return Shown({"type": "view", "view_id": view.id}, view.body["blocks"])


def _message(message: Message, *, ephemeral: bool = False) -> Shown:
    container = {"type": "message", "channel": message.channel, "message_ts": message.ts, "ephemeral": ephemeral}
    return Shown(container, message.body.get("blocks") or [])
