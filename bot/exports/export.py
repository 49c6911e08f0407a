"""Export records: gather them, write down who asked, and only then hand them out, with a signed manifest or as bare JSON or CSV."""

import asyncio
import csv
import hashlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, Literal

from bot.exports.dossier import Json, Source, build
from bot.exports.verification import CHAINS, HEADS, NAME, PAPER, RECORDS, Covered, Manifest, Part, signed_text
from bot.operations.evidence import Reading, What, note
from state.extras import lacking
from state.stores.cells import csv_text, harmless
from state.stores.evidence.checkpoints import Checkpoint
from state.stores.evidence.links import moment
from state.stores.rows import Link, Record
from state.stores.store import Store
from state.workflow.load import Workflow

Kind = Literal["json", "csv", "pdf"]
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
        signed = {(chain, *head): one.n for one in checkpoints for chain, head in one.heads.items()}
        covered = (signed.get((c.draft, c.last, c.head), 0) for c in self.covered)
        self.covered = [
            Covered(c.number, c.draft, c.last, c.head, n) for c, n in zip(self.covered, covered, strict=True)
        ]
        wanted = {c.checkpoint for c in self.covered} | {one.n for one in checkpoints[-1:]}
        lines = [one for one in checkpoints if one.n in wanted]
        (self.folder / HEADS).write_text("".join(f"{one.line}\n" for one in lines), "utf-8")
        self._rows[HEADS] = len(lines)
        for file in self._open.values():
            file.close()
        if self.kind == "pdf":
            self._paper(about)
        files = []
        for name, count in sorted(self._rows.items()):
            with (self.folder / name).open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            files.append(Part(name, digest, (self.folder / name).stat().st_size, count))
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


RECORD = (
    "number", "form", "about", "state", "valid_until", "filed_at", "owner", "tenant", "hash", "erased", "days_to_decision",
)  # fmt: skip
ANSWER = (
    "number", "field", "label", "shown", "value", "label_then", "sure", "grade", "locked", "who", "at", "how", "message", "words", "reader",
    "declared",
)  # fmt: skip
VERDICT = (
    "number", "at", "verdict", "who", "role", "deputy_of", "state", "to", "reason", "conditions", "note", "answer", "void",
)  # fmt: skip
TABLES: Mapping[str, Sequence[str]] = {"records.csv": RECORD, "answers.csv": ANSWER, "decisions.csv": VERDICT}
"""File to its columns."""


def rows(name: str, dossier: Json) -> Iterator[Sequence[str]]:
    """Return what a record adds to a table."""
    parts = {
        "records.csv": [{**dossier["record"], "days_to_decision": _days_to_decision(dossier)}],
        "answers.csv": dossier["answers"],
        "decisions.csv": dossier["decisions"],
    }
    for part in parts[name]:
        told = {"number": dossier["record"]["number"], **part}
        yield [harmless(told.get(column, "")) for column in TABLES[name]]


def _days_to_decision(dossier: Json) -> int | None:
    """Return whole days between the filing and the last verdict that is not void."""
    counted = [one["at"] for one in dossier["decisions"] if not one["void"]]
    if not counted or not dossier["record"]["filed_at"]:
        return None
    return (datetime.fromisoformat(counted[-1]) - datetime.fromisoformat(dossier["record"]["filed_at"])).days


