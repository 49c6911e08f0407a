"""The workspace on disk, for the next start: one SQLite file in which each thing is written as it changes.

A process that is killed leaves what was on the screen. What the workspace forgets (see its limits) is forgotten here too.
"""

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message, StoredFile, View, Workspace

OWNER_ONLY = 0o600
OUT_OF_REACH = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip
"""Errors of the place, not of the file's content."""
PRIMARY = 0xFF
"""The part of SQLite's extended error codes that names the error."""
NOT_KEPT = "The sandbox's conversations cannot be kept in {path} ({problem}): they last until it stops."
SET_ASIDE = "The sandbox's conversations in {path} cannot be read. They were set aside as {aside}, and it begins anew."


@dataclass(frozen=True)
class Kept:
    """Everything that was kept, oldest first."""

    channels: list[Channel]
    messages: list[Message]
    files: list[StoredFile]
    homes: list[View]
    prompts: dict[str, Json]


class Archive:
    """Keeps a local Slack in the file `path`; `say` is told in a sentence where that fails. It never stops the sandbox."""

    def __init__(self, path: Path, slack: Slack, say: Callable[[str], None]) -> None:
        self._path, self._slack, self._say = path, slack, say
        self._db: sqlite3.Connection | None = None
        self._files: dict[str, StoredFile] = {}
        self._restored = False

    def open(self) -> None:
        """Put back what was kept, and keep what changes from now on. A file that cannot be read is set aside."""
        try:
            self._restore()
        except OSError as problem:
            self._give_up(problem)
        except sqlite3.Error as problem:
            if getattr(problem, "sqlite_errorcode", 0) & PRIMARY in OUT_OF_REACH:
                self._give_up(problem)
            else:
                self._begin_anew()
        except (ValueError, KeyError, TypeError):
            self._begin_anew()

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
        self._db = None

    def keep(self, change: Json) -> None:
        """Write what a change is about, as the workspace has it now."""
        if self._db is None:
            return
        try:
            with self._db:
                self._write(self._db, change)
        except sqlite3.Error as problem:
            self._give_up(problem)

    def _restore(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch(mode=OWNER_ONLY, exist_ok=True)
        self._db = sqlite3.connect(self._path)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.execute("pragma secure_delete = on")
        kept = read(self._db)
        if not self._restored:
            self._put_back(kept)

    def _put_back(self, kept: Kept) -> None:
        put_back(kept, self._slack.workspace)
        self._files = dict(self._slack.workspace.files)
        if kept.messages:
            self._slack.clock.after(kept.messages[-1].ts)
        self._restored = True

    def _give_up(self, problem: Exception) -> None:
        self.close()
        self._say(NOT_KEPT.format(path=self._path, problem=problem))

    def _begin_anew(self) -> None:
        """Under another name the file stays for whoever wants to look into it."""
        self.close()
        before = len(list(self._path.parent.glob(f"{self._path.name}.damaged-?")))
        aside = self._path.with_name(f"{self._path.name}.damaged-{before + 1}")
        for suffix in ("", "-wal", "-shm"):
            part = self._path.with_name(self._path.name + suffix)
            if part.exists():
                part.replace(aside.with_name(aside.name + suffix))
        self._say(SET_ASIDE.format(path=self._path, aside=aside.name))
        self.open()

    def _write(self, db: sqlite3.Connection, change: Json) -> None:
        workspace = self._slack.workspace
        match change:
            case {"kind": "message", "channel": channel, "ts": ts} | {
                "kind": "message",
                "channel": channel,
                "message": {"ts": ts},
            }:
                write_message(db, workspace.channels[channel], ts)
                write_files(db, self._files, workspace.files)
            case {"kind": "channel", "channel": channel}:
                write_channel(db, workspace.channels[channel])
            case {"kind": "home", "person": person}:
                write_home(db, workspace.homes[person])
            case {"kind": "prompts", "channel": channel, "thread_ts": thread}:
                place = f"{channel}|{thread}"
                write_prompts(db, place, workspace.prompts[place])


VERSION = 1
TABLES = f"""
begin;
create table channels (id text primary key, about text not null);
create table messages (channel text, ts text, about text not null, primary key (channel, ts));
create table files (id text primary key, about text not null, content blob not null);
create table homes (person text primary key, body text not null);
create table prompts (place text primary key, shown text not null);
pragma user_version = {VERSION};
commit;
"""
CHANNEL = ("id", "name", "kind", "members", "created")
FILE = ("id", "name", "mimetype", "user", "created", "title")


def read(db: sqlite3.Connection) -> Kept:
    """Return all rows; a new file gets its tables.

    Raises sqlite3.Error, and ValueError, KeyError or TypeError where a row is not as it was written.
    """
    version = db.execute("pragma user_version").fetchone()[0]
    if version == 0:
        db.executescript(TABLES)
    elif version != VERSION:
        raise ValueError(version)
    return Kept(
        [Channel(**json.loads(about)) for (about,) in db.execute("select about from channels")],
        [_message(*row) for row in db.execute("select channel, about from messages order by ts")],
        [_file(*row) for row in db.execute("select about, content from files order by rowid")],
        [View(person, _object(body)) for person, body in db.execute("select person, body from homes")],
        {place: _object(shown) for place, shown in db.execute("select place, shown from prompts")},
    )


def put_back(kept: Kept, workspace: Workspace) -> None:
    """Let a workspace hold what was kept; messages of a channel that is no more are left out."""
    workspace.channels.update({channel.id: channel for channel in kept.channels})
    for message in kept.messages:
        if message.channel in workspace.channels:
            workspace.channels[message.channel].keep(message)
    for file in kept.files:
        workspace.keep_file(file)
    workspace.homes.update({view.person: view for view in kept.homes})
    workspace.prompts.update(kept.prompts)


def write_channel(db: sqlite3.Connection, channel: Channel) -> None:
    """A conversation without its messages."""
    about = {name: getattr(channel, name) for name in CHANNEL}
    db.execute("replace into channels values (?, ?)", (channel.id, json.dumps(about)))


def write_message(db: sqlite3.Connection, channel: Channel, ts: str) -> None:
    """One message as it is now, or that it is gone; so are those before the oldest that the channel remembers."""
    found = channel.messages.get(ts)
    if found is None:
        db.execute("delete from messages where channel = ? and ts = ?", (channel.id, ts))
    else:
        about = {"body": found.body, "metadata": found.metadata, "notifies": found.notifies}
        db.execute("replace into messages values (?, ?, ?)", (channel.id, ts, json.dumps(about)))
    oldest = next(iter(channel.messages), ts)
    db.execute("delete from messages where channel = ? and ts < ?", (channel.id, oldest))


def write_files(db: sqlite3.Connection, written: dict[str, StoredFile], held: "OrderedDict[str, StoredFile]") -> None:
    """What has changed among the files since they were `written`, which is brought up to date."""
    for name in [name for name in written if name not in held]:
        db.execute("delete from files where id = ?", (name,))
        del written[name]
    for name, file in held.items():
        if written.get(name) is not file:
            about = json.dumps({key: getattr(file, key) for key in FILE})
            db.execute("replace into files values (?, ?, ?)", (name, about, file.content))
            written[name] = file


def write_home(db: sqlite3.Connection, view: View) -> None:
    """A person's home view."""
    db.execute("replace into homes values (?, ?)", (view.person, json.dumps(view.body)))


def write_prompts(db: sqlite3.Connection, place: str, shown: Json) -> None:
    """The suggestions of a thread."""
    db.execute("replace into prompts values (?, ?)", (place, json.dumps(shown)))


def _message(channel: str, about: str) -> Message:
    told = json.loads(about)
    return Message(channel, _dated(told["body"]), told["metadata"], tuple(told["notifies"]))


def _dated(body: Json) -> Json:
    float(body["ts"])
    return body


def _file(about: str, content: bytes) -> StoredFile:
    return StoredFile(content=content, **json.loads(about))


def _object(text: str) -> Json:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(text)
    return found
