"""Proof: a record's whole story, what was shown of it, who read it, and what may not go for now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, Select, false, func, insert, or_, select, update

from state.stores.drafts import history, record_of
from state.stores.evidence.custody import NOW, append, stored_link
from state.stores.evidence.links import INSTALLATION, CustodyLink
from state.stores.rows import Body, Record, StoredEvent
from state.stores.sql.tables import STANDING, custody, drafts, holds, outbox, person_keys, records
from state.stores.sql.transaction import Transaction, Values, with_key

Scope = Literal["record", "person"]
READ = "read"
"""The kind of the links that say who read what others filed."""


@dataclass(frozen=True)
class Shown:
    """A message that was shown to somebody, as it was rendered: of kind `post`, `repaint`, `whisper` or `attach`.

    `event` is the id of the event that wanted it. It was seen where `status` is "done", since `at`.
    """

    event: str
    kind: str
    status: str
    at: datetime | None
    body: Body


@dataclass(frozen=True)
class Account:
    """A record with everything that happened to it, oldest first; both are empty once it is emptied or its person erased.

    `kept`: its person was erased, and the law or a hold keeps it.
    """

    record: Record
    events: tuple[StoredEvent, ...] = ()
    shown: tuple[Shown, ...] = ()
    kept: bool = False


@dataclass(frozen=True)
class LegalHold:
    """Nothing of a record, or of a person ("team:user"), goes while it is open. `by` is a Slack id or an operating system's user."""

    id: int
    scope: Scope
    name: str
    at: datetime
    by: str
    reason: str
    lifted_at: datetime | None = None
    lifted_by: str = ""
    lifted_why: str = ""


OF_HOLDS = "holds:"
"""Whose key seals why something is held: nobody's, so that it outlives every person."""
WITH_KEY = with_key(holds)


def account(transaction: Transaction, number: str) -> Account | None:
    """Return a record with its events and what was shown of it; None where there is none of that number."""
    row = transaction.run(with_key(records).where(records.c.number == number)).first()
    if row is None:
        return None
    record, body = record_of(transaction, row), transaction.opened(row, f"records:{number}")
    if body and "account" in body:
        return _as_kept(Account(record, kept=True), body["account"])
    happened = history(transaction, row.draft)
    return Account(record, tuple(e for e in happened if not e.erased), tuple(shown(transaction, row.draft)))


def attest(transaction: Transaction, kind: str, told: Mapping[str, Any]) -> CustodyLink:
    """Append a link to the installation's chain. It is in clear for ever: no word that anybody wrote may be in it."""
    (link,) = attested(transaction, kind, append(transaction, kind, told) - 1, 1)
    return link


def attested(transaction: Transaction, kind: str, after: int = 0, limit: int = 1000) -> list[CustodyLink]:
    """Return links of a kind of the installation's chain, oldest first."""
    ours = select(custody).where(custody.c.chain == INSTALLATION, custody.c.kind == kind, custody.c.n > after)
    rows = transaction.run(ours.order_by(custody.c.n).limit(limit)).mappings()
    return [stored_link(row) for row in rows]


def shown(transaction: Transaction, draft: str) -> list[Shown]:
    """Return what can still be read of what was shown of a draft."""
    rows = transaction.run(with_key(outbox).where(outbox.c.draft == draft).order_by(outbox.c.id))
    found = ((row, transaction.opened(row, f"outbox:{row.key}")) for row in rows if row.sealed)
    return [
        Shown(body["key"].partition("/")[0], row.kind, row.status, row.ended_at, body["body"])
        for row, body in found
        if body
    ]


def told_account(transaction: Transaction, draft: str) -> dict[str, Any]:
    """Return a draft's events and what was shown of it as one document, for a record that outlives its person's key."""
    happened = [one for one in history(transaction, draft) if not one.erased]
    return {
        "events": [_document(one) for one in happened],
        "shown": [_document(one) for one in shown(transaction, draft)],
    }


def _document(one: StoredEvent | Shown) -> Values:
    told = {name: value for name, value in vars(one).items() if name != "erased"}
    return told | {"at": one.at and one.at.isoformat()}


def _as_kept(account: Account, told: dict[str, Any]) -> Account:
    events = tuple(
        StoredEvent(**{**one, "at": _at(one["at"]), "changes": tuple(one["changes"])}) for one in told["events"]
    )
    return replace(account, events=events, shown=tuple(Shown(**{**one, "at": _at(one["at"])}) for one in told["shown"]))


