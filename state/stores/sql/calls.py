"""The log of tool calls: plain columns to count by, and what was said sealed beside them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from state.stores.protocol import ToolLogEntry
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import opened, with_key
from state.stores.sql.tables import tool_calls
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.vault import Erased, Vault

PLAIN = ("draft", "tenant", "form", "turn", "step", "reader", "tool", "status", "reason", "idempotent", "finalizes")

Calls = Sequence[tuple[int, ToolLogEntry]]


class ToolCalls(Repository):
    """Reads the log; `SqlUnit` writes it."""

    async def tool_calls(self, draft: str) -> list[ToolLogEntry]:
        mine = with_key(tool_calls).where(tool_calls.c.draft == draft).order_by(tool_calls.c.n, tool_calls.c.place)
        return [_call(self._vault, row) for row in await self._all(mine)]


def call_rows(transaction: Transaction, calls: Calls, n: int, now: datetime) -> list[dict[str, Any]]:
    """The rows of calls (with the place of each in the turn) beside the event of this number."""
    return [_row(transaction.vault, call, n, place, transaction.key(call.person), now) for place, call in calls]


def _row(vault: Vault, call: ToolLogEntry, n: int, place: int, owner: PersonKey, now: datetime) -> dict[str, Any]:
    columns = {name: getattr(call, name) for name in PLAIN} | {"n": n, "place": place, "at": now}
    body = {"person": call.person, "body": call.body}
    sealed = vault.seal(owner.key, identity(columns), body)
    return columns | {"sealed_by": owner.id, "sealed": sealed}


def identity(columns: Mapping[str, Any]) -> str:
    """What a call's sealed body is bound to."""
    return f"tool_calls:{columns['draft']}:{columns['n']}:{columns['place']}"


def _call(vault: Vault, row: Row[Any]) -> ToolLogEntry:
    body = opened(vault, row, identity(dict(row._mapping)))
    said = {"person": "", "body": {}, "erased": True} if isinstance(body, Erased) else body
    return ToolLogEntry(**{name: row._mapping[name] for name in (*PLAIN, "n", "place", "at")}, **said)
