"""Exports many records, or one: gathers them, writes down who asked, and only then hands them out."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from bot.proof.bundle import About, Bundle, Kind, put
from bot.proof.dossier import build
from bot.proof.gather import source_of
from bot.proof.manifest import NAME, Manifest, signed_text
from bot.proof.reading import Reading, What, note
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
        """Whether it is one of them."""
        at = record.filed_at
        in_time = (not self.since or (at is not None and at >= self.since)) and (
            not self.until or (at is not None and at < self.until)
        )
        return in_time and self.state in ("", record.state)


async def wanted_records(store: Store, wanted: Wanted) -> AsyncIterator[Record]:
    """The records, by number. ValueError where one is asked for that there is not."""
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
