"""Export many records, or one: gather them, write down who asked, and only then hand them out, as dossiers or as bare JSON or CSV."""

import asyncio
import csv
import io
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bot.exports.bundle import About, Bundle, Kind, put
from bot.exports.dossier import Json, Source, build
from bot.exports.manifest import NAME, Manifest, signed_text
from bot.officers.readings import Reading, What, note
from state.stores.cells import harmless
from state.stores.rows import Record
from state.stores.store import Store
from state.workflow.load import Workflow

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
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="holdfast-"))
    bundle = Bundle(folder, kind)
    try:
        about = About(at or await store.now(), by, wanted.filters | {"format": kind}, version("holdfast"))
        manifest = await _gathered(store, workflows, wanted, bundle, about)
        public = list(store.public_keys.values())[-1]
        await asyncio.to_thread((folder / NAME).write_text, signed_text(manifest, store.signature, public), "utf-8")
        await note(store, Reading(by, what, len(manifest.records), manifest.hash, about.filters))
        await asyncio.to_thread(put, folder, output)
    finally:
        bundle.abandon()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return manifest


async def _gathered(
    store: Store, workflows: Mapping[str, Workflow], wanted: Wanted, bundle: Bundle, about: About
) -> Manifest:
    await asyncio.to_thread(bundle.begin)
    async for record in wanted_records(store, wanted):
        source = await source_of(store, workflows, record.number)
        await asyncio.to_thread(bundle.add, build(source), source.links)
    return await asyncio.to_thread(bundle.close, await store.checkpoints(), about)


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
    "who", "at", "how", "message", "words", "reader",
)  # fmt: skip


async def wanted_text(store: Store, wanted: Wanted, kind: str) -> tuple[int, str]:
    """How many records are wanted, and all of them as text: "json" or "csv"."""
    records = [record async for record in wanted_records(store, wanted)]
    if kind == "json":
        return len(records), json.dumps([_whole(r) for r in records], ensure_ascii=False, indent=2) + "\n"
    return len(records), _csv(row for record in records for row in _rows(record))


def _whole(record: Record) -> Mapping[str, Any]:
    filed = record.filed_at.isoformat() if record.filed_at else None
    head = {
        "number": record.number,
        "form": record.form,
        "draft": record.draft,
        "state": record.state,
        "filed_at": filed,
    }
    return {**head, "hash": record.hash, "erased": record.erased, **record.body}


def _rows(record: Record) -> Iterator[dict[str, Any]]:
    head = {
        "number": record.number,
        "state": record.state,
        "filed_at": record.filed_at.isoformat() if record.filed_at else "",
        "owner": record.body.get("owner", ""),
        "hash": record.hash,
    }
    for name, value in record.body.get("values", {}).items():
        yield {**head, **value["provenance"], "field": name, "value": value["data"], **_told(value)}
    for disclosure in record.body.get("disclosures", ()):
        yield {**head, **disclosure["provenance"], "field": disclosure["field"], "value": "disclosed"}
    if not record.body.get("values"):
        yield head


def _told(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.get(name, "") for name in ("label", "sure", "grade")}


def _csv(rows: Iterator[dict[str, Any]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: harmless(cell) for name, cell in row.items()} for row in rows)
    return out.getvalue()
