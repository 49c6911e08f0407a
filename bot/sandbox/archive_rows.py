"""The rows of the archive: how messages, files, homes and suggestions are written, and read back all or none."""

import json
import sqlite3
from collections import OrderedDict
from dataclasses import dataclass

from bot.sandbox.workspace import Channel, Json, Message, StoredFile, View, Workspace

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


@dataclass(frozen=True)
class Kept:
    """Everything that was kept, oldest first."""

    channels: list[Channel]
    messages: list[Message]
    files: list[StoredFile]
    homes: list[View]
    prompts: dict[str, Json]


def read(db: sqlite3.Connection) -> Kept:
    """All rows; a new file gets its tables.

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
