"""The contract of the index of records: what waits in its order, what is found by whom, and what is found no more."""

from datetime import UTC, datetime, timedelta
from typing import Any

from state.stores.index import MINE, Wanted
from state.stores.rights import Terms
from state.stores.rows import Indexed
from state.stores.store import Store
from tests.stores.helpers import ALEX, DANA, OTHER, submit, taken, turn, write

ROBIN = "T0NORTH:U0ROBIN"
NORTH, WAITS = "T0NORTH", ("pa_dealing", "pending_manager")
FILED = datetime(2026, 11, 16, 9, tzinfo=UTC)


def entry(number: str, draft: str = "d1", who: str = ALEX, **given: Any) -> Indexed:
    """A request that waits for a manager."""
    plain: dict[str, Any] = {
        "state": WAITS[1],
        "post": given.get("state", WAITS[1]),
        "filed_at": FILED,
        "words": ("tesco", "plc"),
        "shape": "one",
    }
    return Indexed(number, draft, NORTH, WAITS[0], who, **{**plain, **given})


async def file(store: Store, draft: str, who: str = ALEX, where: str = "T0NORTH:D0ALEX:", **given: Any) -> str:
    """A filed record with its entry, written by one turn."""
    await turn(store, draft, who, where)
    lease = await taken(store, where)
    number = await submit(store, lease, draft, who=who)
    await write(store, lease, indexed=[entry(number, draft, who, **given)])
    await store.release(lease)
    return number


def numbers(found: Any) -> list[str]:
    return [one.number for one in getattr(found, "entries", found)]


async def test_what_is_late_comes_first_and_what_has_no_hurry_last(store: Store) -> None:
    """Pages are in the order in which verdicts are due; how many wait, and how many are late, is counted for all pages."""
    now = await store.now()
    late, soon, later = (now + timedelta(hours=hours) for hours in (-1, 1, 2))
    names = [await file(store, f"d{n}", due_at=due) for n, due in enumerate((None, later, late, soon))]
    queue = await store.waiting_for(NORTH, [WAITS], DANA)
    assert numbers(queue) == [names[n] for n in (2, 3, 1, 0)]
    assert (queue.count, queue.late) == (4, 1) and queue.entries[-1].due_at is None
    assert numbers(await store.waiting_for(NORTH, [WAITS], DANA, limit=2, skip=1)) == [names[3], names[1]]


async def test_nobody_has_their_own_or_what_they_decided_before_them(store: Store) -> None:
    """The queue leaves out the person's own requests, those on which they gave a verdict, other states and other workspaces."""
    own = await file(store, "d1")
    decided = await file(store, "d2", DANA, OTHER, judges=(ALEX,))
    await file(store, "d3", state="approved")
    assert numbers(await store.waiting_for(NORTH, [WAITS], ALEX)) == []
    assert numbers(await store.waiting_for(NORTH, [WAITS], "T0NORTH:U0ROBIN")) == [own, decided]
    assert (await store.waiting_for("T0SOUTH", [WAITS], ALEX)).count == 0
    assert (await store.waiting_for(NORTH, [], DANA)).count == 0


async def test_what_waits_for_somebody_by_name_is_in_their_queue_alone(store: Store) -> None:
    """Whoever else decides at that post does not find it; all that waits is counted where nobody asks for themselves."""
    post = (WAITS[0], f"{WAITS[1]}{MINE}")
    mine = await file(store, "d1", post=post[1], named=(DANA, ROBIN))
    anybodys = await file(store, "d2", ALEX, OTHER)
    for who, found in ((DANA, [mine]), (ROBIN, [mine]), ("T0NORTH:U0EVE", [])):
        waits = await store.waiting_for(NORTH, [post], who)
        assert (numbers(waits), waits.count) == (found, len(found))
    assert numbers(await store.waiting_for(NORTH, [WAITS], DANA)) == [anybodys]
    assert (await store.waiting_for(NORTH, [post, WAITS], "")).count == 2


async def test_a_search_holds_everything_that_is_said(store: Store) -> None:
    """By words, person, state, number and days, newest first; never in another workspace."""
    one = await file(store, "d1")
    two = await file(store, "d2", DANA, OTHER, words=("vodafone", "plc"), filed_at=FILED + timedelta(days=1))
    here = {"tenant": NORTH, "forms": ("pa_dealing",)}
    assert numbers(await store.found(Wanted(**here))) == [two, one]
    assert numbers(await store.found(Wanted(**here, words=("tesco",)))) == [one]
    assert numbers(await store.found(Wanted(**here, words=("tesco", "vodafone")))) == []
    assert numbers(await store.found(Wanted(**here, person=DANA, words=("plc",)))) == [two]
    assert numbers(await store.found(Wanted(**here, but=DANA))) == [one]
    assert numbers(await store.found(Wanted(**here, number=one, state="approved"))) == []
    assert numbers(await store.found(Wanted(**here, since=FILED + timedelta(hours=1)))) == [two]
    assert numbers(await store.found(Wanted(**here, until=FILED + timedelta(hours=1)))) == [one]
    assert numbers(await store.found(Wanted("T0SOUTH", ("pa_dealing",), words=("tesco",)))) == []
    assert numbers(await store.found(Wanted(NORTH, ()))) == []


