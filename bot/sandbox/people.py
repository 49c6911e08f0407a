"""A person at the keyboard, for tests: the same acts as the page's, addressed by what is written on the screen."""

from dataclasses import dataclass, replace

from bot.sandbox import inputs, reach, shapes
from bot.sandbox.acts import modals, screen, talk
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json

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
        return self.slack.workspace.dm_of(self.id) or ""

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

    def give(self, name: str, content: bytes, mimetype: str = "text/csv") -> list[Json]:
        """Return a file for an input of a modal; what `submit` takes as its value."""
        return talk.keep(self.slack, self.id, [talk.Upload(name, content, mimetype)])

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
        return await modals.submit(self.slack, self.id, str(view["id"]), state)

    async def close(self, view_id: str | None = None) -> None:
        """Close a modal (the top one by default)."""
        await modals.close(self.slack, self.id, str(self._view(view_id)["id"]))

    def _reach(
        self, wanted: str, message: Json | str | None, channel: str | None, *, stale: bool = False
    ) -> reach.Place:
        if message is None:
            return reach.find(reach.screen(self.slack, self.id, channel or self.dm), wanted)
        if stale and not isinstance(message, str):
            return reach.find([reach.as_it_was(self.slack, self.id, message, channel or self.dm)], wanted)
        name = message if isinstance(message, str) else str(message.get("ts") or message["id"])
        return reach.find([reach.one(self.slack, self.id, name, channel)], wanted)

    async def _picked(self, place: reach.Place, choice: str) -> object:
        if inputs.ACTION_KEYS[place.kind] not in screen.OPTION_KEYS:
            return choice
        offered = await self._suggested(place, choice) if "external" in place.kind else place.placed.options()
        for option in offered:
            if choice in (option["value"], option["text"]["text"]):
                return {"text": option["text"], "value": option["value"]}
        raise LookupError(f"{choice!r} is not among {[option['text']['text'] for option in offered]}")

    async def _suggested(self, place: reach.Place, value: str) -> list[Json]:
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
