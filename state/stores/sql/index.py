"""The index of records in SQL. Turns enter what they change in their own transaction; what was there before is entered behind it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Row,
    Select,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
    update,
)

from state.stores.index import NEVER, Entry, Indexed, Post, Waiting, Wanted, Week
from state.stores.sql.repository import Repository
from state.stores.sql.tables import person_keys, record_index, record_words, records
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock
from state.stores.vault import Vault

SHOWN = (
    record_index.c.number, record_index.c.draft, record_index.c.form, record_index.c.state, record_index.c.filed_at,
    record_index.c.due_at,
)  # fmt: skip
NOW = select(clock()).scalar_subquery()
"""Asked once a statement, and not once a row."""
COLUMNS = (
    "number", "draft", "tenant", "form", "state", "post", "filed_at", "decided_at", "verdict", "breached_at", "breaches", "shape",
)  # fmt: skip


class Index(Repository):
    """Reads the index; `SqlUnit` writes it with the record."""

    async def waiting_for(
        self, tenant: str, posts: Sequence[Post], person: str, limit: int = 20, skip: int = 0, *, late: bool = False
    ) -> Waiting:
        if not posts:
            return Waiting()
        judge = _judge(self._vault, person) if person else ""
        mine = (record_index.c.tenant == tenant, *((record_index.c.due_at < NOW,) if late else ()))
        mine = (*mine, *((record_index.c.owner != self._vault.index(person),) if person else ()))
        counted = await self._all(union_all(*(_count((*mine, *_at(post)), judge) for post in posts)))
        entries = await self._all(_page([(*mine, *_at(post)) for post in posts], judge, limit, skip))
        count, over = (sum(getattr(row, name) or 0 for row in counted) for name in ("n", "late"))
        return Waiting(tuple(_entry(row) for row in entries), count, over)

    async def found(self, wanted: Wanted, limit: int = 20, skip: int = 0) -> list[Entry]:
        if not wanted.forms:
            return []
        page = select(*SHOWN).where(*_wanted(self._vault, wanted))
        newest = page.order_by(record_index.c.filed_at.desc(), record_index.c.number.desc()).limit(limit).offset(skip)
        return [_entry(row) for row in await self._all(newest)]

    async def unindexed(self, shapes: Mapping[str, str], limit: int = 200) -> list[str]:
        if not shapes:
            return []
        there = records.join(person_keys, records.c.sealed_by == person_keys.c.id)
        held = (person_keys.c.wrapped.is_not(None), func.length(records.c.sealed) > 0)
        fits = [and_(records.c.form == form, _made_by(shape)) for form, shape in shapes.items()]
        missing = select(records.c.number).select_from(there).where(*held, or_(*fits)).order_by(records.c.id)
        return [row.number for row in await self._all(missing.limit(limit))]

    async def enter(self, entries: Iterable[Indexed]) -> None:
        rows = list(entries)

        def write(transaction: Transaction) -> None:
            for one in rows:
                if transaction.run(_alive(one.number)).first():
                    _enter(transaction, one, over=False)

        if rows:
            await self._write(write)

    async def week(self, tenant: str, form: str, since: datetime, until: datetime) -> Week:
        here = (record_index.c.tenant == tenant, record_index.c.form == form)
        decided = (*here, _within(record_index.c.decided_at, since, until))
        by = select(record_index.c.verdict, func.count().label("n")).where(*decided).group_by(record_index.c.verdict)
        verdicts = {row.verdict: row.n for row in await self._all(by.order_by(record_index.c.verdict))}
        took = await self._took((*decided, record_index.c.verdict != "withdraw", record_index.c.took.is_not(None)))
        filed = await self._sum(func.count(), (*here, _within(record_index.c.filed_at, since, until)))
        breached = await self._sum(func.count(), (*here, _within(record_index.c.breached_at, since, until)))
        return Week(filed, verdicts, *took, breached, await self._sum(func.sum(record_index.c.breaches), here))

    async def _sum(self, what: ColumnElement[Any], which: Sequence[ColumnElement[bool]]) -> int:
        row = await self._first(select(what.label("n")).select_from(record_index).where(*which))
        return int(row.n or 0) if row else 0

    async def tenants(self, form: str) -> list[str]:
        named = select(record_index.c.tenant).where(record_index.c.form == form).distinct()
        return [row.tenant for row in await self._all(named.order_by(record_index.c.tenant))]

    async def _took(self, judged: Sequence[ColumnElement[bool]]) -> tuple[float | None, float | None]:
        """Median and longest: the middle of the durations in their order."""
        told = await self._first(
            select(func.count().label("n"), func.max(record_index.c.took).label("most")).where(*judged)
        )
        if told is None or not told.n:
            return None, None
        ordered = select(record_index.c.took).where(*judged).order_by(record_index.c.took)
        middle = await self._all(ordered.limit(2 - told.n % 2).offset((told.n - 1) // 2))
        return sum(row.took for row in middle) / len(middle), float(told.most)


def write_index(transaction: Transaction, entries: Sequence[Indexed], amended: Mapping[str, str]) -> None:
    """What a turn changed: whole entries, and the states of records whose drafts say nothing of them."""
    entered = {one.number for one in entries}
    for number, state in amended.items():
        if number not in entered:
            alone = update(record_index).where(record_index.c.number == number)
            transaction.run(alone.values(state=state, post=state))
    for one in entries:
        _enter(transaction, one, over=True)


def drop_index(transaction: Transaction, which: ColumnElement[bool]) -> None:
    """Records that nobody is to find any more."""
    gone = select(record_index.c.number).where(which)
    transaction.run(delete(record_words).where(record_words.c.number.in_(gone)))
    transaction.run(delete(record_index).where(which))


def _enter(transaction: Transaction, one: Indexed, *, over: bool) -> None:
    """`over`: whatever is there gives way. Otherwise only what was entered by another shape does."""
    row = {name: getattr(one, name) for name in COLUMNS} | {
        "owner": transaction.vault.index(one.person),
        "due_at": one.due_at or NEVER,
        "took": int((one.decided_at - one.filed_at).total_seconds()) if one.decided_at else None,
    }
    new = transaction.insert(record_index).values(row)
    same = {name: value for name, value in row.items() if name != "number"}
    older = None if over else record_index.c.shape != one.shape
    entered = new.on_conflict_do_update(index_elements=["number"], set_=same, where=older).returning(
        record_index.c.number
    )
    if transaction.run(entered).first() is None:
        return
    transaction.run(delete(record_words).where(record_words.c.number == one.number))
    tokens = _tokens(transaction.vault, one)
    if tokens:
        transaction.run(insert(record_words), [{"token": token, "number": one.number} for token in sorted(tokens)])


def _alive(number: str) -> Executable:
    """The record, if nobody has erased it meanwhile; an erasure waits until this transaction ends."""
    held = select(records.c.number).join_from(records, person_keys, records.c.sealed_by == person_keys.c.id)
    alive = held.where(records.c.number == number, person_keys.c.wrapped.is_not(None))
    return alive.with_for_update(read=True, of=person_keys)


def _tokens(vault: Vault, one: Indexed) -> set[str]:
    return {_word(vault, one.tenant, word) for word in one.words} | {_judge(vault, judge) for judge in one.judges}


def _word(vault: Vault, tenant: str, word: str) -> str:
    """Of one workspace: the same word in another one gives another token."""
    return vault.index(f"word:{tenant}:{word}")


def _judge(vault: Vault, person: str) -> str:
    return vault.index(f"judge:{person}")


def _has(token: str) -> ColumnElement[bool]:
    return exists().where(record_words.c.token == token, record_index.c.number == record_words.c.number)


def _at(post: Post) -> tuple[ColumnElement[bool], ...]:
    return (record_index.c.form == post[0], record_index.c.post == post[1])


def _count(at: Sequence[ColumnElement[bool]], judge: str) -> Select[*tuple[Any, ...]]:
    """How many wait at a post, and how many are late: of all, less those on which the person has decided. Read from the index alone."""
    late = func.sum(case((record_index.c.due_at < NOW, 1), else_=0))
    every = select(func.count().label("n"), late.label("late")).where(*at).subquery()
    theirs = select(func.count().label("n"), late.label("late")).select_from(record_words)
    same = theirs.join(record_index, record_index.c.number == record_words.c.number)
    judged = same.where(record_words.c.token == judge, *at).subquery()
    less = {name: func.coalesce(every.c[name], 0) - func.coalesce(judged.c[name], 0) for name in ("n", "late")}
    return select(*(value.label(name) for name, value in less.items())).join_from(every, judged, literal(True))


def _page(posts: Sequence[Sequence[ColumnElement[bool]]], judge: str, limit: int, skip: int) -> Select[Any]:
    """The numbers of a page, each post's first ones read from the index in its order; then what is shown of these."""
    order = (record_index.c.due_at, record_index.c.number)
    first = [
        select(select(*order).where(*at, ~_has(judge)).order_by(*order).limit(limit + skip).subquery()) for at in posts
    ]
    every = union_all(*first).subquery()
    page = select(every.c.number).order_by(every.c.due_at, every.c.number).limit(limit).offset(skip).subquery()
    return select(*SHOWN).join_from(page, record_index, record_index.c.number == page.c.number).order_by(*order)