def _at(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def hold(transaction: Transaction, scope: Scope, name: str, by: str, reason: str) -> LegalHold | None:
    """Let nothing of it go, and link that; None where a hold is open already."""
    if _open_hold(transaction, scope, name) is not None:
        return None
    row = {"scope": scope, "name": _name(transaction, scope, name), "key": transaction.key(OF_HOLDS).id, "told": b""}
    made = int(transaction.run(insert(holds).returning(holds.c.id), row).scalar_one())
    _tell(transaction, made, {"person": name, "by": by, "reason": reason, "lifted_by": "", "lifted_why": ""})
    append(transaction, "held", {"hold": made, "scope": scope, "name": row["name"], "by": by})
    return _hold(transaction, transaction.run(WITH_KEY.where(holds.c.id == made)).one())


def lift(transaction: Transaction, scope: Scope, name: str, by: str, reason: str) -> LegalHold | None:
    """End a hold, and link that; None where none is open."""
    row = _open_hold(transaction, scope, name)
    if row is None:
        return None
    now = transaction.run(NOW).scalar_one()
    _tell(transaction, row.id, _told(transaction, row) | {"lifted_by": by, "lifted_why": reason}, now)
    append(transaction, "lifted", {"hold": row.id, "scope": scope, "name": row.name, "by": by}, at=now)
    return _hold(transaction, transaction.run(WITH_KEY.where(holds.c.id == row.id)).one())


def legal_holds(transaction: Transaction, *, standing: bool = True) -> list[LegalHold]:
    """Return the holds that are open, or every one there was, oldest first."""
    found = WITH_KEY.where(STANDING) if standing else WITH_KEY
    return [_hold(transaction, row) for row in transaction.run(found.order_by(holds.c.id))]


def on_hold(transaction: Transaction, person: str) -> bool:
    """Return True if nothing of a person may go for now."""
    return transaction.run(held_people().where(holds.c.name == transaction.vault.index(person))).first() is not None


def _open_hold(transaction: Transaction, scope: Scope, name: str) -> Row[Any] | None:
    ours = WITH_KEY.where(STANDING, holds.c.scope == scope, holds.c.name == _name(transaction, scope, name))
    return transaction.run(ours.with_for_update(of=holds)).first()


def _name(transaction: Transaction, scope: Scope, name: str) -> str:
    """Return a name as it is stored: a record's number as it is, a person under a keyed hash."""
    return name if scope == "record" else transaction.vault.index(name)


def _tell(transaction: Transaction, hold: int, told: Values, lifted: datetime | None = None) -> None:
    sealed = transaction.vault.seal(transaction.key(OF_HOLDS).key, f"holds:{hold}", told)
    transaction.run(update(holds).where(holds.c.id == hold).values(told=sealed, lifted_at=lifted))


def _told(transaction: Transaction, row: Row[Any]) -> Values:
    return transaction.opened(row, f"holds:{row.id}", "told") or {}


def _hold(transaction: Transaction, row: Row[Any]) -> LegalHold:
    told = _told(transaction, row)
    said = {name: str(told[name]) for name in ("by", "reason", "lifted_by", "lifted_why")}
    return LegalHold(row.id, row.scope, str(told["person"]), row.at, lifted_at=row.lifted_at, **said)


def held_people() -> Select[Any]:
    """Select the keyed hashes of people who are held."""
    return select(holds.c.name).where(STANDING, holds.c.scope == "person")


def held_keys() -> Select[Any]:
    """Select the ids of their keys."""
    return select(person_keys.c.id).where(person_keys.c.person.in_(held_people()))


def held_records() -> ColumnElement[bool]:
    """Return True in a statement for a record that is held, by itself or with its person."""
    numbers = select(holds.c.name).where(STANDING, holds.c.scope == "record")
    mine = (records.c.sealed_by.in_(held_keys()), records.c.kept_for.in_(held_people()))
    return func.coalesce(or_(records.c.number.in_(numbers), *mine), false())


def held_drafts() -> ColumnElement[bool]:
    """Return the same for a draft: with its person, or with its record."""
    filed = select(records.c.draft).where(held_records())
    return or_(drafts.c.name.in_(filed), drafts.c.sealed_by.in_(held_keys()))
