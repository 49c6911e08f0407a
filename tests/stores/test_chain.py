"""The chain of events: whatever is changed in the database behind the store's back is found, and named."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import aiosqlite
import pytest

from state.draft.draft import Status
from state.engine.codec import decode_draft
from state.stores.errors import Tampered, WrongKey
from state.stores.lists import ListKey
from state.stores.opener import open_store
from state.stores.rows import StoredDocument, StoredDraft
from state.stores.store import Store
from state.stores.vault import Vault
from tests.chain import verify, verify_all
from tests.stores.helpers import ALEX, DANA, KEY, OTHER, TALK, step, submit, taken, there, turn, write


@pytest.fixture
async def filled(sqlite: str) -> AsyncIterator[Store]:
    """A store with a draft of four events and another one."""
    async with open_store(sqlite, KEY) as store:
        for n in range(4):
            await turn(store, quantity=n)
        await turn(store, "d2", DANA, OTHER)
    async with store:
        yield store


async def behind(url: str, *statements: str) -> None:
    """Change the file as somebody with a database tool would."""
    async with aiosqlite.connect(url.removeprefix("sqlite:///")) as connection:
        for statement in statements:
            await connection.execute(statement)
        await connection.commit()


FAULTS = {
    "UPDATE events SET sealed = CAST(sealed || x'00' AS BLOB) WHERE draft='d1' AND n=2": "Event 2 was changed after it was written.",
    "UPDATE events SET sealed = zeroblob(length(sealed)) WHERE draft='d1' AND n=3": (
        "Event 3 was changed after it was written."
    ),
    "UPDATE events SET kind = 'Clicked' WHERE draft='d1' AND n=2": "Event 2 was changed after it was written.",
    "UPDATE events SET rules_version = '' WHERE draft='d1' AND n=2": "Event 2 was changed after it was written.",
    "UPDATE events SET at = '2020-01-01 00:00:00.000000' WHERE draft='d1' AND n=4": "Event 4 was changed after it was written.",
    "UPDATE events SET revision = 9 WHERE draft='d1' AND n=2": "Event 2 was changed after it was written.",
    "UPDATE events SET hash = 'abc' WHERE draft='d1' AND n=2": "Event 2 was changed after it was written.",
    "UPDATE events SET previous = '' WHERE draft='d1' AND n=2": (
        "Event 2 does not follow event 1: that one was another when this was written."
    ),
    "DELETE FROM events WHERE draft='d1' AND n=2": "Event 2 is missing.",
    "DELETE FROM events WHERE draft='d1' AND n=1": "Event 1 is missing.",
    "DELETE FROM events WHERE draft='d1' AND n=4": "The chain ends at event 3; the draft says that event 4 is the newest.",
    "UPDATE drafts SET head = 'abc' WHERE name='d1'": "The chain ends at event 4; the draft says that event 4 is the newest.",
    "UPDATE drafts SET revision = 3 WHERE name='d1'": "The draft itself was changed after it was written.",
    "UPDATE drafts SET sealed = x'01' WHERE name='d1'": "The draft itself was changed after it was written.",
}


@pytest.mark.parametrize(("statement", "words"), FAULTS.items())
async def test_tampering_is_named(filled: Store, sqlite: str, statement: str, words: str) -> None:
    """The first link that is not as it was written is named in words; other drafts are still sound."""
    assert await verify_all(filled) == (2, [])
    await behind(sqlite, statement)
    assert (await verify(filled, "d1")).broken == words
    assert await verify_all(filled) == (2, [f"Draft d1: {words}"])


async def test_an_event_slipped_in_is_named(filled: Store, sqlite: str) -> None:
    """An event that was copied to the end of a chain is found."""
    columns = "kind, revision, form_version, rules_version, at, previous, hash, sealed_by, sealed"
    copy = f"INSERT INTO events (draft, n, {columns}) SELECT draft, 5, {columns} FROM events WHERE n=4"  # noqa: S608 (no input)
    await behind(sqlite, copy)
    assert "Event 5 does not follow event 4" in (await verify(filled, "d1")).broken


async def test_a_body_in_anothers_place_does_not_open(filled: Store, sqlite: str) -> None:
    """A body that was moved to another row of the same person is told as tampered with, and never shown there."""
    await behind(
        sqlite, "UPDATE events SET sealed = (SELECT sealed FROM events WHERE draft='d1' AND n=1) WHERE draft='d1'"
    )
    with pytest.raises(Tampered):
        await filled.events("d1")


async def test_a_database_of_another_installation_is_refused(filled: Store, sqlite: str) -> None:
    """A store that is started with another installation's key says so before anything is written."""
    await filled.stop()
    store = open_store(sqlite, Vault.make_key())
    with pytest.raises(WrongKey):
        await store.start()
    await store.stop()


async def test_a_draft_stored_long_ago_still_loads(store: Store) -> None:
    """A body without the attributes that came later, and with one that nobody knows any more, loads with their defaults."""
    body = {"kind": "Draft", "id": "d1", "form": "pa_dealing", "tenant": "T0NORTH", "owner": "U0ALEXREED", "gone": 1}
    old = StoredDraft("d1", ALEX, TALK, "pa_dealing", "open", 1, {**body, "conversation": TALK, "values": {}})
    await write(store, await taken(store), draft=old, events=[step(None)[1]])
    stored = there(await store.draft("d1"))
    draft = decode_draft(stored.body)
    assert (draft.status, draft.locked_fields, draft.stage, draft.ways_taken) == (Status.OPEN, frozenset(), "", {})


async def test_nothing_personal_is_in_the_file(sqlite: str, tmp_path: Path) -> None:
    """Neither what a person said or sent nor who they are, nor what a workspace granted or published, is in any byte of the database."""
    async with open_store(sqlite, KEY) as store:
        await turn(store, words="CANARY-VALUE")
        number = await submit(store, await taken(store, seconds=-1), reasons=["CANARY-REASON"])
        until = await store.now() + timedelta(days=1)
        await store.keep(StoredDocument("f1", "d1", ALEX, "T0NORTH", "CANARY.pdf", "pdf", "", b"CANARY-BYTES", until))
        await store.install("T0CANARY", {"bot_token": "CANARY-TOKEN"})
        await store.keep_upload("upload", {"rows": ["CANARY-ROW"]}, 60)
        await store.publish("upload", ListKey("T1", "pa_dealing", "restricted"), 0, until, {"by": "CANARY-OFFICER"})
        running = _bytes(tmp_path)
    for files in (running, _bytes(tmp_path)):
        assert number.encode() in files
        for canary in (b"CANARY", b"U0ALEXREED", b"D0ALEX", b"it is so"):
            assert canary not in files


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


async def test_a_destroyed_key_is_nowhere(sqlite: str, tmp_path: Path) -> None:
    """After an erasure the wrapped key is in no byte of the database, and so is nothing that could open its bodies."""
    async with open_store(sqlite, KEY) as store:
        await turn(store, words="secret")
        async with aiosqlite.connect(sqlite.removeprefix("sqlite:///")) as connection:
            row = await (
                await connection.execute("SELECT wrapped, person FROM person_keys WHERE person <> 'root'")
            ).fetchone()
        assert row is not None and row[0] in _bytes(tmp_path)
        await store.erase(ALEX)
        left = _bytes(tmp_path)
        assert (row[0] in left, row[1].encode() in left) == (False, False)
