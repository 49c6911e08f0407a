"""`holdfast rotate-key`: a new key for the installation, while bots run; broken off at any moment, it is gone on with by giving it again."""

import asyncio
import base64
import os
import tempfile
from pathlib import Path

import typer

from bot.commands.trouble import Sentence
from bot.root.installation import make_key
from bot.root.storage import opened_store
from bot.settings import Settings
from state.stores.store import Store
from state.stores.vault import InstallationKey, Vault

TAKE_UP = 6.0
"""Seconds for running bots to take the new key up: they look every two."""
FILE, COMING = "holdfast.key", "holdfast.key.new"


async def rotate_key(settings: Settings, patience: float = TAKE_UP) -> int:
    """Change the key, wrap every other key under it, and let the old one go as soon as nothing needs it."""
    async with opened_store(settings) as store:
        if not await store.changing():
            await store.change_key(Vault.make_key())
        await store.refresh_keys()
        return await _carried_on(settings, store, patience)


async def _carried_on(settings: Settings, store: Store, patience: float) -> int:
    await asyncio.to_thread(_kept, settings, await store.key_of_today())
    typer.echo("Running bots take the new key up …")
    await asyncio.sleep(patience)
    done = 0
    while wrapped := await store.wrap_again():
        done += wrapped
    typer.echo(f"{done} keys are wrapped under the new key.")
    if InstallationKey(make_key(settings)).id != store.key_id:
        typer.echo(
            f"The new key is in {settings.holdfast_var / COMING}. Put it into HOLDFAST_KEY, start every bot with it, and give this "
            "command again: until then both keys open the database."
        )
        return 0
    if not await store.end_change():
        raise Sentence("A bot still wraps keys under the old key. Give the command again.")
    typer.echo(
        "The old key opens nothing any more. Keep it beside the backups that were made under it, and nowhere else."
    )
    return 0


def _kept(settings: Settings, new: bytes) -> None:
    """The new key where the next start looks for it; in the place of HOLDFAST_KEY, which is no file, a file beside it."""
    var = settings.holdfast_var
    if settings.holdfast_key:
        if InstallationKey(make_key(settings)).id != InstallationKey(new).id:
            _written(var / COMING, new)
        return
    path = var / FILE
    old = InstallationKey(make_key(settings))
    if old.id == InstallationKey(new).id:
        return
    _written(var / f"{FILE}.{old.id}", old.key)
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
