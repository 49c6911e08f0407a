"""The workspace as it is (team, people, conversations, messages, files, views), and the errors of the local Slack.

SlackError      the Web API's answer {"ok": false, "error": …}
  Refusal       the payload breaks Slack's limits, for these reasons
ActError        a person cannot do that on this screen; its text is a sentence for them
Undelivered     an interaction found no app to take it
"""

from dataclasses import dataclass, field
from typing import Any, TypeVar

Json = dict[str, Any]

MESSAGES_PER_CHANNEL = 2_000
EPHEMERALS_PER_PERSON = 200
FILES_KEPT = 200
FILE_BYTES_KEPT = 64 * 1024 * 1024
SCREENS_KEPT = 2_000
THREADS_KEPT = 2_000
Kept = TypeVar("Kept")


def keep_newest(kept: dict[str, Kept], key: str, value: Kept, most: int) -> None:
    """Put an entry last and forget the oldest beyond the limit."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        del kept[next(iter(kept))]


@dataclass(frozen=True)
class Team:
    """The workspace's own names and ids."""

    id: str = "T0HOLDFAST"
    name: str = "Northmoor Asset Management"
    domain: str = "northmoor"


@dataclass(frozen=True)
class Bot:
    """The installed app and its bot user."""

    user_id: str = "U0HOLDFAST"
    bot_id: str = "B0HOLDFAST"
    app_id: str = "A0HOLDFAST"
    name: str = "Holdfast"


@dataclass(frozen=True)
class Profile:
    """One person of the workspace."""

    id: str
    name: str
    real_name: str
    title: str = ""
    tz: str = "Europe/London"
    tz_label: str = "Greenwich Mean Time"
    tz_offset: int = 0
    phone: str = ""
    locale: str = "en-GB"
    team: str = ""
    """Another workspace, of whoever is here through a shared channel."""
    deleted: bool = False
    """Their account was closed."""
    status_emoji: str = ""


@dataclass
class Message:
    """A message: Slack's object in `body`, and what Slack knows beside it.

    `notifies` names who a bot's text really alerted: "channel", "here", "everyone", or a user's or group's id.
    """

    channel: str
    body: Json
    metadata: Json | None = None
    notifies: tuple[str, ...] = ()

    @property
    def ts(self) -> str:
        """The message's id within its channel."""
        return str(self.body["ts"])

    @property
    def thread_ts(self) -> str | None:
        """The thread that the message is in, or starts."""
        return self.body.get("thread_ts")

    @property
    def is_reply(self) -> bool:
        """True for a message inside a thread that is not its parent."""
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass
class Channel:
    """A conversation; `kind` is "dm" or "channel"."""

    id: str
    name: str
    kind: str
    members: list[str]
    created: int = 1_700_000_000
    archived: bool = False
    messages: dict[str, Message] = field(default_factory=dict)

    def keep(self, message: Message) -> None:
        """Store a new message and forget the oldest beyond the limit."""
        keep_newest(self.messages, message.ts, message, MESSAGES_PER_CHANNEL)

    def thread(self, ts: str) -> list[Message]:
        """Return the replies to one message, oldest first."""
        return [message for message in self.messages.values() if message.is_reply and message.thread_ts == ts]

    @property
    def type(self) -> str:
        """The channel's type as events name it."""
        return "im" if self.kind == "dm" else "channel"


@dataclass(frozen=True)
class StoredFile:
    """An uploaded file with its bytes."""

    id: str
    name: str
    mimetype: str
    content: bytes
    user: str
    created: int
    title: str
    alt: str = ""


@dataclass
class View:
    """A modal or home view: Slack's object in `body`, for one person."""

    person: str
    body: Json

    @property
    def id(self) -> str:
        """The view's id."""
        return str(self.body["id"])


