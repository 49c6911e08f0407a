"""Inbox and outbox in memory: rows in lanes, the oldest open one first, each ending once."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from state.stores.protocol import (
    Body,
    InboxRow,
    Lease,
    LeaseLost,
    OutboxRow,
)

Item = TypeVar("Item", InboxRow, OutboxRow)


def fresh(body: Body) -> Body:
    """A body as a database would give it back: a copy, of JSON's own types."""
    copy: Body = json.loads(json.dumps(body))
    return copy


@dataclass
class Row(Generic[Item]):
    """A row of a queue. `item` holds the body; what changes stands beside it."""

    item: Item
    lane: str
    due_at: datetime
    attempts: int = 0
    status: str = "new"


class Lanes(Generic[Item]):
    """`open` and `dead` by id; what is done is dropped, all but its key."""

    def __init__(self) -> None:
        self.open: dict[int, Row[Item]] = {}
        self.dead: dict[int, Row[Item]] = {}
        self.people: dict[str, set[str]] = {}
        """Whose rows were ever in a lane; an erased person's are in none."""
        self._keys: set[str] = set()
        self._last = 0

    def put(self, item: Item, lane: str, due_at: datetime) -> bool:
        """Add a row; False where its key is known."""
        if item.key in self._keys:
            return False
        self._keys.add(item.key)
        self._last += 1
        self.people.setdefault(lane, set()).add(item.person)
        self.open[self._last] = Row(replace(item, id=self._last, body=fresh(item.body)), lane, due_at)
        return True

    def head(self, lane: str, now: datetime) -> Row[Item] | None:
        """The lane's oldest open row, if it is due."""
        row = next((row for row in self.open.values() if row.lane == lane), None)
        return row if row and row.due_at <= now else None

    def waiting(self, now: datetime, free: Callable[[str], bool]) -> list[str]:
        """Free lanes whose oldest open row is due, in the order of those rows."""
        heads: dict[str, Row[Item]] = {}
        for row in self.open.values():
            heads.setdefault(row.lane, row)
        return [lane for lane, row in heads.items() if row.due_at <= now and free(lane)]

    def mine(self, lease: Lease, row: int) -> Row[Item]:
        """An open row of the lease's lane, else LeaseLost."""
        found = self.open.get(row)
        if found is None or found.lane != lease.lane:
            raise LeaseLost("The row has come to its end already.")
        return found

    def fail(self, lease: Lease, row: int, due_at: datetime | None, status: str) -> None:
        """Count an attempt; without another time the row is dead."""
        failed = self.mine(lease, row)
        failed.attempts += 1
        if due_at is None:
            self.dead[row] = self.open.pop(row)
        else:
            failed.due_at, failed.status = due_at, status

    def erase(self, person: str) -> bool:
        """End all rows of a person."""
        theirs = [(rows, n) for rows in (self.open, self.dead) for n, row in rows.items() if row.item.person == person]
        for rows, n in theirs:
            del rows[n]
        self.people = {lane: left for lane, people in self.people.items() if (left := people - {person})}
        return bool(theirs)