def _wanted(vault: Vault, wanted: Wanted) -> list[ColumnElement[bool]]:
    conditions = [
        (True, record_index.c.tenant == wanted.tenant),
        (True, record_index.c.form.in_(wanted.forms)),
        (wanted.but, record_index.c.owner != vault.index(wanted.but)),
        (wanted.person, record_index.c.owner == vault.index(wanted.person)),
        (wanted.number, record_index.c.number == wanted.number),
        (wanted.state, record_index.c.state == wanted.state),
        (wanted.since, record_index.c.filed_at >= (wanted.since or NEVER)),
        (wanted.until, record_index.c.filed_at < (wanted.until or NEVER)),
    ]
    return [holds for asked, holds in conditions if asked] + [
        _has(_word(vault, wanted.tenant, word)) for word in wanted.words
    ]


def _made_by(shape: str) -> ColumnElement[bool]:
    """Records that no entry of this shape is about."""
    return ~exists().where(record_index.c.number == records.c.number, record_index.c.shape == literal(shape))


def _within(column: ColumnElement[Any], since: datetime, until: datetime) -> ColumnElement[bool]:
    return and_(column >= since, column < until)


def _entry(row: Row[Any]) -> Entry:
    due = None if row.due_at == NEVER else row.due_at
    return Entry(row.number, row.draft, row.form, row.state, row.filed_at, due)