@dataclass
class Workspace:
    """Everything that a workspace holds; a new one is a clean slate."""

    team: Team = field(default_factory=Team)
    bot: Bot = field(default_factory=Bot)
    people: dict[str, Profile] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    dms: dict[str, str] = field(default_factory=dict)
    """The direct message with the bot, by person."""
    usergroups: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    ephemerals: dict[str, list[Message]] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    modals: dict[str, list[View]] = field(default_factory=dict)
    status: dict[str, Json] = field(default_factory=dict)
    prompts: dict[str, Json] = field(default_factory=dict)
    typed: dict[str, dict[str, Json]] = field(default_factory=dict)

    def add_person(self, profile: Profile, dm: str) -> None:
        """Let somebody join, with a direct message to the bot."""
        self.people[profile.id], self.dms[profile.id] = profile, dm
        self.channels[dm] = Channel(dm, "directmessage", "dm", [profile.id, self.bot.user_id])

    def add_channel(self, channel_id: str, name: str, members: list[str]) -> None:
        """Open a channel with these people; without the bot's user id the bot is not in it."""
        self.channels[channel_id] = Channel(channel_id, name, "channel", members)

    def keep_file(self, file: StoredFile) -> None:
        """Store a file and forget the oldest beyond the limit."""
        self.files[file.id] = file
        size = sum(len(kept.content) for kept in self.files.values())
        while len(self.files) > FILES_KEPT or (len(self.files) > 1 and size > FILE_BYTES_KEPT):
            size -= len(self.files.pop(next(iter(self.files))).content)

    def keep_for_thread(self, shown: dict[str, Json], thread: str, what: Json) -> None:
        """Keep a status or prompts for a thread and forget the oldest beyond the limit."""
        keep_newest(shown, thread, what, THREADS_KEPT)

    def keep_ephemeral(self, person: str, message: Message) -> None:
        """Store a message that only one person sees, and forget the oldest beyond the limit."""
        kept = self.ephemerals.setdefault(person, [])
        kept.append(message)
        del kept[:-EPHEMERALS_PER_PERSON]

    def typing(self, screen: str) -> dict[str, Json]:
        """Return what is in the inputs of one message or view: block_id to action_id to value."""
        kept = self.typed.get(screen, {})
        keep_newest(self.typed, screen, kept, SCREENS_KEPT)
        return kept

    def views(self) -> list[View]:
        """Return every open modal and published home view."""
        return [*(view for stack in self.modals.values() for view in stack), *self.homes.values()]

    def view(self, view_id: str) -> View | None:
        """Return an open modal or published home view by its id."""
        return next((view for view in self.views() if view.id == view_id), None)


def seeded() -> Workspace:
    """Return the fictitious firm that every sandbox starts with."""
    workspace = Workspace()
    workspace.add_person(Profile("U0ALEX", "alex.reed", "Alex Reed", "Portfolio analyst"), "D0ALEX")
    workspace.add_person(Profile("U0DANA", "dana.quill", "Dana Quill", "Compliance officer"), "D0DANA")
    workspace.add_person(Profile("U0ROBIN", "robin.vale", "Robin Vale", "Manager"), "D0ROBIN")
    workspace.add_person(Profile("U0SASHA", "sasha.birch", "Sasha Birch", "Head of compliance"), "D0SASHA")
    workspace.add_channel("C0GENERAL", "general", [*workspace.people, workspace.bot.user_id])
    workspace.add_channel("C0COMPLIANCE", "compliance", ["U0DANA", "U0ROBIN", "U0SASHA", workspace.bot.user_id])
    workspace.usergroups["S0COMPLIANCE"] = ["U0DANA"]
    return workspace


class SlackError(Exception):
    """An error answer of the Web API; `extra` joins the answer's body."""

    def __init__(self, code: str, **extra: object) -> None:
        super().__init__(code)
        self.code = code
        self.extra: Json = extra

    def answer(self) -> Json:
        """Return the body that the caller gets."""
        return {"ok": False, "error": self.code, **self.extra}


class Refusal(SlackError):
    """A payload over Slack's limits; `problems` are the reasons in Slack's words."""

    def __init__(self, code: str, problems: list[str]) -> None:
        metadata = {"messages": [f"[ERROR] {problem}" for problem in problems]}
        listed = {"errors": problems} if code == "invalid_blocks" else {}
        super().__init__(code, **listed, response_metadata=metadata)
        self.problems = tuple(problems)


class ActError(Exception):
    """A person's act that is not possible; the text says why."""


class Undelivered(Exception):
    """The app did not take an interaction; the text is what Slack would tell the person."""
