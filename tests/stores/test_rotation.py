"""A new key for the installation, while bots run: nothing is lost, nothing waits, and the old key opens nothing in the end."""

import pytest
from sqlalchemy import text

from state.stores.errors import WrongKey
from state.stores.opener import database_address, open_store
from state.stores.sql.engine import Database
from state.stores.store import Store
from state.stores.vault import InstallationKey, Vault
from tests.chain import verify
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, DANA, KEY, said, turn, values

NEW = bytes(range(100, 132))


async def whole(store: Store, quantity: int) -> None:
    """The draft reads, its person's drafts are found, its event is known, its chain and everything signed verify."""
    assert values(await store.draft("d1"))["quantity"] == quantity
    assert [d.id for d in await store.drafts_of(ALEX)] == ["d1"]
    assert (await verify(store, "d1")).broken == ""
    assert (await store.audit()).faults == []


async def test_a_key_is_changed_while_bots_run(shared: Ground) -> None:
    """Two processes go on throughout, before and after they take the new key up; then the old key opens nothing, and the new one all."""
    async with open_store(shared.url, KEY) as one, open_store(shared.url, KEY) as two:
        await turn(one, quantity=1)
        assert await one.receive(said("Ev1"))
        trace = one.trace("message:1")
        await one.change_key(NEW)
        await turn(two, quantity=2)  # it has not heard of it yet
        await turn(two, name="d2", who=DANA, quantity=7)
        await one.refresh_keys()
        await two.refresh_keys()
        assert one.key_id == two.key_id == InstallationKey(NEW).id
        await turn(one, quantity=3)
        while await one.wrap_again(limit=1):
            await turn(two, quantity=3)
        assert await one.end_change() and not await one.changing()
        await turn(two, quantity=4)
        await whole(two, 4)
        assert await two.receive(said("Ev1")) is None and two.trace("message:1") == trace
    async with open_store(shared.url, NEW) as fresh:
        await whole(fresh, 4)
    with pytest.raises(WrongKey):
        await open_store(shared.url, KEY).start()


@pytest.mark.parametrize("started_with", [KEY, NEW])
async def test_a_change_that_was_broken_off_is_gone_on_with(started_with: bytes, shared: Ground) -> None:
    """Killed after the change and before anything was wrapped anew: with either key a process opens everything, and finishes it."""
    async with open_store(shared.url, KEY) as first:
        await turn(first, quantity=1)
        await first.change_key(NEW)
    async with open_store(shared.url, started_with) as second:
        assert await second.changing() and await second.key_of_today() == NEW
        await whole(second, 1)
        await second.change_key(Vault.make_key())  # one at a time: this one is finished first
        assert await second.key_of_today() == NEW
        assert await second.wrap_again() > 0 and await second.wrap_again() == 0
        assert await second.end_change()
    async with open_store(shared.url, NEW) as third:
        await whole(third, 1)


async def test_a_change_does_not_end_while_something_needs_the_old_key(shared: Ground) -> None:
    """As long as one key is wrapped under the old one, both stay."""
    async with open_store(shared.url, KEY) as store:
        await turn(store, quantity=1)
        await store.change_key(NEW)
        await store.refresh_keys()
        assert not await store.end_change() and await store.changing()


async def test_what_was_wrapped_before_there_was_a_root_is_found(shared: Ground) -> None:
    """A database from before keys could be changed goes on with the hashes it has, and its key can be changed as any other's."""
    database = Database(database_address(shared.url))
    store = open_store(shared.url, KEY)
    store.names.root_in(KEY)  # type: ignore[attr-defined]  # as versions before this one did
    store.open_root = store.refresh_keys  # type: ignore[attr-defined]
    async with store:
        await turn(store, quantity=1)
    await database.write(lambda connection: connection.execute(text("DELETE FROM person_keys WHERE person = 'root'")))
    async with open_store(shared.url, KEY) as again:
        await whole(again, 1)
        await again.change_key(NEW)
        await again.refresh_keys()
        while await again.wrap_again():
            pass
        assert await again.end_change()
    async with open_store(shared.url, NEW) as last:
        await whole(last, 1)
    await database.stop()
