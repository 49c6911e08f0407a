"""Records, and two counters: numbers without gaps, and the tokens spent on a day."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, func, or_, select, update

from state.stores.errors import AlreadyFiled, StoreError
from state.stores.rows import Record
from state.stores.sql.tables import person_keys, records, spending
from state.stores.sql.transaction import Transaction, Values, count_up, opened, with_key
from state.stores.vault import Erased, Vault


def record(transaction: Transaction, number: str) -> Record | None:
    """Return the record of this number; None where there is none."""
    row = transaction.run(with_key(records).where(records.c.number == number)).first()
    return record_of(transaction.vault, row) if row else None


def records_of(
    transaction: Transaction, person: str, form: str | None = None, limit: int = 200, skip: int = 0
) -> list[Record]:
    """Return a person's records, newest first, without the first `skip` of them."""
    mine = with_key(records).where(_whose(transaction.vault, person))
    mine = mine if form is None else mine.where(records.c.form == form)
    rows = transaction.run(mine.order_by(records.c.id.desc()).limit(limit).offset(skip))
    return [record_of(transaction.vault, row) for row in rows]


def count_records(transaction: Transaction, person: str) -> int:
    """Return how many records a person has."""
    mine = with_key(records).with_only_columns(func.count()).where(_whose(transaction.vault, person))
    return int(transaction.run(mine).scalar_one())


def _whose(vault: Vault, person: str) -> ColumnElement[bool]:
    """Select a person's records, also those that are kept after an erasure."""
    index = vault.index(person)
    return or_(person_keys.c.person == index, records.c.kept_for == index)


def records_by_number(transaction: Transaction, form: str, after: str = "", limit: int = 500) -> list[Record]:
    """Return all records of a form by number, a page at a time."""
    page = with_key(records).where(records.c.form == form, records.c.number > after)
    rows = transaction.run(page.order_by(records.c.number).limit(limit))
    return [record_of(transaction.vault, row) for row in rows]


def spend(transaction: Transaction, day: str, tokens: int) -> int:
    """Add to a day's tokens (ISO date) and return the day's sum."""
    if not tokens:
        return spent(transaction, day)
    new = transaction.insert(spending).values(day=day, tokens=tokens)
    more = {"tokens": spending.c.tokens + tokens}
    added = new.on_conflict_do_update(index_elements=["day"], set_=more).returning(spending.c.tokens)
    return int(transaction.run(added).scalar_one())


def spent(transaction: Transaction, day: str) -> int:
    """Return a day's tokens (ISO date)."""
    return int(transaction.run(select(spending.c.tokens).where(spending.c.day == day)).scalar() or 0)


def next_number(transaction: Transaction, prefix: str) -> str:
    """Count a series up. Others wait for its row until this transaction ends, so that a number is used or was never given."""
    return f"{prefix}-{count_up(transaction, prefix):06d}"


def record_row(transaction: Transaction, record: Record, now: datetime) -> Values:
    """Return the row of a record that is about to be filed."""
    owner, body = transaction.key(record.person), {"person": record.person, "body": record.body}
    plain = {name: getattr(record, name) for name in ("number", "draft", "form", "tenant", "state", "hash")}
    sealed = transaction.vault.seal(owner.key, f"records:{record.number}", body)
    return plain | {"filed_at": now, "sealed_by": owner.id, "sealed": sealed}


def file(transaction: Transaction, row: Values) -> None:
    """Insert a record. Raises AlreadyFiled where its draft has one."""
    new = transaction.insert(records).values(row)
    filed = transaction.run(new.on_conflict_do_nothing(index_elements=["draft"]))
    if filed.rowcount != 1:
        known = select(records.c.number).where(records.c.draft == row["draft"])
        raise AlreadyFiled(transaction.run(known).scalar_one())


def refile(transaction: Transaction, row: Values) -> tuple[Values, int]:
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
    """Return a record from its row."""
    body = opened(vault, row, f"records:{row.number}")
    names = ("number", "draft", "form", "tenant", "state", "hash", "filed_at")
    erased = {"person": "", "body": {}, "erased": True}
    said = erased if isinstance(body, Erased) else {name: body[name] for name in ("person", "body")}
    return Record(**{name: row._mapping[name] for name in names}, **said)
