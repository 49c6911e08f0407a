"""Worlds in which somebody has been before: a walk is gone once a process, and each test that begins behind it gets a copy of what it left."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from bot.sandbox.models.playback import Script
from state.stores.sql.engine import Database
from state.stores.store import Store
from state.stores.vault import Vault
from tests.databases import put_tables
from tests.world import World, world

Walk = Callable[[World], Awaitable[object]]
VAULT = Vault(Vault.make_key())
READ = 600
"""Seconds of Slack's between a walk and the first act after it."""
left: dict[tuple[Any, ...], Path] = {}
"""An installation's folder, with its database and Slack's conversations, by walk and options."""


@asynccontextmanager
async def behind(
    walk: Walk, var: Path, folder: Path, script: Script | None = None, **options: Any
) -> AsyncIterator[World]:
    """Give a world under `var` that stands at the end of `walk`, which no model was asked in; what that leaves is kept in `folder`."""
    key = (walk, *options.items())
    if key not in left:
        made = folder / f"{len(left)}"
        put_tables(made / "holdfast.db")
        async with world(made, options={**options, **_kept(made)}) as w:
            await walk(w)
        left[key] = made
    shutil.copytree(left[key], var, dirs_exist_ok=True)
    async with world(var, script, {**options, **_kept(var)}) as w:
        w.sandbox.slack.clock.advance(READ)
        yield w


def placed(request: pytest.FixtureRequest, var: Path, **options: Any) -> AbstractAsyncContextManager[World]:
    """Give the world of a test under `var`: an empty one, or one behind the walk of its mark `behind`."""
    mark = request.node.get_closest_marker("behind")
    walk = mark.kwargs["walk"] if mark else None
    return behind(walk, var, request.getfixturevalue("walks"), **options) if walk else world(var, options=options)


def _kept(var: Path) -> dict[str, Any]:
    store = Store(Database(make_url(f"sqlite:///{var / 'holdfast.db'}")), VAULT)
    return {"store": store, "keep": var / "sandbox.db"}
