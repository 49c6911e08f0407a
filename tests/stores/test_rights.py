"""The contract of people's rights: everything is shown, nothing stays that may not, and what the law wants kept is kept as long."""

from datetime import timedelta
from typing import Any

from sqlalchemy import LargeBinary

from state.stores.ledger import EntryWrite, OperationResult, Pending
from state.stores.rights import LEFT_OUT, SEALED, Held, Terms, years_after
from state.stores.rows import OutboxRow, StoredDocument
from state.stores.sql.tables import metadata
from state.stores.store import Store
from tests.chain import verify, verify_all
from tests.stores.helpers import ALEX, DANA, OTHER, TALK, filed, said, step, taken, write
from tests.stores.test_tool_calls import called

CANARY = "canary-9c1e"
YEAR = timedelta(days=366)


async def life(store: Store, who: str = ALEX, draft: str = "d1", where: str = TALK, mark: str = CANARY) -> None:
    """A person of whom something is held in every table: a message, a draft with a call and a record, a post, an operation."""
    await store.receive(said(f"Ev-{draft}", where, who, text=mark))
    lease = await taken(store, where)
    before, event = step(await store.draft(draft), draft, who, where, reason=mark)
    call = called(draft, who, body={"arguments": {"words": mark}, "result": {}})
    record = filed(f"PA-2026-00000{draft[1:]}", draft, who, reason=mark)
    post = OutboxRow(f"p-{draft}", f"slack:{where}", "post", who, {"text": mark})
    await write(
        store, lease, draft=before, events=[event], calls=[call], records=[record], outgoing=[post], current=draft
    )
    await store.release(lease)
    until = (await store.now()) + timedelta(days=30)
    await store.keep(
        StoredDocument(f"doc-{draft}", draft, who, "T0NORTH", f"{mark}.pdf", "pdf", "c0ffee", mark.encode(), until)
    )
    await store.propose(Pending(f"q-{draft}", "T0NORTH", who, "expenses", {"item": mark}), 600)
    entry = EntryWrite("T0NORTH", "expenses", await store.last_entry("T0NORTH", "expenses") + 1, who, {"item": mark})
    await store.carry_out(OperationResult(f"q-{draft}", (entry,), {"said": mark}))


async def held(store: Store, who: str) -> list[Held]:
    """All that is held of somebody."""
    return [one async for one in store.everything(who)]


async def test_everything_that_is_held_is_shown(store: Store) -> None:
    """Each table's rows of a person come out with their words, and nobody else's."""
    await life(store)
    await life(store, DANA, "d2", OTHER, "not mine")
    shown = await held(store, ALEX)
    assert {one.table for one in shown} == set(SEALED)
    assert all(CANARY in str(one.row) for one in shown) and "not mine" not in str(shown)
    assert await held(store, "T0NORTH:U0NOBODY") == []


async def test_large_holdings_are_shown_whole(store: Store) -> None:
    """However many rows there are, each is shown once."""
    for n in range(450):
        await store.receive(said(f"Ev{n}", text=f"message {n}"))
    shown = await held(store, ALEX)
    assert sorted(str(one.row) for one in shown) == sorted({str(one.row) for one in shown})
    assert len(shown) == 450


async def test_after_an_erasure_nothing_is_shown_and_a_tombstone_stays(store: Store) -> None:
    """Everything of the person is gone, others keep all of theirs, and counts by form remain."""
    await life(store)
    await life(store, DANA, "d2", OTHER, "hers")
    before = await held(store, DANA)
    erasure = await store.erase(ALEX)
    assert erasure and erasure.kept == ()
    assert await held(store, ALEX) == [] and await held(store, DANA) == before
    (stone,) = await store.tombstones()
    assert (dict(stone.drafts), dict(stone.records), stone.events, stone.tool_calls) == (
        {"pa_dealing": 1},
        {"pa_dealing": 1},
        1,
        1,
    )
    assert (await verify_all(store))[1] == []


async def test_what_the_law_wants_kept_outlives_the_person(store: Store) -> None:
    """A kept record reads as before and is still found as the person's; all else of them is erased."""
    await life(store)
    before = await store.record("PA-2026-000001")
    erasure = await store.erase(ALEX, {"pa_dealing": 5})
    assert before and before.filed_at and erasure
    (kept,) = erasure.kept
    assert (kept.number, kept.until) == (before.number, years_after(before.filed_at, 5))
    assert await store.record(before.number) == before
    assert await store.records_of(ALEX) == [before]
    assert [one.table for one in await held(store, ALEX)] == ["records"]
    draft = await store.draft("d1")
    assert draft and draft.erased and dict((await store.tombstones())[0].kept) == {"pa_dealing": 1}
    assert await store.erase(ALEX, {"pa_dealing": 5}) is None


async def test_a_kept_record_goes_on_its_day(store: Store) -> None:
    """Until the last day it reads; from then on its key is destroyed."""
    await life(store)
    erasure = await store.erase(ALEX, {"pa_dealing": 5})
    assert erasure
    until, ever = erasure.kept[0].until, (await store.now()) - YEAR
    assert await store.expire_rest(until - timedelta(seconds=1), ever, ever) == 0
    assert (await store.records_of(ALEX)) != []
    assert await store.expire_rest(until, ever, ever) == 1
    record = await store.record("PA-2026-000001")
    assert record and record.erased and await store.records_of(ALEX) == []


