"""Records, and two counters: numbers without gaps, and the tokens spent on a day."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, func, join, or_, select, update

from state.stores.protocol import AlreadyFiled, Record, StoreError
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import opened, with_key
from state.stores.sql.tables import person_keys, records, series, spending
from state.stores.sql.transaction import Transaction
from state.stores.vault import Erased, Vault


class Records(Repository):
    """Reads what was filed; `SqlUnit` files."""

    async def record(self, number: str) -> Record | None:
        row = await self._first(with_key(records).where(records.c.number == number))
        return row and record_of(self._vault, row)

    async def records_of(self, person: str, form: str | None = None, limit: int = 200, skip: int = 0) -> list[Record]:
        mine = with_key(records).where(self._whose(person))
        mine = mine if form is None else mine.where(records.c.form == form)
        rows = await self._all(mine.order_by(records.c.id.desc()).limit(limit).offset(skip))
        return [record_of(self._vault, row) for row in rows]

    async def count_records(self, person: str) -> int:
        held = join(records, person_keys, records.c.sealed_by == person_keys.c.id)
        row = await self._first(select(func.count().label("held")).select_from(held).where(self._whose(person)))
        return int(row.held) if row else 0

    def _whose(self, person: str) -> ColumnElement[bool]:
        """A person's records, also those that are kept after an erasure."""
        index = self._vault.index(person)
        return or_(person_keys.c.person == index, records.c.kept_for == index)

    async def records(self, form: str, after: str = "", limit: int = 500) -> list[Record]:
        page = with_key(records).where(records.c.form == form, records.c.number > after)
        rows = await self._all(page.order_by(records.c.number).limit(limit))
        return [record_of(self._vault, row) for row in rows]

    async def spend(self, day: str, tokens: int) -> int:
        if not tokens:
            row = await self._first(select(spending.c.tokens).where(spending.c.day == day))
            return row.tokens if row else 0
        new = self._database.insert(spending).values(day=day, tokens=tokens)
        more = {"tokens": spending.c.tokens + tokens}
        added = new.on_conflict_do_update(index_elements=["day"], set_=more).returning(spending.c.tokens)
        return int(await self._write(lambda transaction: transaction.run(added).scalar_one()))


def next_number(transaction: Transaction, prefix: str) -> str:
    """Count a series up. Others wait for its row until this transaction ends, so that a number is used or was never given."""
    new = transaction.insert(series).values(prefix=prefix, last=1)
    counted = new.on_conflict_do_update(index_elements=["prefix"], set_={"last": series.c.last + 1})
    last = transaction.run(counted.returning(series.c.last)).scalar_one()
    return f"{prefix}-{last:06d}"


def record_row(transaction: Transaction, record: Record, now: datetime) -> dict[str, Any]:
    """The row of a record that is about to be filed."""
    owner, body = transaction.key(record.person), {"person": record.person, "body": record.body}
    plain = {name: getattr(record, name) for name in ("number", "draft", "form", "tenant", "state", "hash")}
    sealed = transaction.vault.seal(owner.key, f"records:{record.number}", body)
    return plain | {"filed_at": now, "sealed_by": owner.id, "sealed": sealed}


def file(transaction: Transaction, row: dict[str, Any]) -> None:
    """Insert a record. Raises AlreadyFiled where its draft has one."""
    new = transaction.insert(records).values(row)
    filed = transaction.run(new.on_conflict_do_nothing(index_elements=["draft"]))
    if filed.rowcount != 1:
        known = select(records.c.number).where(records.c.draft == row["draft"])
        raise AlreadyFiled(transaction.run(known).scalar_one())


def refile(transaction: Transaction, row: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Put what was confirmed anew into a record's row: the row, as filed on its first day, and its version. Raises StoreError for none."""
    known = select(records.c.filed_at).where(records.c.number == row["number"], records.c.draft == row["draft"])
    filed_at = transaction.run(known).scalar_one_or_none()
    if filed_at is None:
        raise StoreError("There is no such record of this draft.")
    changed = {name: row[name] for name in ("state", "hash", "sealed_by", "sealed")}
    new = update(records).where(records.c.number == row["number"]).values({**changed, "version": records.c.version + 1})
    version = transaction.run(new.returning(records.c.version)).scalar_one()
    return {**row, "filed_at": filed_at}, version


def amend(transaction: Transaction, number: str, state: str) -> tuple[str, int]:
    """Move a record to another state: its draft, and which of its states this is. Raises StoreError where there is none of that number."""
    moved = update(records).where(records.c.number == number).values(state=state, version=records.c.version + 1)
    amended = transaction.run(moved.returning(records.c.draft, records.c.version)).first()
    if amended is None:
        raise StoreError("There is no record of that number.")
    return amended.draft, amended.version


def record_of(vault: Vault, row: Row[Any]) -> Record:
    """A record from its row."""
    body = opened(vault, row, f"records:{row.number}")
    names = ("number", "draft", "form", "tenant", "state", "hash", "filed_at")
    erased = {"person": "", "body": {}, "erased": True}
    said = erased if isinstance(body, Erased) else {name: body[name] for name in ("person", "body")}
    return Record(**{name: row._mapping[name] for name in names}, **said)
