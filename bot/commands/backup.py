"""`holdfast backup`, `restore` and `rotate-key`: a change of key that was broken off goes on when it is given again."""

import asyncio
import base64
import os
import tempfile
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import typer

from bot.operations.evidence import HEADS, declare_restored, sign
from bot.root import installation
from bot.settings import Settings, Wrong
from state.stores.cache import FAILURES, forget_all
from state.stores.errors import WrongKey
from state.stores.evidence.heads import HeadsFile
from state.stores.opener import database_address, open_redis
from state.stores.sql.backup import alone, check, read_manifest, write_backup
from state.stores.sql.backup import restore as put_back
from state.stores.sql.engine import Database
from state.stores.sql.migrate import make_ready
from state.stores.vault import InstallationKey, Vault

FOLDER = "backups"


async def backup(settings: Settings, file: Path | None = None) -> int:
    """Write everything into one file while bots go on."""
    installation.require_database(settings)
    database, begun = _database(settings), time.monotonic()
    path = file or settings.holdfast_var / FOLDER / f"holdfast-{datetime.now(UTC):%Y%m%d-%H%M%S}.backup"
    vault = Vault(installation.require_key(settings))
    await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
    try:
        with installation.database_told(settings):
            await installation.check_key(settings)  # under another one nobody could restore it
            manifest = await database.snapshot(partial(write_backup, vault=vault, path=path, now=datetime.now(UTC)))
    finally:
        await database.stop()
    size = (await asyncio.to_thread(path.stat)).st_size
    took = time.monotonic() - begun
    typer.echo(f"{path}: {manifest.rows} rows of {len(manifest.tables)} tables, {size / 1e6:.1f} MB, in {took:.1f} s.")
    typer.echo(f"The key ({manifest.key}) is not in it. Keep the key elsewhere: whoever has both reads everything.")
    return 0


async def restore(settings: Settings, file: Path, *, replace: bool = False) -> int:
    """Check the file, put it into the database, and bring that to this version."""
    manifest, begun = await asyncio.to_thread(read_manifest, file), time.monotonic()
    vault = Vault(installation.require_key(settings))
    try:
        await asyncio.to_thread(check, file, manifest, vault)
    except WrongKey as wrong:
        raise WrongKey(str(wrong).replace("The database", str(file), 1)) from None
    database = _database(settings)
    await asyncio.to_thread(make_ready, database)
    work = partial(put_back, path=file, manifest=manifest, say=typer.echo, replace=replace)
    try:
        with alone(database.url) if database.sqlite else nullcontext():
            await database.write(work)
    finally:
        await database.stop()
    await _cache_emptied(settings)
    async with installation.opened_store(settings) as store:
        heads = HeadsFile(settings.holdfast_var / HEADS, store.place)
        if restored := await declare_restored(
            store, heads
        ):  # else what was signed since the backup would be found missing
            lost = f"Checkpoints {restored.since + 1} to {restored.over} were signed after the backup"
            typer.echo(f"{lost}: their loss is declared.")
        await sign(store, heads)
    typer.echo(f"{manifest.rows} rows of {manifest.made_at[:19]} UTC are back, in {time.monotonic() - begun:.1f} s.")
    return 0


async def _cache_emptied(settings: Settings) -> None:
    """A shared Redis may remember drafts that the backup does not know; the embedded one keeps nothing."""
    if not settings.redis_url:
        return
    client = open_redis(settings.redis_url)
    try:
        await forget_all(client)
    except FAILURES:
        typer.echo(
            "The Redis of REDIS_URL does not answer: empty it before a bot starts, it may remember later drafts."
        )
    finally:
        await client.aclose()


def _database(settings: Settings) -> Database:
    with installation.named("DATABASE_URL"):
        return Database(database_address(settings.database))


TAKE_UP = 6.0
"""Seconds for running bots to take the new key up: they look every two."""
COMING = f"{installation.KEY}.new"


async def rotate_key(settings: Settings, patience: float = TAKE_UP) -> int:
    """Change the key, wrap every other key under it, and let the old one go as soon as nothing needs it."""
    async with installation.opened_store(settings) as store:
        if not await store.changing():
            await store.change_key(Vault.make_key())
        await store.refresh_keys()
        await asyncio.to_thread(_kept, settings, await store.key_of_today())
        typer.echo("Running bots take the new key up …")
        await asyncio.sleep(patience)
        done = 0
        while wrapped := await store.wrap_again():
            done += wrapped
        typer.echo(f"{done} keys are wrapped under the new key.")
        if InstallationKey(installation.make_key(settings)).id != store.key_id:
            typer.echo(
                f"The new key is in {settings.holdfast_var / COMING}. Put it into HOLDFAST_KEY, start every bot with it, and give this "
                "command again: until then both keys open the database."
            )
            return 0
        if not await store.end_change():
            raise Wrong(["A bot still wraps keys under the old key. Give the command again."])
        typer.echo(
            "The old key opens nothing any more. Keep it beside the backups that were made under it, and nowhere else."
        )
        return 0


def _kept(settings: Settings, new: bytes) -> None:
    """The new key where the next start looks for it; in the place of HOLDFAST_KEY, which is no file, a file beside it."""
    var = settings.holdfast_var
    if settings.holdfast_key:
        if InstallationKey(installation.make_key(settings)).id != InstallationKey(new).id:
            _written(var / COMING, new)
        return
    path = var / installation.KEY
    old = InstallationKey(installation.make_key(settings))
    if old.id == InstallationKey(new).id:
        return
    _written(var / f"{installation.KEY}.{old.id}", old.key)
    _written(path, new)
    typer.echo(f"The new key is in {path}, the old one in {path}.{old.id}.")


def _written(path: Path, key: bytes) -> None:
    """Whole or not at all, and on the disk, readable by its owner alone."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp makes it 0600
    with os.fdopen(handle, "wb") as file:
        file.write(base64.b64encode(key) + b"\n")
        file.flush()
        os.fsync(handle)
    Path(draft).replace(path)
