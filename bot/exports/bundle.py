"""Write an export, whole or not at all: files in a folder or a ZIP, tables among them, and over them a signed manifest."""

import csv
import hashlib
import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Literal

from bot.exports.dossier import Json
from bot.exports.manifest import NAME, Covered, Manifest, Part
from state.stores.cells import harmless
from state.stores.evidence.checkpoints import Checkpoint
from state.stores.evidence.links import moment
from state.stores.rows import Link

Kind = Literal["json", "csv", "pdf"]
RECORDS, CHAINS, HEADS, PAPER = "records.json", "chains.jsonl", "checkpoints.jsonl", "dossier.pdf"
ONE = "A PDF of more than {most} records would be read by nobody: narrow it by --since, --until, --state or --record, or take csv or json."
MOST = 500
"""Records of one PDF."""


class TooMany(ValueError):
    """More records than a PDF takes."""


@dataclass
class Bundle:
    """Grows in `folder`, record by record; what is kept in memory is what the manifest and a PDF need."""

    folder: Path
    kind: Kind
    covered: list[Covered] = field(default_factory=list)
    forms: dict[str, str] = field(default_factory=dict)
    on_paper: list[Json] = field(default_factory=list)
    _open: dict[str, TextIOWrapper] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict)

    def begin(self) -> None:
        """Open the files of this kind."""
        names = (*TABLES, CHAINS) if self.kind == "csv" else (RECORDS, CHAINS)
        for name in names:
            self._open[name] = (self.folder / name).open("w", encoding="utf-8", newline="")
            self._rows[name] = 0
        for name in TABLES if self.kind == "csv" else ():
            self._open[name].write(csv_lines([TABLES[name]]))
        if self.kind != "csv":
            self._open[RECORDS].write("[")

    def add(self, dossier: Json, links: Sequence[Link]) -> None:
        """One record. Raises TooMany."""
        if self.kind == "csv":
            for name in TABLES:
                lines = list(rows(name, dossier))
                self._put(name, csv_lines(lines), len(lines))
        else:
            comma = ",\n" if self._rows[RECORDS] else "\n"
            self._put(RECORDS, comma + json.dumps(dossier, ensure_ascii=False), 1)
        if self.kind == "pdf":
            self.on_paper.append(dossier)
            if len(self.on_paper) > MOST:
                raise TooMany(ONE.format(most=MOST))
        record, chain = dossier["record"], [vars(link) | {"at": moment(link.at)} for link in links]
        self._put(CHAINS, json.dumps({"number": record["number"], "links": chain}) + "\n", 1)
        self.covered.append(Covered(record["number"], links[-1].draft, links[-1].n, links[-1].hash, 0))
        self.forms[record["form"]] = dossier["versions"]["form_today"]

    def close(self, checkpoints: Sequence[Checkpoint], about: "About") -> Manifest:
        """Write the rest, and say what there is."""
        if self.kind != "csv":
            self._open[RECORDS].write("\n]\n")
        lines = self._cover(checkpoints)
        (self.folder / HEADS).write_text("".join(f"{one.line}\n" for one in lines), "utf-8")
        self._rows[HEADS] = len(lines)
        for file in self._open.values():
            file.close()
        if self.kind == "pdf":
            self._paper(about)
        files = [_part(self.folder / name, count) for name, count in sorted(self._rows.items())]
        newest = checkpoints[-1].brief if checkpoints else ""
        asked = dict(about.filters)
        return Manifest(about.at.isoformat(), about.by, asked, files, self.covered, newest, about.version, self.forms)

    def abandon(self) -> None:
        """Close what is open: nothing of it is handed out."""
        for file in self._open.values():
            file.close()

    def _put(self, name: str, text: str, count: int) -> None:
        self._open[name].write(text)
        self._rows[name] += count

    def _cover(self, checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
        """Return the checkpoints that signed the ends of these chains, and the newest one."""
        signed = {(chain, *head): one.n for one in checkpoints for chain, head in one.heads.items()}
        covered = (signed.get((c.draft, c.last, c.head), 0) for c in self.covered)
        self.covered = [
            Covered(c.number, c.draft, c.last, c.head, n) for c, n in zip(self.covered, covered, strict=True)
        ]
        wanted = {c.checkpoint for c in self.covered} | {one.n for one in checkpoints[-1:]}
        return [one for one in checkpoints if one.n in wanted]

    def _paper(self, about: "About") -> None:
        from bot.exports.pdf import dossier_pdf  # noqa: PLC0415  a library that no other command should wait for

        alone = len(self.on_paper) == 1
        title = (
            f"Dossier {self.on_paper[0]['record']['number']}" if alone else f"Dossier of {len(self.on_paper)} records"
        )
        content = dossier_pdf(self.on_paper, title, about.lines, about.at, whole=alone)
        (self.folder / PAPER).write_bytes(content)
        self._rows[PAPER] = len(self.on_paper)


@dataclass(frozen=True)
class About:
    """When an export was made, by whom, what was asked for, and by which version of Holdfast."""

    at: datetime
    by: str
    filters: Mapping[str, str]
    version: str

    @property
    def lines(self) -> list[str]:
        """For the first page."""
        asked = ", ".join(f"{name} {told}" for name, told in self.filters.items() if told)
        return [
            f"Made {self.at:%Y-%m-%d %H:%M:%S} UTC by {self.by} with Holdfast {self.version}.",
            f"Asked for: {asked}.",
            f"Its hash stands in {NAME}, which is signed: holdfast verify --export … --public-key …",
        ]


def put(folder: Path, output: Path) -> None:
    """Put a finished folder where it shall be: a ZIP by its name, else a folder that must be new or empty. ValueError where it is not."""
    if output.suffix.lower() == ".zip":
        if output.exists():
            raise ValueError(f"{output} is there already. Name a new file.")
        draft = output.with_name(f".{output.name}.part")
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(folder.iterdir()):
                file.write(path, path.name)
        draft.replace(output)
        return
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise ValueError(
            f"{output} is there already, and not an empty folder. Name a new one, or a file that ends in .zip."
        )
    output.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.iterdir()):
        shutil.move(path, output / path.name)


def _part(path: Path, count: int) -> Part:
    with path.open("rb") as file:
        return Part(path.name, hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size, count)


RECORD = ("number", "form", "about", "state", "valid_until", "filed_at", "owner", "tenant", "hash", "erased")
ANSWER = (
    "number", "field", "label", "shown", "value", "label_then", "sure", "grade", "locked", "who", "at", "how", "message", "words", "reader",
)  # fmt: skip
VERDICT = (
    "number", "at", "verdict", "who", "role", "deputy_of", "state", "to", "reason", "conditions", "note", "void",
)  # fmt: skip
TABLES: Mapping[str, Sequence[str]] = {"records.csv": RECORD, "answers.csv": ANSWER, "decisions.csv": VERDICT}
"""File to its columns."""


def rows(name: str, dossier: Json) -> Iterator[Sequence[str]]:
    """Return what a record adds to a table."""
    parts = {
        "records.csv": [dossier["record"]],
        "answers.csv": dossier["answers"],
        "decisions.csv": dossier["decisions"],
    }
    for part in parts[name]:
        told = {"number": dossier["record"]["number"], **part}
        yield [harmless(told.get(column, "")) for column in TABLES[name]]


def csv_lines(lines: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """Return rows as CSV (RFC 4180), as they are."""
    out = StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return out.getvalue()
