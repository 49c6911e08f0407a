"""The workspace on disk, for the next start: one SQLite file in which each thing is written as it changes.

A process that is killed leaves what was on the screen. What the workspace forgets (see its limits) is forgotten here too.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from bot.sandbox import archive_rows as rows
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json, StoredFile

OWNER_ONLY = 0o600
OUT_OF_REACH = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""Errors of the place, not of the file's content."""
PRIMARY = 0xFF
"""The part of SQLite's extended error codes that names the error."""
NOT_KEPT = "The sandbox's conversations cannot be kept in {path} ({problem}): they last until it stops."
SET_ASIDE = "The sandbox's conversations in {path} cannot be read. They were set aside as {aside}, and it begins anew."


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
        kept = rows.read(self._db)
        if not self._restored:
            self._put_back(kept)

    def _put_back(self, kept: rows.Kept) -> None:
        rows.put_back(kept, self._slack.workspace)
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
                rows.write_message(db, workspace.channels[channel], ts)
                rows.write_files(db, self._files, workspace.files)
            case {"kind": "channel", "channel": channel}:
                rows.write_channel(db, workspace.channels[channel])
            case {"kind": "home", "person": person}:
                rows.write_home(db, workspace.homes[person])
            case {"kind": "prompts", "channel": channel, "thread_ts": thread}:
                place = f"{channel}|{thread}"
                rows.write_prompts(db, place, workspace.prompts[place])
