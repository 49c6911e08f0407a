"""`holdfast verify`, and the evidence as a file that is verified elsewhere with the public key alone."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import typer

from bot.exports.verification import Checked, check, open_box
from bot.operations.evidence import HEADS, sign_all
from bot.root.installation import NoDatabase, opened_store
from bot.settings import Settings, Wrong
from state.stores.errors import Tampered, WrongKey
from state.stores.evidence.audit import audited
from state.stores.evidence.checkpoints import Checkpoint
from state.stores.evidence.found import RESTORE, Fault, Report
from state.stores.evidence.heads import HeadsFile, heads_faults, ours, short
from state.stores.evidence.keys import public_pem, read_public

LOOK_AGAIN, PATIENCE = 0.2, 2.0
"""Seconds until the file of heads is read again, and for how long, where a running bot may be about to write it."""
ANOTHER = "If the key is the right one, the database is another installation's: put this one's back."


async def verify(settings: Settings, heads: Sequence[Path] = (), patience: float = PATIENCE) -> int:
    """Check the database against its links, their MACs, and the heads that were signed; 1 where anything is not as it was written.

    Raises WrongKey, Tampered where it is not this installation's.
    """
    files = [HeadsFile(path) for path in heads or [settings.holdfast_var / HEADS]]
    before = [await asyncio.to_thread(file.lines) for file in files]
    async with opened_store(settings) as store:
        report, stored, dead = await store.audit(), await store.checkpoints(), await store.dead()
    for file, lines in zip(files, before, strict=True):
        whole = await _whole(file, lines, stored, patience)
        report.faults += heads_faults(str(file.path), whole, stored, store.public_keys, store.place)
    report.faults += _unsigned(report)
    return _told(report, dead, list(store.public_keys.values())[-1])


async def verify_database(settings: Settings, heads: Sequence[Path] = ()) -> int:
    """Return the same; a database that is gone, or that the key does not open at all, is a fault like any other."""
    try:
        return await verify(settings, heads)
    except NoDatabase as gone:
        return _told(Report(faults=[Fault("Database", str(gone), RESTORE)]), (), "")
    except (WrongKey, Tampered) as another:
        return _told(Report(faults=[Fault("Database", str(another), ANOTHER)]), (), "")


async def verify_export(export: Path, public_key: Path, heads: Sequence[Path] = ()) -> int:
    """Check an export with the public key alone, without database or key; 1 where anything is not as it was written."""
    box = await asyncio.to_thread(open_box, export)
    try:
        public = read_public(await asyncio.to_thread(public_key.read_text, "utf-8", "replace"))
        if box is not None:
            anchored = {str(path): await asyncio.to_thread(HeadsFile(path).lines) for path in heads}
            return _held(await asyncio.to_thread(check, box, public, anchored), public)
        report, stored = audited(await asyncio.to_thread(export.read_text, "utf-8", "replace"), public)
    except ValueError as problem:
        raise Wrong([str(problem)]) from None
    keys = {one.key: public for one in stored[-1:]}
    for path in heads:
        lines = await asyncio.to_thread(HeadsFile(path).lines)
        report.faults += heads_faults(str(path), lines, stored, keys)
    return _told(report, (), public)


async def export_evidence(settings: Settings, output: Path | None) -> int:
    """Sign what there is, and write the evidence to a file or the terminal."""
    async with opened_store(settings) as store:
        await sign_all(store, settings.holdfast_var)
        text = await store.exported()
    return await write_out(text, output)


async def export_public_key(settings: Settings, output: Path | None) -> int:
    """Write today's public key in PEM."""
    async with opened_store(settings) as store:
        key = list(store.public_keys.values())[-1]
    return await write_out(public_pem(key), output)


async def write_out(text: str, output: Path | None) -> int:
    """Write a text as it is into a file, or print it."""
    if output is None:
        typer.echo(text, nl=False)
    else:
        await asyncio.to_thread(output.write_text, text, "utf-8", newline="")
    return 0


async def _whole(file: HeadsFile, lines: list[str], stored: Sequence[Checkpoint], patience: float) -> list[str]:
    """Return the lines as they were, with those that a running bot writes meanwhile."""
    place = stored[-1].place if stored else file.place or ""
    lines = ours(lines, stored, place)
    began = len(lines)
    while short(lines, stored) and patience > 0:
        await asyncio.sleep(LOOK_AGAIN)
        patience -= LOOK_AGAIN
        lines = ours(await asyncio.to_thread(file.lines), stored, place)[: began + max(0, len(stored) - began)]
    return lines


def _unsigned(report: Report) -> list[Fault]:
    """Links with MACs come to be signed within seconds: where no checkpoint is, there was one, or the bot was killed before it."""
    if report.newest or report.events == report.unkeyed:
        return []
    what = "There are links with MACs and no checkpoint: they were taken away, or the bot was killed before its first."
    return [Fault("Checkpoints", what, f"If the bot was killed, start it: it signs what there is. Else: {RESTORE}")]


def _held(checked: Checked, public: str) -> int:
    """Return what came of holding records against their manifest."""
    manifest, found = checked.manifest, checked.differences
    for difference in found:
        typer.echo(str(difference), err=True)
    for todo in dict.fromkeys(difference.todo for difference in found):
        typer.echo(f"What to do: {todo}", err=True)
    asked = ", ".join(f"{name} {told}" for name, told in manifest.filters.items())
    typer.echo(f"{len(manifest.files)} files, {len(manifest.records)} records, {len(found)} differences.")
    typer.echo(f"Made at {manifest.at} by {manifest.by}; asked for: {asked}.")
    typer.echo(
        f"Manifest: {manifest.hash}\nNewest checkpoint then: {manifest.checkpoint or 'none'}\nPublic key: {public}"
    )
    return 1 if found else 0


def _told(report: Report, dead: Sequence[tuple[str, int, str]], public: str) -> int:
    for fault in report.faults:
        typer.echo(str(fault), err=True)
    for todo in dict.fromkeys(fault.todo for fault in report.faults):
        typer.echo(f"What to do: {todo}", err=True)
    for queue, row, name in dead:
        typer.echo(f"Dead letter in the {queue}: row {row} of {name}.", err=True)
    typer.echo(f"{report.drafts} drafts checked, {len(report.faults)} broken, {len(dead)} dead letters.")
    typer.echo(
        f"{report.events} events; {report.unkeyed} are from before links had MACs, and were covered when those began."
    )
    if newest := report.newest:
        grown = f"{report.unsigned} drafts have grown since" if report.unsigned else "nothing has come since"
        typer.echo(f"The newest checkpoint is {newest.n}, of {newest.at:%Y-%m-%d %H:%M:%S} UTC; {grown}.")
    typer.echo(f"Public key: {public or 'unknown'}")
    return 1 if report.faults or dead else 0