async def test_what_a_turn_changes_is_found_as_it_stands(store: Store) -> None:
    """A record that moves on is in the queue no more, and words that are its no more find it no more."""
    number = await file(store, "d1")
    moved = entry(number, state="approved", decided_at=FILED + timedelta(hours=3), verdict="approve", words=("shell",))
    await write(store, await taken(store, "T0NORTH:D0ALEX:"), indexed=[moved])
    assert (await store.waiting_for(NORTH, [WAITS], DANA)).count == 0
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",), words=("tesco",)))) == []
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",), words=("shell",)))) == [number]


async def test_a_state_that_is_amended_alone_counts(store: Store) -> None:
    """A record from before its draft kept its state moves on in the index too."""
    number = await file(store, "d1")
    await write(store, await taken(store, "T0NORTH:D0ALEX:"), amended={number: "escalated"})
    assert (await store.waiting_for(NORTH, [WAITS], DANA)).count == 0


async def test_the_index_is_filled_behind_and_never_over_a_turn(store: Store) -> None:
    """Records without an entry of today's shape are named; what a turn has entered by then stays."""
    number = await file(store, "d1", shape="old")
    await turn(store, "d2")
    bare = await submit(store, await taken(store), "d2")
    assert await store.unindexed({"pa_dealing": "one"}) == [number, bare]
    await store.enter([entry(bare, "d2", words=("shell",)), entry(number)])
    assert await store.unindexed({"pa_dealing": "one"}) == [] == await store.unindexed({})
    await store.enter([entry(number, state="approved")])
    assert (await store.waiting_for(NORTH, [WAITS], DANA)).count == 2
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",), words=("shell",)))) == [bare]


async def test_an_erased_persons_requests_are_found_no_more(store: Store) -> None:
    """Neither in a queue nor by a word, and no filling brings them back; what the law wants kept is found until its day, and waits for nobody."""
    await file(store, "d1")
    kept = await file(store, "d2", DANA, OTHER)
    await store.erase(ALEX)
    await store.enter([entry("PA-2026-000001", "d1")])
    await store.erase(DANA, keep={"pa_dealing": 5})
    assert numbers(await store.waiting_for(NORTH, [WAITS], "T0NORTH:U0ROBIN")) == []
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",), words=("tesco",)))) == [kept]
    late = await store.now() + timedelta(days=6 * 366)
    await store.expire_rest(late, FILED, FILED)
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",)))) == []


async def test_what_is_emptied_is_found_no_more(store: Store) -> None:
    """A record whose time is over leaves the index with its words."""
    await file(store, "d1")
    now = await store.now() + timedelta(days=1)
    await store.expire(Terms("pa_dealing", data=now, audit=FILED, records=now))
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",)))) == []
    assert await store.unindexed({"pa_dealing": "one"}) == []


async def test_a_week_is_counted_in_the_index(store: Store) -> None:
    """What was filed, the verdicts, and the middle and the longest of the times that they took; a withdrawal took nobody's."""
    hours = {"approve": (2, 4, 30), "decline": (10,), "withdraw": (1,)}
    cases = [(verdict, taken_) for verdict, every in hours.items() for taken_ in every]
    for n, (verdict, taken_) in enumerate(cases):
        decided = {"state": "done", "decided_at": FILED + timedelta(hours=taken_), "verdict": verdict}
        await file(store, f"d{n}", **decided)
    week = await store.week(NORTH, "pa_dealing", FILED, FILED + timedelta(days=7))
    assert (week.filed, week.verdicts) == (5, {"approve": 3, "decline": 1, "withdraw": 1})
    assert (week.median, week.slowest) == (7 * 3600, 30 * 3600)
    await file(store, "d9", breached_at=FILED, breaches=2, filed_at=FILED - timedelta(days=9))
    later = await store.week(NORTH, "pa_dealing", FILED, FILED + timedelta(days=7))
    assert (later.filed, later.breached, later.open_breaches) == (5, 1, 2)
    before = await store.week(NORTH, "pa_dealing", FILED - timedelta(days=7), FILED)
    assert (before.filed, before.verdicts, before.median) == (0, {}, None)
    assert await store.tenants("pa_dealing") == [NORTH] and await store.tenants("gifts") == []


async def test_words_are_found_under_another_key_of_the_installation(store: Store) -> None:
    """Changing the key leaves the tokens as they are: they rest on the root, which stays."""
    number = await file(store, "d1")
    await store.change_key(bytes(range(1, 33)))
    await store.refresh_keys()
    while await store.wrap_again():
        pass
    assert await store.end_change()
    assert numbers(await store.found(Wanted(NORTH, ("pa_dealing",), words=("tesco",)))) == [number]
    await file(store, "d2", DANA, OTHER)
    assert len(await store.found(Wanted(NORTH, ("pa_dealing",), words=("tesco",)))) == 2
