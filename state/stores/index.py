"""The index of records: the state of each, so that a list of what waits, or a search, reads a page and not every record.

It repeats what drafts and records say, and is made anew from them: turns enter what they change in their own transaction, what was
there before is entered behind it. Nothing personal is in it in clear: people and words are keyed hashes under the installation's
root, which stays when its key is changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
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

from state.stores.rows import Indexed
from state.stores.sql.tables import person_keys, record_index, record_words, records
from state.stores.sql.transaction import Transaction, with_key
from state.stores.sql.types import clock
from state.stores.vault import Vault

NEVER = datetime(9999, 12, 31, tzinfo=UTC)
"""When a verdict is due for which there is no hurry: behind all others."""
FOUND_BY = insert(record_words)


@dataclass(frozen=True)
class Match:
    """A record as it is found."""

    number: str
    draft: str
    form: str
    state: str
    filed_at: datetime
    due_at: datetime | None = None


@dataclass(frozen=True)
class Waiting:
    """A page of what waits, the latest overdue first, then the soonest due; how many wait in all, and how many of them are late."""

    entries: tuple[Match, ...] = ()
    count: int = 0
    late: int = 0


@dataclass(frozen=True)
class Wanted:
    """A search, in one workspace and these forms: everything that is said holds. Days are from `since` up to before `until`."""

    tenant: str
    forms: tuple[str, ...]
    person: str = ""
    words: tuple[str, ...] = ()
    number: str = ""
    state: str = ""
    since: datetime | None = None
    until: datetime | None = None
    but: str = ""
    """Whose own requests are left out ("team:user")."""


@dataclass(frozen=True)
class Week:
    """Counts of a form's records between two moments. Durations are in seconds."""

    filed: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    median: float | None = None
    slowest: float | None = None
    breached: int = 0
    """Records of which the newest breach was opened then."""
    open_breaches: int = 0
    """Of all records, as it is now."""


Post = tuple[str, str]
"""A form, and what its records wait for there."""
MINE = ":mine"
"""The end of a post at which records wait for people by name: each finds their own there alone."""


SHOWN = (
    record_index.c.number, record_index.c.draft, record_index.c.form, record_index.c.state, record_index.c.filed_at,
    record_index.c.due_at,
)  # fmt: skip
NOW = select(clock()).scalar_subquery()
"""Asked once a statement, and not once a row."""
COLUMNS = (
    "number", "draft", "tenant", "form", "state", "post", "filed_at", "decided_at", "verdict", "breached_at", "breaches", "shape",
)  # fmt: skip


def waiting_for(
    transaction: Transaction,
    tenant: str,
    posts: Sequence[Post],
    person: str,
    limit: int = 20,
    skip: int = 0,
    *,
    late: bool = False,
) -> Waiting:
    """Return what waits at these posts; without the person's own requests, and those on which they have decided before."""
    if not posts:
        return Waiting()
    judge = _judge(transaction.vault, person) if person else ""
    mine_alone = _named(transaction.vault, person) if person else ""
    mine = (record_index.c.tenant == tenant, *((record_index.c.due_at < NOW,) if late else ()))
    mine = (*mine, *((record_index.c.owner != transaction.vault.index(person),) if person else ()))
    counted = transaction.run(union_all(*(_count((*mine, *_at(post, mine_alone)), judge) for post in posts))).all()
    entries = transaction.run(_page([(*mine, *_at(post, mine_alone)) for post in posts], judge, limit, skip))
    count, over = (sum(getattr(row, name) or 0 for row in counted) for name in ("n", "late"))
    return Waiting(tuple(_entry(row) for row in entries), count, over)


def found(transaction: Transaction, wanted: Wanted, limit: int = 20, skip: int = 0) -> list[Match]:
    """Return the records that are searched for, the newest first."""
    if not wanted.forms:
        return []
    page = select(*SHOWN).where(*_wanted(transaction.vault, wanted))
    newest = page.order_by(record_index.c.filed_at.desc(), record_index.c.number.desc()).limit(limit).offset(skip)
    return [_entry(row) for row in transaction.run(newest)]


def unindexed(transaction: Transaction, shapes: Mapping[str, str], limit: int = 200) -> list[str]:
    """Return numbers of records that are in no index, or were entered by another shape of their form, but for those of erased people."""
    if not shapes:
        return []
    held = (person_keys.c.wrapped.is_not(None), func.length(records.c.sealed) > 0)
    mine = record_index.c.number == records.c.number
    fits = [
        and_(records.c.form == form, ~exists().where(mine, record_index.c.shape == literal(shape)))
        for form, shape in shapes.items()
    ]
    missing = with_key(records, records.c.number).where(*held, or_(*fits)).order_by(records.c.id)
    return list(transaction.run(missing.limit(limit)).scalars())


def enter(transaction: Transaction, entries: Iterable[Indexed]) -> None:
    """Enter what `unindexed` named. What a turn has entered meanwhile stays as that did; an erasure waits until this transaction ends."""
    for one in entries:
        alive = with_key(records, records.c.number).where(
            records.c.number == one.number, person_keys.c.wrapped.is_not(None)
        )
        if transaction.run(alive.with_for_update(read=True, of=person_keys)).first():
            _enter(transaction, one, over=False)


