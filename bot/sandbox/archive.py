"""The workspace on disk, for the next start: one SQLite file in which each thing is written as it changes.

A process that is killed leaves what was on the screen. What the workspace forgets (see its limits) is forgotten here too.
"""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message, StoredFile, View

OUT_OF_REACH = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip
"""Errors of the place, not of the file's content."""
PRIMARY = 0xFF
"""The part of SQLite's extended error codes that names the error."""
NOT_KEPT = "The sandbox's conversations cannot be kept in {path} ({problem}): they last until it stops."
SET_ASIDE = "The sandbox's conversations in {path} cannot be read. They were set aside as {aside}, and it begins anew."
VERSION = 1
TABLES = f"""
begin;
create table messages (channel text, ts text, about text not null, primary key (channel, ts));
create table files (id text primary key, about text not null, content blob not null);
create table homes (person text primary key, body text not null);
create table prompts (place text primary key, shown text not null);
pragma user_version = {VERSION};
commit;
"""
FILE = ("id", "name", "mimetype", "user", "created", "title")


class Archive:
    """Keeps a local Slack in the file `path`; `say` is told in a sentence where that fails. It never stops the sandbox."""

    def __init__(self, path: Path, slack: Slack, say: Callable[[str], None]) -> None:
        self._path, self._slack, self._say = path, slack, say
        self._db: sqlite3.Connection | None = None
        self._files: dict[str, StoredFile] = {}
        """The files as they were last written."""
        self._restored = False

    def open(self) -> None:
        """Restore what was kept, and keep what changes from now on. A file that cannot be read is set aside."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600, exist_ok=True)
            self._db = sqlite3.connect(self._path)
            for pragma in ("journal_mode = wal", "synchronous = normal", "secure_delete = on"):
                self._db.execute(f"pragma {pragma}")
            self._restore(self._db)
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

    def _restore(self, db: sqlite3.Connection) -> None:
        """Read every row before the first is given to the workspace, which happens once; a new file gets its tables.

        Raises sqlite3.Error, and ValueError, KeyError or TypeError where a row is not as it was written.
        """
        version = db.execute("pragma user_version").fetchone()[0]
        if version == 0:
            db.executescript(TABLES)
        elif version != VERSION:
            raise ValueError(version)
        messages = [_message(*row) for row in db.execute("select channel, about from messages order by ts")]
        rows = db.execute("select about, content from files order by rowid")
        files = [StoredFile(content=content, **json.loads(about)) for about, content in rows]
        homes = [View(person, _object(body)) for person, body in db.execute("select person, body from homes")]
        prompts = {place: _object(shown) for place, shown in db.execute("select place, shown from prompts")}
        if self._restored:
            return
        workspace = self._slack.workspace
        for message in messages:
            if message.channel in workspace.channels:
                workspace.channels[message.channel].keep(message)
        for file in files:
            workspace.keep_file(file)
        workspace.homes |= {view.person: view for view in homes}
        workspace.prompts |= prompts
        self._files = dict(workspace.files)
        if messages:
            self._slack.clock.after(messages[-1].ts)
        self._restored = True

    def _give_up(self, problem: Exception) -> None:
        self.close()
        self._say(NOT_KEPT.format(path=self._path, problem=getattr(problem, "strerror", problem)))

    def _begin_anew(self) -> None:
        """Open a new file; under another name the old one stays for whoever wants to look into it."""
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
            case {"kind": "message", "channel": channel}:
                _write_message(db, workspace.channels[channel], change.get("ts") or change["message"]["ts"])
                held = self._slack.workspace.files
                for name in [name for name in self._files if name not in held]:
                    db.execute("delete from files where id = ?", (name,))
                    del self._files[name]
                for name, file in held.items():
                    if self._files.get(name) is not file:
                        about = json.dumps({key: getattr(file, key) for key in FILE})
                        db.execute("replace into files values (?, ?, ?)", (name, about, file.content))
                        self._files[name] = file
            case {"kind": "home", "person": person}:
                db.execute("replace into homes values (?, ?)", (person, json.dumps(workspace.homes[person].body)))
            case {"kind": "prompts", "channel": channel, "thread_ts": thread}:
                place = f"{channel}|{thread}"
                db.execute("replace into prompts values (?, ?)", (place, json.dumps(workspace.prompts[place])))


def _write_message(db: sqlite3.Connection, channel: Channel, ts: str) -> None:
    """Write one message as it is now, or delete it; so are those before the oldest that the channel remembers."""
    found = channel.messages.get(ts)
    if found is None:
        db.execute("delete from messages where channel = ? and ts = ?", (channel.id, ts))
    else:
        about = {"body": found.body, "metadata": found.metadata, "notifies": found.notifies}
        db.execute("replace into messages values (?, ?, ?)", (channel.id, ts, json.dumps(about)))
    oldest = next(iter(channel.messages), ts)
    db.execute("delete from messages where channel = ? and ts < ?", (channel.id, oldest))


def _message(channel: str, about: str) -> Message:
    told = json.loads(about)
    float(told["body"]["ts"])
    return Message(channel, told["body"], told["metadata"], tuple(told["notifies"]))


def _object(text: str) -> Json:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(text)
    return found
