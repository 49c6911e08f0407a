"""The log of tool calls: plain columns to count by, and what was said sealed beside them."""

from collections.abc import Sequence
from datetime import datetime

from state.stores.rows import ToolLogEntry
from state.stores.sql.tables import tool_calls
from state.stores.sql.transaction import Transaction, Values, opened, with_key
from state.stores.vault import Erased

PLAIN = ("draft", "tenant", "form", "turn", "step", "reader", "tool", "status", "reason", "idempotent", "finalizes")


def logged(transaction: Transaction, draft: str) -> list[ToolLogEntry]:
    """Return all logged tool calls of a draft, oldest first."""
    calls = []
    mine = with_key(tool_calls).where(tool_calls.c.draft == draft).order_by(tool_calls.c.n, tool_calls.c.place)
    for row in transaction.run(mine):
        body = opened(transaction.vault, row, _identity(dict(row._mapping)))
        said = {"person": "", "body": {}, "erased": True} if isinstance(body, Erased) else body
        calls.append(ToolLogEntry(**{name: row._mapping[name] for name in (*PLAIN, "n", "place", "at")}, **said))
    return calls


def call_rows(
    transaction: Transaction, calls: Sequence[tuple[int, ToolLogEntry]], n: int, now: datetime
) -> list[Values]:
    """Return the rows of calls (with the place of each in the turn) beside the event of this number."""
    rows = []
    for place, call in calls:
        owner, body = transaction.key(call.person), {"person": call.person, "body": call.body}
        row = {name: getattr(call, name) for name in PLAIN} | {"n": n, "place": place, "at": now}
        rows.append(row | {"sealed_by": owner.id, "sealed": transaction.vault.seal(owner.key, _identity(row), body)})
    return rows


def _identity(row: Values) -> str:
    return f"tool_calls:{row['draft']}:{row['n']}:{row['place']}"
