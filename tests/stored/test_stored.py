"""What was stored before a rename is read after it: bodies, chains, drafts, records, erasures, the ledger."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot.exports.export import Wanted, wanted_text
from bot.root.installation import make_store
from state.draft.changes import fold
from state.engine.codec import CHANGES, EVENTS, decode_change, decode_draft, decode_effect, decode_event, encode
from state.stores.store import Store
from tests.chain import verify_all
from tests.stored.restored import PEOPLE, copied
from tests.world import TEAM, settings

CHANGED = frozenset({
    "CardAnswered", "CardOpened", "Closed", "Counted", "Disclosed", "DocumentKept", "Going", "HandedBack", "HandedOver", "Heard",
    "Locked", "OffersMade", "OperationWaits", "OptionsFound", "Proposed", "ReadingsChanged", "RecordGiven", "Reopened", "StageMoved",
    "StatusMoved", "TurnBegun", "UndoKept", "Unlocked", "ValueRetired", "ValueSet", "ZoneKnown",
})  # fmt: skip
HAPPENED = frozenset({"Said", "Clicked", "Replied", "Found", "Gathered", "Received", "Operated"})
WANTED = frozenset({"CallModel", "LookUp", "Gather", "Begin", "Fetch", "Operate"})
"""Effects that are stored as they are; the others are stored as the messages, records and files that they became."""
DELIVERED = frozenset({"post", "repaint", "attach", "whisper", "right"})
"""Rows of the outbox that hold no effect but what Slack is to get."""
RECORDS = {"pa_dealing": 8, "loan": 2, "vehicle_case": 1, "requirements": 1}
BALANCE = {"EUR": Decimal("120.50"), "GBP": Decimal("419.00")}
DEAD = ["inbox", "outbox"]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """The kept database, opened (and so migrated) by the code of today."""
    async with make_store(settings(copied(tmp_path))) as opened:
        yield opened


def key(situation: str) -> str:
    """The store's key of a situation's person."""
    return f"{TEAM}:{PEOPLE[situation]['id']}"


async def rows(store: Store, table: str) -> list[dict[str, Any]]:
    """All rows of a table that hold anything personal, opened."""
    return [held.row for one in PEOPLE for held in [h async for h in store.everything(key(one))] if held.table == table]


async def test_it_opens_and_every_chain_verifies(store: Store) -> None:
    """Migrations run on what was stored, and no draft's chain of events is broken, erased people's included."""
    checked, broken = await verify_all(store)
    assert broken == [] and checked == len(await store.drafts()) > len(PEOPLE) // 2
    assert [queue for queue, _, _ in await store.dead()] == DEAD


async def test_every_draft_is_the_fold_of_its_events(store: Store) -> None:
    """From the empty draft in its first event, the stored changes lead to the stored draft, revision for revision."""
    folded = 0
    for name in await store.drafts():
        stored, (first, *later) = await store.draft(name), await store.events(name)
        if stored is None or stored.erased:
            continue
        draft = decode_draft(first.body)
        for event in later:
            draft = fold(draft, [decode_change(change) for change in event.changes])
            assert draft.revision == event.revision
        assert draft == decode_draft(stored.body)
        folded += 1
    assert folded > len(PEOPLE) // 2


def lossless(stored: Mapping[str, Any], read: Mapping[str, Any]) -> bool:
    """Return True if all that was stored was read; the kind may have another name by now, and a counter became a field."""
    return all(_same(value, read[name]) for name, value in stored.items() if name != "kind")


def _same(stored: Any, read: Any) -> bool:
    """Equal, but for attributes that things have got since."""
    if isinstance(stored, dict):
        return isinstance(read, dict) and all(name in read and _same(v, read[name]) for name, v in stored.items())
    if isinstance(stored, list):
        return isinstance(read, list) and len(stored) == len(read) and all(map(_same, stored, read))
    return bool(stored == read)


async def test_every_change_and_event_that_was_stored_is_read(store: Store) -> None:
    """Each stored change and event has a class today, which reads it without loss; every kind of both occurs."""
    changes, events = Counter[str](), Counter[str]()
    for name in await store.drafts():
        for event in await store.events(name):
            if not event.erased and event.kind != "Began":
                events[event.kind] += 1
                assert lossless(event.body, encode(decode_event(event.body)))
            for change in event.changes:
                changes[change["kind"]] += 1
                assert change["kind"] == "Counted" or lossless(change, encode(decode_change(change)))
    assert changes.keys() == CHANGED and events.keys() == HAPPENED
    assert CHANGES.keys() >= CHANGED and EVENTS.keys() >= HAPPENED


async def test_every_effect_that_was_stored_is_read(store: Store) -> None:
    """Each row of the outbox that holds an effect has a class today which reads it; the others are what Slack is to get."""
    wanted, delivered = Counter[str](), Counter[str]()
    for row in await rows(store, "outbox"):
        body = (row["sealed"] or {}).get("body") or {}
        if "effect" in body:
            wanted[body["effect"]["kind"]] += 1
            assert lossless(body["effect"], encode(decode_effect(body["effect"])))
        elif body:
            delivered[row["kind"]] += 1
    assert wanted.keys() == WANTED and delivered.keys() <= DELIVERED and delivered["post"]


async def test_records_are_exported(store: Store) -> None:
    """Every record is in the export of its form, with its values, as JSON and as CSV; a kept one of an erased person too."""
    for form, count in RECORDS.items():
        records = json.loads((await wanted_text(store, Wanted(form), "json"))[1])
        assert len(records) == count
        assert all(r["owner"] and (r.get("values") or r["state"] == "escalated") for r in records)
        lines = ((await wanted_text(store, Wanted(form), "csv"))[1]).splitlines()
        assert len(lines) == 1 + sum(len(r.get("values", ())) + len(r.get("disclosures", ())) or 1 for r in records)


@pytest.mark.parametrize(
    "situation", ["pa_dealing/erased_with_record", "pa_dealing/erased_draft", "vehicle_case/erased_documents"]
)
async def test_an_erased_person_stays_erased(store: Store, situation: str) -> None:
    """Nothing of theirs is listed or can be read but the record that the law wants kept; their tombstones stay."""
    assert await store.drafts_of(key(situation)) == [] and await store.documents_of(key(situation)) == []
    kept = [h.table async for h in store.everything(key(situation))]
    assert kept == (["records"] if situation == "pa_dealing/erased_with_record" else [])
    tombstones = await store.tombstones()
    assert len(tombstones) == 3 and sum(sum(t.drafts.values()) for t in tombstones) == 3
    assert sum(sum(t.kept.values()) for t in tombstones) == 1


async def test_the_ledger_balances(store: Store) -> None:
    """The entries that stand are those that were confirmed or said in full, to the cent."""
    sums: dict[str, Decimal] = {}
    for entry in await store.entries(TEAM, "expenses"):
        sums[entry.body["currency"]] = sums.get(entry.body["currency"], Decimal()) + Decimal(entry.body["amount"])
    assert sums == BALANCE
    mine = await store.entries(TEAM, "expenses", key("expenses/entries"))
    assert [(e.body["item"], e.body["amount"], e.body["currency"]) for e in mine] == [
        ("mechanic", "200.00", "GBP"),
        ("lunch", "12.00", "GBP"),
    ]


async def test_the_log_of_tool_calls_and_documents_are_read(store: Store) -> None:
    """Calls of readers and models have their arguments and results, refused ones their reason; files have their content."""
    logged = [call for name in await store.drafts() for call in await store.tool_calls(name) if not call.erased]
    assert {"rules", "scenario"} <= {call.reader for call in logged} and all(call.body for call in logged)
    assert any(call.reason for call in logged)
    files = [f for one in PEOPLE for f in await store.documents_of(key(one))]
    assert files
    for file in files:
        whole = await store.document(file.id)
        assert whole is not None and len(whole.content) == whole.size > 0
