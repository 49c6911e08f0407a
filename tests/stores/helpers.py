"""Small stories for the stores' tests: who says what where, and a turn that writes one step of a draft."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from state.stores.rows import InboxRow, Lease, Number, OutboxRow, Record, StoredDraft, StoredEvent, TurnWrites
from state.stores.store import Store

Found = TypeVar("Found")
KEY = bytes(range(32))
ALEX, DANA = "T0NORTH:U0ALEXREED", "T0NORTH:U0DANAQUILL"
TALK, OTHER = "T0NORTH:D0ALEX:", "T0NORTH:C0DESK:1700000000.000100"
LANE = f"slack:{TALK}"


def there(found: Found | None) -> Found:
    """What was looked for, which has to be there."""
    assert found is not None
    return found


def said(key: str = "Ev1", where: str = TALK, who: str = ALEX, **body: Any) -> InboxRow:
    """A message as it comes in."""
    return InboxRow(key, where, who, body)


def post(key: str = "p1", lane: str = LANE, who: str = ALEX, **body: Any) -> OutboxRow:
    """A post for the performer."""
    return OutboxRow(key, lane, "post", who, body)


def filed(number: str, draft: str = "d1", who: str = ALEX, form: str = "pa_dealing", **body: Any) -> Record:
    """A record as a turn files it."""
    return Record(number, draft, form, who, "T0NORTH", "pending_manager", "c0ffee", body)


def step(
    before: StoredDraft | None,
    name: str = "d1",
    who: str = ALEX,
    where: str = TALK,
    changed: bool = True,
    **values: Any,
) -> tuple[StoredDraft, StoredEvent]:
    """The draft one event later, and the event."""
    old = before or StoredDraft(name, who, where, "pa_dealing", "open", 0, {"values": {}})
    body = {**old.body, "values": {**old.body.get("values", {}), **values}}
    revision = old.revision + (1 if changed else 0)
    changes = ({"kind": "ValueSet", "values": values},) if changed else ()
    event = StoredEvent(old.id, "Said", {"text": "it is so", **values}, changes, revision, "form-1", "rules-1")
    return replace(old, revision=revision, body=body), event


async def taken(store: Store, lane: str = TALK, seconds: float = 30) -> Lease:
    """The lease on a lane that is known to be free."""
    return there(await store.take(lane, seconds))


async def turn(store: Store, name: str = "d1", who: str = ALEX, where: str = TALK, **values: Any) -> StoredDraft:
    """A whole turn: take the lane, read the draft, write one step of it, free the lane."""
    lease = await taken(store, where)
    draft, event = step(await store.draft(name), name, who, where, **values)
    await write(store, lease, draft=draft, events=[event], current=name)
    await store.release(lease)
    return there(await store.draft(name))


async def write(store: Store, lease: Lease, **work: Any) -> None:
    """One unit of work; each record counts its series up, as the turn does that files it."""

    def counted(number: Number) -> TurnWrites:
        for record in work.get("records", ()):
            number(record.number.rpartition("-")[0])
        return TurnWrites(**work)

    await store.write(lease, counted)


async def submit(store: Store, lease: Lease, draft: str = "d1", series: str = "PA-2026", **record: Any) -> str:
    """File a draft's record under the next number, as one turn does."""
    after, event = step(await store.draft(draft), draft, where=lease.lane)
    numbers: list[str] = []

    def work(number: Number) -> TurnWrites:
        numbers.append(number(series))
        return TurnWrites(draft=after, events=[event], records=[filed(numbers[-1], draft, **record)])

    await store.write(lease, work)
    return numbers[-1]


async def put_out(store: Store, *rows: OutboxRow) -> None:
    """Put work into the outbox, as a turn of nobody's draft does."""
    lease = await taken(store)
    await write(store, lease, outgoing=list(rows))
    await store.release(lease)


def values(stored: StoredDraft | None) -> Mapping[str, Any]:
    """What a stored draft says."""
    assert stored is not None
    said: Mapping[str, Any] = stored.body["values"]
    return said
