"""What a turn writes beside its events: tool calls, records, and records' states. The newest link of each draft says what it was."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert

from state.stores.evidence.links import Beside, call_digest, digest, record_facts
from state.stores.protocol import Record, TurnWrites
from state.stores.sql.calls import call_rows
from state.stores.sql.custody import append
from state.stores.sql.records import amend, file, record_row, refile
from state.stores.sql.tables import tool_calls
from state.stores.sql.transaction import Transaction

Values = dict[str, Any]


class BesideEvents:
    """Prepared before the events, so that their links can cover it; written after them, which its rows name."""

    def __init__(
        self, transaction: Transaction, work: TurnWrites, now: datetime, outgoing: Sequence[Values] = ()
    ) -> None:
        self._transaction, self._work, self._now, self._outgoing = transaction, work, now, outgoing
        self._calls: list[Values] = []
        self._records = [record_row(transaction, record, now) for record in work.records]
        self._states: dict[str, tuple[str, int, str]] = {}
        """Number to draft, version and state."""
        self._refiled = [self._again(record) for record in work.refiled]
        for number, state in work.amended.items():
            self._move(number, state)

    def _again(self, record: Record) -> Values:
        row, version = refile(self._transaction, record_row(self._transaction, record, self._now))
        self._states[record.number] = (record.draft, version, record.state)
        return row

    def _move(self, number: str, state: str) -> None:
        """A record that is filed in the same turn is filed as it shall be."""
        filed = [row for row in self._records if row["number"] == number]
        for row in filed:
            row["state"] = state
        if not filed:
            self._states[number] = (*amend(self._transaction, number, state), state)

    def text(self, draft: str, n: int) -> str:
        """What a draft's newest link, of this number, has to say."""
        calls = [(place, call) for place, call in enumerate(self._work.calls) if call.draft == draft]
        rows = call_rows(self._transaction, calls, n, self._now)
        self._calls += rows
        return self._beside(draft, tuple(call_digest(row, digest(row["sealed"])) for row in rows)).text()

    def _beside(self, draft: str, calls: tuple[str, ...] = ()) -> Beside:
        rows = (*self._records, *self._refiled)
        filed = {r["number"]: record_facts(r, digest(r["sealed"])) for r in rows if r["draft"] == draft}
        states = {number: (v, state) for number, (of, v, state) in self._states.items() if of == draft}
        shown = tuple(digest(row["sealed"]) for row in self._outgoing if row["draft"] == draft)
        return Beside(calls, filed, states, shown)

    def write(self) -> None:
        """Insert the rows; what belongs to a draft without an event here gets a link of its own."""
        if self._calls:
            self._transaction.run(insert(tool_calls), self._calls)
        for row in self._records:
            file(self._transaction, row)
        here = {draft.id for draft in self._work.drafts}
        others = {row["draft"] for row in self._records} | {draft for draft, _, _ in self._states.values()}
        for draft in sorted(others - here):
            append(self._transaction, "records", {"beside": self._beside(draft).text()}, at=self._now)
