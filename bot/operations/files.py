"""Files that an operator writes under HOLDFAST_VAR, read when they have changed; among them reference data in reference/<workflow>/<table>.csv.

The table of managers is every form's: reference/managers.csv.

A table counts whole or not at all. What counts is kept beside it, in `.taken`, so that a wrong file, or none, leaves it as it is, also
after a restart.
"""

import hashlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import structlog

from state.form.files import Files
from state.form.source import FormError, Problem, meant
from state.workflow.load import Workflow
from state.workflow.rules_file import load_rules
from state.workflow.tables import Table, Taken, newest_day

QUIET = 1.0
"""Seconds for which a file must have been left alone: half of one may read like a whole."""
Stamp = tuple[int, int, int]
"""When it was written, its size, and which file it is."""


def stamp_of(path: Path) -> Stamp | None:
    """None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)


@dataclass
class Watched:
    """A file, and how it was when it was last taken; None for a file that was not there."""

    path: Path
    taken: Stamp | None = None
    _seen: tuple[Stamp | None, float] = field(default=(None, 0.0), repr=False)

    def changed(self) -> bool:
        """Return True if it is another than the one that was taken, and nobody writes it any more."""
        now = stamp_of(self.path)
        if now == self.taken:
            return False
        if self._seen[0] != now or not self._seen[1]:
            self._seen = (now, time.monotonic())
        left_alone = time.time() - now[0] / 1e9 if now else 0.0
        return max(left_alone, time.monotonic() - self._seen[1]) >= QUIET

    def take(self) -> None:
        """It counts as it is now."""
        self.taken, self._seen = stamp_of(self.path), (None, 0.0)


log = structlog.get_logger("holdfast.reference")

FOLDER, TAKEN = "reference", ".taken"
MANAGER = "manager"
"""The role that the table speaks of, in every form."""
MANAGERS, COLUMNS = "managers", ("person", "manager", "deputy")
USER = re.compile(r"([TE][A-Z0-9]+:)?[UW][A-Z0-9]+")


@dataclass(frozen=True)
class Manager:
    """Slack user ids as they are written; `deputy` may be empty."""

    manager: str
    deputy: str = ""


def taken_managers(var: Path) -> Path:
    """Return where the table is kept that counts."""
    return var / FOLDER / TAKEN / f"{MANAGERS}.csv"


def read_managers(path: Path) -> Mapping[str, Manager]:
    """Return the table by person. Raises FormError at the first line that cannot be used."""
    found: dict[str, Manager] = {}
    for row in Files((path.parent,)).table(path.name, COLUMNS):
        for column in COLUMNS:
            if not USER.fullmatch(row[column]) and (row[column] or column != "deputy"):
                raise row.wrong(f'"{row[column]}" is no Slack user id, like U0123ABCD. Correct the {column}.')
        if row["person"] in found:
            raise row.wrong(f"{row['person']} has two rows. Keep one.")
        found[row["person"]] = Manager(row["manager"], row["deputy"])
    if not found:
        raise FormError([Problem(path, 1, "The table has no row. Fill it in, or take the file away.")])
    return found


@dataclass(frozen=True)
class Refused:
    """A file that does not count, and why; `digest` tells this content of it from any other."""

    workflow: str
    file: Path
    line: int
    text: str
    digest: str


@dataclass
class References:
    """`workflows` are changed in place: whoever asks for one after a new table was taken gets it with that."""

    var: Path
    workflows: MutableMapping[str, Workflow]
    _watched: dict[Path, Watched] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def install(self, workflows: Mapping[str, Workflow]) -> None:
        """Have these workflows count from now on, with the tables that were taken. Raises FormError, and changes nothing."""
        with self._lock:
            made = {name: self._whole(workflow) for name, workflow in workflows.items()}
            self.workflows.clear()
            self.workflows.update(made)

    def _whole(self, workflow: Workflow) -> Workflow:
        kept = any(self._kept(workflow.form.name, table).is_file() for table in workflow.tables)
        return self._with(workflow, {}) if kept and not workflow.taken else workflow

    def start(self) -> list[Refused]:
        """Have what was taken before count, then whatever has come meanwhile. Raises FormError where what was taken cannot be read any more."""
        self.install(dict(self.workflows))
        if (managers := taken_managers(self.var)).is_file():
            read_managers(managers)
        return self.look(at_once=True)

    def look(self, *, at_once: bool = False) -> list[Refused]:
        """Take the files that have changed; those that cannot count come back, with the line to mend. May run on a thread of its own."""
        folder = self.var / FOLDER
        if not folder.is_dir():
            return []
        with self._lock:
            names = ("", *self.workflows)
            return [one for name in names for one in self._look_at(name, folder / name, at_once=at_once)]

    def _look_at(self, name: str, folder: Path, *, at_once: bool) -> Iterator[Refused]:
        for file in sorted(folder.glob("*.csv")):
            watched = self._watched.setdefault(file, Watched(file))
            if at_once or watched.changed():
                watched.take()
                refused = self._take(name, file)
                if refused is not None:
                    log.error("table_refused", workflow=name, table=file.stem, line=refused.line)
                    yield refused

    def _take(self, name: str, file: Path) -> Refused | None:
        """Judge a file by a copy of it, as it will be used; `name` is empty for a table of every form."""
        try:
            content = file.read_bytes()
        except OSError as problem:
            return Refused(name, file, 1, f"It cannot be read ({problem.strerror}).", "")
        digest, workflow = hashlib.sha256(content).hexdigest(), self.workflows.get(name)
        if told := stray(workflow, file.stem):
            return Refused(name, file, 1, told, digest)
        known = workflow.taken.get(file.stem) if workflow else None
        if known is not None and known.sha256 == digest:
            return None
        kept = self._kept(name, file.stem)
        copy = written_beside(kept, content)
        try:
            if workflow:
                self._with(workflow, {file.stem: copy})
            else:
                read_managers(copy)
        except FormError as wrong:
            copy.unlink()
            return Refused(name, file, *_first(wrong, copy), digest)
        copy.replace(kept)
        if workflow:
            self.workflows[name] = self._with(workflow, {})
        log.info("table_taken", workflow=name, table=file.stem, sha256=digest[:12])
        return None

    def _kept(self, workflow: str, table: str) -> Path:
        return self.var / FOLDER / TAKEN / workflow / f"{table}.csv"

    def _with(self, workflow: Workflow, new: Mapping[str, Path]) -> Workflow:
        """Return the workflow with the tables that were taken, and with `new` ones. Raises FormError."""
        places = {name: new.get(name, self._kept(workflow.form.name, name)) for name in workflow.tables}
        over = {workflow.tables[name].file: place for name, place in places.items() if place.is_file()}
        files = Files(workflow.files.folders, over)
        taken = {name: _taken(files, table) for name, table in workflow.tables.items() if table.file in over}
        return replace(workflow, rules=load_rules(workflow.folder, files), files=files, taken=taken)


def stray(workflow: Workflow | None, table: str) -> str:
    """Say that nothing has a table of this name that may be replaced; empty where something has, every form together without a workflow."""
    tables = workflow.tables if workflow else (MANAGERS,)
    whose = workflow.form.name if workflow else "every form"
    return "" if table in tables else f'"{table}" is no table of {whose} that may be replaced.{meant(table, tables)}'


def refusals(var: Path, workflows: Mapping[str, Workflow]) -> Iterator[Problem]:
    """Return what a start would find wrong with the files that lie there; for whoever asks before it. Takes nothing."""
    for name in ("", *workflows):
        workflow = workflows.get(name)
        for file in sorted((var / FOLDER / name).glob("*.csv")):
            if told := stray(workflow, file.stem):
                yield Problem(file, 1, told)
                continue
            try:
                if workflow:
                    table = workflow.tables[file.stem]
                    files = Files(workflow.files.folders, {table.file: file})
                    _taken(files, table)
                    load_rules(workflow.folder, files)
                else:
                    read_managers(file)
            except FormError as wrong:
                yield wrong.problems[0]


def _first(wrong: FormError, copy: Path) -> tuple[int, str]:
    """Return the line to mend, and what is wrong with it; of another file than the one that is judged, with that file's name."""
    first = wrong.problems[0]
    return (first.line, first.text) if first.file == copy else (1, f"{first.file.name}:{first.line}: {first.text}")


def _taken(files: Files, table: Table) -> Taken:
    """Raises FormError."""
    file = files.find(table.file)
    at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    as_of = newest_day(files, table, at.date())
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Taken(table, file, digest, at.isoformat(timespec="seconds"), as_of.isoformat())


def written_beside(target: Path, content: bytes) -> Path:
    """Return a copy that can be put in the place of what is there in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.stem}-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)