def csv_lines(lines: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """Return rows as CSV (RFC 4180), as they are."""
    out = StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return out.getvalue()


PAGE = 500


@dataclass(frozen=True)
class Wanted:
    """Which records: one by its number, or a workflow's, filed since a moment and before another one, in a state."""

    workflow: str = ""
    record: str = ""
    since: datetime | None = None
    until: datetime | None = None
    state: str = ""

    @property
    def filters(self) -> dict[str, str]:
        """As the manifest and the link of the reading say it."""
        times = {"since": self.since and self.since.isoformat(), "until": self.until and self.until.isoformat()}
        plain = {"workflow": self.workflow, "record": self.record, "state": self.state}
        return {name: told for name, told in {**plain, **times}.items() if told}

    def takes(self, record: Record) -> bool:
        """Return True if it is one of them."""
        at = record.filed_at
        in_time = (not self.since or (at is not None and at >= self.since)) and (
            not self.until or (at is not None and at < self.until)
        )
        return in_time and self.state in ("", record.state)


async def wanted_records(store: Store, wanted: Wanted) -> AsyncIterator[Record]:
    """Yield the records, by number. ValueError where one is asked for that there is not."""
    if wanted.record:
        record = await store.record(wanted.record)
        if record is None:
            raise ValueError(f"There is no record {wanted.record!r}.")
        yield record
        return
    after = ""
    while page := await store.records(wanted.workflow, after, PAGE):
        for record in page:
            if wanted.takes(record):
                yield record
        after = page[-1].number


async def export(
    store: Store,
    workflows: Mapping[str, Workflow],
    wanted: Wanted,
    kind: Kind,
    by: str,
    output: Path,
    what: What = "export",
    at: datetime | None = None,
) -> Manifest:
    """Write the export to a folder or a ZIP, dated `at`, or now.

    Raises ValueError with a sentence, and whatever writing the link of the reading raises: then nothing is handed out.
    """
    if kind == "pdf" and (missing := lacking("pdf", "A PDF")):
        raise ValueError(missing)
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="holdfast-"))
    bundle = Bundle(folder, kind)
    try:
        about = About(at or await store.now(), by, wanted.filters | {"format": kind}, version("holdfast"))
        await asyncio.to_thread(bundle.begin)
        async for record in wanted_records(store, wanted):
            source = await source_of(store, workflows, record.number)
            await asyncio.to_thread(bundle.add, build(source), source.links)
        manifest = await asyncio.to_thread(bundle.close, await store.checkpoints(), about)
        public = list(store.public_keys.values())[-1]
        await asyncio.to_thread((folder / NAME).write_text, signed_text(manifest, store.signature, public), "utf-8")
        await note(store, Reading(by, what, len(manifest.records), manifest.hash, about.filters))
        await asyncio.to_thread(put, folder, output)
    finally:
        bundle.abandon()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return manifest


async def gather(store: Store, workflows: Mapping[str, Workflow], number: str, moment: datetime | None = None) -> Json:
    """Return the dossier of a record at a moment, now with None. Raises ValueError with a sentence where there is none."""
    return build(await source_of(store, workflows, number, moment))


async def source_of(
    store: Store, workflows: Mapping[str, Workflow], number: str, moment: datetime | None = None
) -> Source:
    """Return what it is made from. Raises ValueError with a sentence where there is no such record."""
    account = await store.account(number)
    if account is None:
        raise ValueError(f"There is no record {number!r}.")
    workflow = workflows.get(account.record.form)
    return Source(account, await store.links(account.record.draft), workflow.form if workflow else None, moment)


COLUMNS = (
    "number", "state", "filed_at", "owner", "hash", "field", "value", "label", "sure", "grade",
    "who", "at", "how", "message", "words", "reader", "declared",
)  # fmt: skip


async def wanted_text(store: Store, wanted: Wanted, kind: str) -> tuple[int, str]:
    """How many records are wanted, and all of them as text: "json" or "csv"."""
    records = [record async for record in wanted_records(store, wanted)]
    if kind == "json":
        return len(records), json.dumps([_whole(r) for r in records], ensure_ascii=False, indent=2) + "\n"
    cells = ([row.get(column) for column in COLUMNS] for record in records for row in _rows(record))
    return len(records), csv_text(COLUMNS, cells)


def _whole(record: Record) -> Mapping[str, Any]:
    return {
        "number": record.number, "form": record.form, "draft": record.draft, "state": record.state,
        "filed_at": record.filed_at.isoformat() if record.filed_at else None, "hash": record.hash, "erased": record.erased,
        **record.body,
    }  # fmt: skip


def _rows(record: Record) -> Iterator[dict[str, Any]]:
    filed = record.filed_at.isoformat() if record.filed_at else ""
    head = {
        "number": record.number,
        "state": record.state,
        "filed_at": filed,
        "owner": record.body.get("owner", ""),
        "hash": record.hash,
    }
    for name, value in record.body.get("values", {}).items():
        told = {part: value.get(part, "") for part in ("label", "sure", "grade", "declared")}
        yield {**head, **value["provenance"], "field": name, "value": value["data"], **told}
    for disclosure in record.body.get("disclosures", ()):
        yield {**head, **disclosure["provenance"], "field": disclosure["field"], "value": "disclosed"}
    if not record.body.get("values"):
        yield head
