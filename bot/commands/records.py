"""`holdfast export`: what was filed, for auditors. Whoever asks for it is written down before they get it."""

import asyncio
from pathlib import Path

import typer

from bot.commands.trouble import Sentence
from bot.exports.bundle import Kind
from bot.exports.checkpointer import HEADS, sign
from bot.exports.records import Wanted, wanted_text
from bot.exports.records import export as export_bundle
from bot.officers.readings import Reading, note, on_this_machine, text_hash
from bot.root.installation import load_workflows
from bot.root.storage import opened_store
from bot.settings import Settings
from state.form.source import meant
from state.stores.evidence.heads import HeadsFile
from state.stores.store import Store

BARE = (".json", ".csv")
FOLDER = "A PDF comes with its manifest: say where to put them, --output FOLDER or --output FILE.zip."


async def export(settings: Settings, wanted: Wanted, kind: Kind, output: Path | None) -> int:
    """Write records with a signed manifest into a folder or a ZIP, or the bare text into one file or the terminal."""
    workflows = load_workflows(settings)
    if not wanted.record and wanted.workflow not in workflows:
        raise Sentence(f"There is no workflow {wanted.workflow!r}.{meant(wanted.workflow, workflows)}")
    async with opened_store(settings) as store:
        try:
            if output is None or output.suffix.lower() in BARE:
                await _bare(store, wanted, kind, output)
                return 0
            await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
            manifest = await export_bundle(store, workflows, wanted, kind, on_this_machine(), output)
            await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
        except ValueError as problem:
            raise Sentence(str(problem)) from None
    typer.echo(f"{output}: {len(manifest.records)} records, manifest {manifest.hash}.")
    return 0


async def _bare(store: Store, wanted: Wanted, kind: Kind, output: Path | None) -> None:
    """The text without a manifest: the link of the reading has its hash."""
    if kind == "pdf":
        raise Sentence(FOLDER)
    rows, text = await wanted_text(store, wanted, kind)
    asked = wanted.filters | {"format": kind}
    await note(store, Reading(on_this_machine(), "export", rows, text_hash(text), asked))
    if output is None:
        typer.echo(text, nl=False)
    else:
        await asyncio.to_thread(output.write_text, text, "utf-8", newline="")
