"""A legitimate history on a file: people file, are decided on, are erased and forgotten, and checkpoints are signed in between."""

import asyncio
import base64
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bot.operations.evidence import HEADS, sign
from state.stores.evidence.heads import HeadsFile
from state.stores.opener import open_store
from state.stores.rights import Terms
from state.stores.rows import Number, StoredDocument, TurnWrites
from state.stores.store import Store
from tests.databases import put_tables
from tests.stores.helpers import ALEX, DANA, KEY, OTHER, TALK, filed, step, taken, write
from tests.stores.test_tool_calls import called

EVE, FINN = "T0NORTH:U0EVE", "T0NORTH:U0FINN"
YEAR = timedelta(days=366)
DATABASE, EARLIER = "holdfast.db", "earlier.db"


async def said(store: Store, name: str, who: str, where: str, form: str = "pa_dealing", calls: int = 0) -> None:
    """A turn about somebody's draft, with so many tool calls."""
    lease = await taken(store, where)
    draft, event = step(await store.draft(name), name, who, where, words="my own")
    log = [called(name, who, form=form, step=n) for n in range(calls)]
    await write(store, lease, draft=replace(draft, form=form), events=[event], calls=log, current=name)
    await store.release(lease)


async def submitted(store: Store, name: str, number: str, who: str, where: str, form: str = "pa_dealing") -> None:
    """The turn that files a draft, under the next number of its series."""
    lease = await taken(store, where)
    draft, event = step(await store.draft(name), name, who, where)

    def work(give: Number) -> TurnWrites:
        given = give(number.rpartition("-")[0]) if number.startswith("PA-") else number
        record = filed(given, name, who, form, reason="my own")
        return TurnWrites(draft=replace(draft, form=form), events=[event], records=[record])

    await store.write(lease, work)
    await store.release(lease)


async def decided(store: Store, name: str, number: str, state: str, who: str = ALEX, where: str = TALK) -> None:
    """The turn that moves a record to another state."""
    lease = await taken(store, where)
    draft, event = step(await store.draft(name), name, who, where)
    await store.write(lease, TurnWrites(draft=draft, events=[event], amended={number: state}))
    await store.release(lease)


async def kept(store: Store, name: str, draft: str, who: str, days: int = 30) -> None:
    """A document that a person sent."""
    until = await store.now() + timedelta(days=days)
    await store.keep(StoredDocument(name, draft, who, "T0NORTH", "a.pdf", "pdf", "c0ffee", b"content", until))


async def forgotten(store: Store, form: str, *, audit: bool = False) -> None:
    """Retention of a form whose time is over."""
    now = await store.now()
    later, earlier = now + timedelta(minutes=1), now - YEAR
    await store.expire(Terms(form, later, later if audit else earlier, later if audit else earlier))


async def expired(var: Path) -> None:
    """Retention of all forms as a day brings it: words stay a year, the rest two, records five."""
    async with store_of(var) as store:
        now = await store.now()
        for form in ("pa_dealing", "gifts", "loan"):
            await store.expire(Terms(form, now - YEAR, now - 2 * YEAR, now - 5 * YEAR))
        await store.expire_rest(now, now - YEAR, now - 2 * YEAR)


def store_of(var: Path) -> Store:
    """The store over a history's file."""
    return open_store(f"sqlite:///{var / DATABASE}", KEY)


async def make(var: Path) -> None:
    """The whole history, and a copy of the database from the middle of it."""
    put_tables(var / DATABASE)
    (var / "holdfast.key").write_bytes(base64.b64encode(KEY) + b"\n")
    heads = HeadsFile(var / HEADS)
    async with store_of(var) as store:
        for _ in range(3):
            await said(store, "d1", ALEX, TALK, calls=2)
        await said(store, "d2", DANA, OTHER, calls=1)
        await sign(store, heads)
        await submitted(store, "d1", "PA-2026-000001", ALEX, TALK)
        await submitted(store, "d2", "PA-2026-000002", DANA, OTHER)
        await kept(store, "doc1", "d1", ALEX)
        await kept(store, "doc2", "d2", DANA)
        await sign(store, heads)
    shutil.copyfile(var / DATABASE, var / EARLIER)
    store = store_of(var)
    await store.start()
    await decided(store, "d1", "PA-2026-000001", "approved")
    for name, form in (("d3", "gifts"), ("d4", "loan")):
        await said(store, name, EVE, f"T0NORTH:D0{name}:", form, calls=1)
        await submitted(store, name, f"{form}-1", EVE, f"T0NORTH:D0{name}:", form)
    await sign(store, heads)
    await store.erase(DANA, {"pa_dealing": 5})
    await forgotten(store, "gifts")
    for _ in range(2):
        await forgotten(store, "loan", audit=True)
    await said(store, "d5", FINN, "T0NORTH:D0FINN:")
    await kept(store, "doc5", "d5", FINN)
    await store.discard(("doc5",))
    await sign(store, heads)
    await said(store, "d5", FINN, "T0NORTH:D0FINN:")
    await sign(store, heads)
    await store.stop()


async def _small(var: Path, key: bytes) -> None:
    put_tables(var / DATABASE)
    async with open_store(f"sqlite:///{var / DATABASE}", key) as store:
        await said(store, "d1", ALEX, TALK)
        await sign(store, HeadsFile(var / HEADS))


def make_small(var: Path, key: bytes) -> None:
    """An installation of another key, in which one thing was said; an event loop may run here."""
    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, _small(var, key)).result()
