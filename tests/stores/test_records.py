"""The contract of records and counters: one record a draft, numbers without gaps, sums that lose nothing."""

import asyncio
from dataclasses import replace

import pytest

from state.stores.errors import AlreadyFiled, LeaseLost, StoreError
from state.stores.rows import Number, TurnWrites
from state.stores.store import Store
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, DANA, filed, step, submit, taken, turn, write


async def test_a_record_is_read_whole(store: Store) -> None:
    """A record is read as it was filed, with the time of filing."""
    await turn(store)
    number = await submit(store, await taken(store), answers={"quantity": 200})
    record = await store.record(number)
    assert record is not None and number == "PA-2026-000001"
    assert (record.draft, record.form, record.person, record.tenant) == ("d1", "pa_dealing", ALEX, "T0NORTH")
    assert (record.state, record.hash, record.body) == ("pending_manager", "c0ffee", {"answers": {"quantity": 200}})
    assert record.filed_at is not None and record.filed_at <= await store.now()


async def test_a_draft_is_filed_once(store: Store) -> None:
    """A second record of a draft is refused with the first one's number, and nothing of that turn is written."""
    await turn(store)
    lease = await taken(store)
    number = await submit(store, lease)
    with pytest.raises(AlreadyFiled) as refused:
        await submit(store, lease)
    assert refused.value.number == number
    assert len(await store.events("d1")) == 2


async def test_a_record_is_filed_again_as_itself(store: Store) -> None:
    """It takes what was confirmed anew and keeps its number and its day; links bear it out. Another draft's record is never touched."""
    await turn(store)
    await turn(store, "d2")
    lease = await taken(store)
    number = await submit(store, lease, answers={"quantity": 200})
    first = await store.record(number)
    draft, event = step(await store.draft("d1"), quantity=150)
    again = replace(filed(number, answers={"quantity": 150}), hash="beef", state="approved")
    await write(store, lease, draft=draft, events=[event], refiled=[again])
    record = await store.record(number)
    assert record is not None and first is not None
    assert (record.body, record.hash, record.state) == ({"answers": {"quantity": 150}}, "beef", "approved")
    assert record.filed_at == first.filed_at and await store.count_records(ALEX) == 1
    assert not (await store.audit()).faults
    other, event = step(await store.draft("d2"), "d2")
    with pytest.raises(StoreError):
        await write(store, lease, draft=other, events=[event], refiled=[replace(again, draft="d2")])


async def test_numbers_have_no_gaps(store: Store) -> None:
    """A number of a turn that failed, or of a draft that was filed already, is given to the next one."""
    for name in ("d1", "d2"):
        await turn(store, name)
    lease = await taken(store)
    await submit(store, lease, "d1")
    with pytest.raises(AlreadyFiled):
        await submit(store, lease, "d1")

    def broken(number: Number) -> TurnWrites:
        assert number("PA-2026") == "PA-2026-000002"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.write(lease, broken)
    assert await submit(store, lease, "d2") == "PA-2026-000002"


async def test_who_was_overtaken_gets_no_number(store: Store) -> None:
    """Asking for a number under a lost lease is LeaseLost at once."""
    lost = await taken(store, seconds=-1)
    await taken(store)
    with pytest.raises(LeaseLost):
        await submit(store, lost)


async def test_each_series_counts_by_itself(store: Store) -> None:
    """A new year, or another form, begins at one; a turn may take several numbers."""
    lease = await taken(store)
    given: list[str] = []

    def several(number: Number) -> TurnWrites:
        given.extend(number(series) for series in ("PA-2026", "PA-2026", "PA-2027", "EX-2026"))
        return TurnWrites()

    await store.write(lease, several)
    assert given == ["PA-2026-000001", "PA-2026-000002", "PA-2027-000001", "EX-2026-000001"]


async def test_submitters_at_the_same_time_file_once(ground: Ground) -> None:
    """Of eight that submit one draft at the same time on several replicas, one files, and its number is the first."""
    stores = [await ground.open() for _ in range(2)]
    await turn(stores[0])
    leases = [await taken(stores[0], f"lane{n}") for n in range(8)]

    async def one(n: int) -> str:
        return await submit(stores[n % 2], leases[n])

    results = await asyncio.gather(*map(one, range(8)), return_exceptions=True)
    assert [result for result in results if isinstance(result, str)] == ["PA-2026-000001"]
    assert [record.number for record in await stores[0].records("pa_dealing")] == ["PA-2026-000001"]