async def test_a_record_whose_time_is_over_is_not_kept(store: Store) -> None:
    """Where the law asks for no year more, an erasure takes the record too."""
    await life(store)
    erasure = await store.erase(ALEX, {"pa_dealing": 0})
    record = await store.record("PA-2026-000001")
    assert erasure and erasure.kept == () and record and record.erased


def terms(now: Any, *, data: bool, audit: bool = False, records: bool = False) -> Terms:
    """Terms under which the parts that are named are over by now."""
    later, earlier = now + timedelta(minutes=1), now - YEAR
    return Terms("pa_dealing", later if data else earlier, later if audit else earlier, later if records else earlier)


async def test_words_go_after_their_time_and_the_chain_stays(store: Store) -> None:
    """Draft, events and calls are emptied; the chain verifies, the record stays as long as its own terms say."""
    await life(store)
    links = await store.links("d1")
    assert await store.expire(terms(await store.now(), data=True)) == 1
    draft, (event, *_), (call,) = await store.draft("d1"), await store.events("d1"), await store.tool_calls("d1")
    assert draft and draft.erased and event.erased and call.erased and await store.current(TALK) is None
    assert await store.links("d1") == links and (await verify(store, "d1")).broken == ""
    assert [r.number for r in await store.records_of(ALEX)] == ["PA-2026-000001"]
    assert await store.expire(terms(await store.now(), data=True)) == 0


async def test_what_is_still_in_its_time_is_left_alone(store: Store) -> None:
    """Nothing is touched before its terms are over."""
    await life(store)
    before = await held(store, ALEX)
    now = await store.now()
    assert await store.expire(terms(now, data=False)) == 0
    assert await store.expire_rest(now, now - YEAR, now - YEAR) == 0
    assert await held(store, ALEX) == before


async def test_the_skeleton_goes_with_the_audit(store: Store) -> None:
    """Once the audit's time is over as well, no row of draft, events, calls or record is left; a full record holds its draft."""
    await life(store)
    now = await store.now()
    await store.expire(terms(now, data=True, audit=True))
    assert await store.drafts() == ["d1"]
    await store.expire(terms(now, data=True, audit=True, records=True))
    await store.expire(terms(now, data=True, audit=True, records=True))
    assert (await store.drafts(), await store.links("d1"), await store.tool_calls("d1")) == ([], [], [])
    assert await store.record("PA-2026-000001") is None


async def test_a_day_is_claimed_once(store: Store) -> None:
    """Of several that would do a day's work, one does; another on the next day."""
    assert [await store.claim_day("retention", day) for day in (7, 7, 8, 7, 8)] == [True, False, True, False, False]
    assert await store.claim_day("something else", 7)


PLAIN = {
    "person_keys": "keys, under a keyed hash of whose they are; emptied by an erasure",
    "conversations": "encrypted names; rows of erased people are deleted",
    "leases": "encrypted names; free lanes of erased people are deleted",
    "reaches": "when Slack last answered, by workspace",
    "posts": "where cards are; rows of erased people are deleted",
    "installations": "what a workspace granted the app, under a key of the workspace's own; no person's",
    "list_versions": "lists that officers keep, under a key of the workspace's own: the firm's policy, and who uploaded it",
    "list_uploads": "the same while somebody looks at them, for an hour",
    "oauth_states": "keyed hashes of installations under way, for minutes",
    "series": "counters",
    "spending": "counters",
    "tombstones": "counts",
    "holds": "by whom and why something may not go, under a key of the holds' own; people by keyed hashes",
    "custody": "ids of drafts, numbers of records, digests",
    "checkpoints": "ids of drafts, hashes, signatures",
    "record_index": "the state of records, under a keyed hash of whose they are; rows of erased people are deleted, but for records that are kept",
    "record_words": "keyed hashes of the words that a record is found by; they go with its row of the index",
    "evidence_keys": "keys that the installation had before, wrapped",
}
"""Tables that hold nothing which people said, and why."""

NOBODYS = {
    "person_keys": {"wrapped"},
    "installations": {"granted"},
    "holds": {"told"},
    "list_versions": {"content"},
    "list_uploads": {"content"},
}
"""Sealed columns that hold nothing of a person's."""


def test_no_table_is_forgotten() -> None:
    """Every table either has its sealed columns entered, each of which an erasure closes, or says why it holds nothing personal."""
    tables = {name: set(SEALED[name]) | LEFT_OUT.get(name, frozenset()) for name in SEALED}
    for name, table in metadata.tables.items():
        binary = {c.name for c in table.c if isinstance(c.type, LargeBinary)}
        assert (name in SEALED) != (name in PLAIN), name
        assert ("sealed_by" in table.c) == (name in SEALED), name
        assert binary == tables.get(name, NOBODYS.get(name, set())), name


async def test_a_leap_day_ends_on_the_first_of_march(store: Store) -> None:
    """Five years after 29 February are over on 1 March."""
    day = (await store.now()).replace(year=2024, month=2, day=29)
    assert (years_after(day, 5).month, years_after(day, 5).day, years_after(day, 4).day) == (3, 1, 29)