def week(transaction: Transaction, tenant: str, form: str, since: datetime, until: datetime) -> Week:
    """Count what happened with a form's records, in the index alone."""
    index = record_index.c
    here = (index.tenant == tenant, index.form == form)

    def within(column: ColumnElement[Any]) -> tuple[ColumnElement[bool], ...]:
        return (*here, column >= since, column < until)

    def count(what: ColumnElement[Any], which: Sequence[ColumnElement[bool]]) -> int:
        return int(transaction.run(select(what).select_from(record_index).where(*which)).scalar() or 0)

    decided = within(index.decided_at)
    by = select(index.verdict, func.count().label("n")).where(*decided).group_by(index.verdict).order_by(index.verdict)
    verdicts = {row.verdict: row.n for row in transaction.run(by)}
    took = _took(transaction, (*decided, index.verdict != "withdraw", index.took.is_not(None)))
    filed, breached = (count(func.count(), within(column)) for column in (index.filed_at, index.breached_at))
    return Week(filed, verdicts, *took, breached, count(func.sum(index.breaches), here))


def _took(transaction: Transaction, judged: Sequence[ColumnElement[bool]]) -> tuple[float | None, float | None]:
    """Return the median and the longest duration: the middle of them in their order."""
    n, most = transaction.run(select(func.count(), func.max(record_index.c.took)).where(*judged)).one()
    if not n:
        return None, None
    ordered = select(record_index.c.took).where(*judged).order_by(record_index.c.took)
    middle = transaction.run(ordered.limit(2 - n % 2).offset((n - 1) // 2)).scalars().all()
    return sum(middle) / len(middle), float(most)


def tenants(transaction: Transaction, form: str) -> list[str]:
    """Return the workspaces in which records of a form were filed."""
    named = select(record_index.c.tenant).where(record_index.c.form == form).distinct()
    return list(transaction.run(named.order_by(record_index.c.tenant)).scalars())


def write_index(transaction: Transaction, entries: Sequence[Indexed], amended: Mapping[str, str]) -> None:
    """Enter what a turn changed: whole entries, and the states of records whose drafts say nothing of them."""
    entered = {one.number for one in entries}
    for number, state in amended.items():
        if number not in entered:
            alone = update(record_index).where(record_index.c.number == number)
            transaction.run(alone.values(state=state, post=state))
    for one in entries:
        _enter(transaction, one, over=True)


def drop_index(transaction: Transaction, which: ColumnElement[bool]) -> None:
    """Drop records that nobody is to find any more."""
    gone = select(record_index.c.number).where(which)
    transaction.run(delete(record_words).where(record_words.c.number.in_(gone)))
    transaction.run(delete(record_index).where(which))


def _enter(transaction: Transaction, one: Indexed, *, over: bool) -> None:
    """Enter a record, `over` whatever is there; otherwise only over what was entered by another shape."""
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
    vault = transaction.vault
    tokens = {_word(vault, one.tenant, word) for word in one.words} | {_judge(vault, judge) for judge in one.judges}
    tokens |= {_named(vault, person) for person in one.named}
    if tokens:
        transaction.run(FOUND_BY, [{"token": token, "number": one.number} for token in sorted(tokens)])


def _word(vault: Vault, tenant: str, word: str) -> str:
    """Return the token of a word, of one workspace: the same word in another one gives another token."""
    return vault.index(f"word:{tenant}:{word}")


def _judge(vault: Vault, person: str) -> str:
    return vault.index(f"judge:{person}")


def _named(vault: Vault, person: str) -> str:
    return vault.index(f"named:{person}")


def _has(token: str) -> ColumnElement[bool]:
    words = record_words.alias()
    return exists().where(words.c.token == token, record_index.c.number == words.c.number)


def _at(post: Post, named: str) -> tuple[ColumnElement[bool], ...]:
    theirs = (_has(named),) if named and post[1].endswith(MINE) else ()
    return (record_index.c.form == post[0], record_index.c.post == post[1], *theirs)


def _count(at: Sequence[ColumnElement[bool]], judge: str) -> Select[*tuple[Any, ...]]:
    """Select how many wait at a post, and how many are late: of all, less those on which the person has decided. Read from the index alone."""
    late = func.sum(case((record_index.c.due_at < NOW, 1), else_=0))
    every = select(func.count().label("n"), late.label("late")).where(*at).subquery()
    theirs = select(func.count().label("n"), late.label("late")).select_from(record_words)
    same = theirs.join(record_index, record_index.c.number == record_words.c.number)
    judged = same.where(record_words.c.token == judge, *at).subquery()
    less = {name: func.coalesce(every.c[name], 0) - func.coalesce(judged.c[name], 0) for name in ("n", "late")}
    return select(*(value.label(name) for name, value in less.items())).join_from(every, judged, literal(True))


def _page(posts: Sequence[Sequence[ColumnElement[bool]]], judge: str, limit: int, skip: int) -> Select[Any]:
    """Select the numbers of a page, each post's first ones read from the index in its order; then what is shown of these."""
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


def _entry(row: Row[Any]) -> Match:
    due = None if row.due_at == NEVER else row.due_at
    return Match(row.number, row.draft, row.form, row.state, row.filed_at, due)
