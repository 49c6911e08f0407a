"""The contract of lists in versions: numbered without gaps, published once, sealed, each a link in the chain."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from state.stores.lists import ListKey, Overtaken
from state.stores.rows import OutboxRow
from state.stores.store import Store

KEY = ListKey("T1", "pa_dealing", "restricted")
ROWS = {"rows": [{"isin": "GB00BLGZ9862", "note": "secret bid"}], "by": "U0DANA"}
PAST = datetime(2020, 1, 1, tzinfo=UTC)


async def publish(store: Store, after: int = 0, key: ListKey = KEY, effective: datetime = PAST, name: str = "") -> int:
    """An upload, published; its number."""
    upload = name or f"{key.list}-{after}"
    await store.keep_upload(upload, {"rows": []}, 60)
    return (await store.publish(upload, key, after, effective, ROWS)).number


async def test_versions_are_numbered_and_never_begin_before_they_are_there(store: Store) -> None:
    """Each list has its own; a day that is over by then is the moment of writing, a later one stays."""
    later = await store.now() + timedelta(days=3)
    began = await store.now() - timedelta(seconds=1)  # PostgreSQL's clock is known to a part of it
    assert [await publish(store), await publish(store, 1, effective=later)] == [1, 2]
    assert await publish(store, key=ListKey("T2", "pa_dealing", "restricted"), name="other") == 1
    first, second = await store.list_versions(KEY)
    assert began <= first.effective == first.uploaded_at and abs(second.effective - later) < timedelta(seconds=1)
    assert await store.list_content(KEY, 1) == ROWS and await store.list_content(KEY, 3) is None


async def test_what_was_previewed_is_published_once(store: Store) -> None:
    """Neither twice, nor where another version came meanwhile or one is missing, nor what nobody keeps any more; nothing of it is sent then."""
    row = OutboxRow("list:1", "slack:C1", "post", "T1:", {"team": "T1"})
    await store.keep_upload("mine", {"rows": []}, 60)
    await store.keep_upload("theirs", {"rows": []}, 60)
    assert await store.upload("mine") == {"rows": []}
    await store.publish("theirs", KEY, 0, PAST, ROWS)
    for name, after in (("mine", 0), ("mine", 7), ("theirs", 0), ("nothing", 0)):
        with pytest.raises(Overtaken):
            await store.publish(name, KEY, after, PAST, ROWS, [row])
    assert len(await store.list_versions(KEY)) == 1 and await store.next_outgoing("slack:C1") is None
    await store.publish("mine", KEY, 1, PAST, ROWS, [row])
    assert await store.upload("mine") is None and await store.next_outgoing("slack:C1") is not None


async def test_of_two_at_the_same_moment_one_is_published(store: Store) -> None:
    """The other one is refused, and writes nothing."""
    for name in ("a", "b"):
        await store.keep_upload(name, {"rows": []}, 60)
    ended = await asyncio.gather(
        *(store.publish(name, KEY, 0, PAST, ROWS) for name in ("a", "b")), return_exceptions=True
    )
    assert sorted(isinstance(one, Overtaken) for one in ended) == [False, True]
    assert len(await store.list_versions(KEY)) == 1


async def test_an_upload_that_nobody_confirms_goes(store: Store) -> None:
    """After its time it cannot be confirmed, and the next upload clears it away."""
    await store.keep_upload("old", {"rows": []}, -1)
    assert await store.upload("old") is None
    with pytest.raises(Overtaken):
        await store.publish("old", KEY, 0, PAST, ROWS)


CHANGES = {
    "UPDATE list_versions SET effective = uploaded_at WHERE number = 2": "changed after it was published (effective)",
    "UPDATE list_versions SET content = (SELECT content FROM list_versions WHERE number = 1) WHERE number = 2": "(sealed)",
    "DELETE FROM list_versions WHERE number = 1": "This version is missing",
    "INSERT INTO list_versions SELECT tenant, form, list, 9, effective, uploaded_at, key, content FROM list_versions WHERE number = 1":
        "No link says that this version was published",
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
async def test_a_version_that_was_touched_is_found(change: str, store: Store) -> None:
    """Verify finds what was edited, deleted or put in, by the link that each version has."""
    await publish(store)
    await publish(store, 1, effective=await store.now() + timedelta(days=1))
    assert (await store.audit()).faults == []
    await store._write(lambda transaction: transaction.run(text(change)))
    assert any(CHANGES[change] in fault.what for fault in (await store.audit()).faults)