async def test_filers_at_the_same_time_are_told_the_number(ground: Ground) -> None:
    """Whoever files a draft's second record, however close behind the first, is told the first one's number."""
    stores = [await ground.open() for _ in range(2)]
    await turn(stores[0])
    leases = [await taken(stores[0], f"lane{n}") for n in range(6)]

    async def one(n: int) -> str:
        await stores[n % 2].write(leases[n], lambda number: TurnWrites(records=[filed(number("PA-2026"))]))
        return "filed"

    results = await asyncio.gather(*map(one, range(6)), return_exceptions=True)
    assert [result for result in results if result == "filed"] == ["filed"]
    refused = [result for result in results if isinstance(result, AlreadyFiled)]
    assert {refusal.number for refusal in refused} == {"PA-2026-000001"} and len(refused) == 5


async def test_a_record_needs_its_draft(store: Store) -> None:
    """A record of a draft that nobody wrote is refused."""
    with pytest.raises(StoreError):
        await write(store, await taken(store), records=[filed("PA-2026-000001", "d9")])
    assert await store.record("PA-2026-000001") is None


async def test_a_record_moves_to_another_state(store: Store) -> None:
    """A record's state can be amended; a number that nobody has cannot."""
    await turn(store)
    lease = await taken(store)
    number = await submit(store, lease)
    await write(store, lease, amended={number: "escalated"})
    record = await store.record(number)
    assert record is not None and record.state == "escalated"
    with pytest.raises(StoreError):
        await write(store, lease, amended={"PA-2026-000009": "escalated"})


async def test_records_of_a_person_come_newest_first(store: Store) -> None:
    """A person's records are listed newest first, of one form or of all, nobody else's among them, up to a limit."""
    lease = await taken(store)
    for n, (who, form) in enumerate(((ALEX, "pa_dealing"), (DANA, "pa_dealing"), (ALEX, "expenses"))):
        await turn(store, f"d{n}", who, where=f"T0NORTH:D{n}:")
        await write(store, lease, records=[filed(f"R-{n}", f"d{n}", who, form)])
    assert [record.number for record in await store.records_of(ALEX)] == ["R-2", "R-0"]
    assert [record.number for record in await store.records_of(ALEX, limit=1)] == ["R-2"]
    assert [record.number for record in await store.records_of(ALEX, "pa_dealing")] == ["R-0"]


async def test_records_of_a_person_come_a_page_at_a_time(store: Store) -> None:
    """What was shown already is skipped, and how many there are is known without reading them."""
    lease = await taken(store)
    for n in range(5):
        await turn(store, f"d{n}", where=f"T0NORTH:D{n}:")
        await write(store, lease, records=[filed(f"R-{n}", f"d{n}")])
    assert await store.count_records(ALEX) == 5 and await store.count_records("T1:U0NOBODY") == 0
    pages = [await store.records_of(ALEX, limit=2, skip=skip) for skip in (0, 2, 4, 6)]
    assert [[r.number for r in page] for page in pages] == [["R-4", "R-3"], ["R-2", "R-1"], ["R-0"], []]


async def test_records_of_a_form_come_by_number(store: Store) -> None:
    """All records of a form are walked through by number, a page at a time."""
    lease = await taken(store)
    for n in (3, 1, 2, 4):
        await turn(store, f"d{n}", where=f"T0NORTH:D{n}:")
        await write(
            store, lease, records=[filed(f"PA-2026-{n:06d}", f"d{n}", form="expenses" if n == 4 else "pa_dealing")]
        )
    first = await store.records("pa_dealing", limit=2)
    assert [record.number for record in first] == ["PA-2026-000001", "PA-2026-000002"]
    assert [record.number for record in await store.records("pa_dealing", first[-1].number)] == ["PA-2026-000003"]


async def test_a_days_tokens_add_up(ground: Ground) -> None:
    """Tokens spent at the same time on several replicas all count, each day by itself."""
    stores = [await ground.open() for _ in range(2)]
    await asyncio.gather(*(stores[n % 2].spend("2026-11-20", 100) for n in range(10)))
    assert await stores[0].spend("2026-11-20", 0) == 1000
    assert await stores[0].spend("2026-11-21", 5) == 5
