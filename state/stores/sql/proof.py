"""Proof in SQL; what the methods promise is written in `state.stores.proof`."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, false, func, insert, or_, select, update

from state.stores.evidence.links import INSTALLATION, CustodyLink
from state.stores.proof import Account, LegalHold, Scope, Shown
from state.stores.protocol import StoredEvent
from state.stores.sql.custody import NOW, append
from state.stores.sql.drafts import Drafts
from state.stores.sql.records import record_of
from state.stores.sql.sealed import HOLDER, opened, with_key
from state.stores.sql.tables import STANDING, custody, drafts, events, holds, outbox, person_keys, records
from state.stores.sql.transaction import Transaction
from state.stores.vault import Erased, Vault

OF_HOLDS = "holds:"
"""Whose key seals why something is held: nobody's, so that it outlives every person."""
LINK = ("chain", "n", "kind", "body", "at", "previous", "hash", "mac")
WITH_KEY = select(holds, *HOLDER).join_from(holds, person_keys, holds.c.key == person_keys.c.id)


class SqlProof(Drafts):
    """Reads whole stories, links who read them, and holds what may not go."""

    async def account(self, number: str) -> Account | None:
        row = await self._first(with_key(records).where(records.c.number == number))
        if row is None:
            return None
        record, body = record_of(self._vault, row), opened(self._vault, row, f"records:{number}")
        if not isinstance(body, Erased) and "account" in body:
            return _as_kept(Account(record, kept=True), body["account"])
        rows = await self._all(_shown_of(row.draft))
        happened = await self.events(row.draft)
        return Account(record, tuple(e for e in happened if not e.erased), tuple(_shown(self._vault, rows)))

    async def attest(self, kind: str, told: Mapping[str, Any]) -> CustodyLink:
        n = await self._write(lambda transaction: append(transaction, kind, told))
        (link,) = await self.attested(kind, n - 1, 1)
        return link

    async def attested(self, kind: str, after: int = 0, limit: int = 1000) -> list[CustodyLink]:
        ours = select(custody).where(custody.c.chain == INSTALLATION, custody.c.kind == kind, custody.c.n > after)
        rows = await self._all(ours.order_by(custody.c.n).limit(limit))
        return [CustodyLink(**{name: row._mapping[name] for name in LINK}) for row in rows]

    def signature(self, text: str) -> tuple[str, str]:
        key = self._vault.evidence
        return key.id, key.sign(text)

    async def hold(self, scope: Scope, name: str, by: str, reason: str) -> LegalHold | None:
        def write(transaction: Transaction) -> int | None:
            if _standing(transaction, scope, name) is not None:
                return None
            made: int = transaction.run(
                insert(holds).returning(holds.c.id), _row(transaction, scope, name)
            ).scalar_one()
            told = {"person": name, "by": by, "reason": reason, "lifted_by": "", "lifted_why": ""}
            _tell(transaction, made, told)
            append(transaction, "held", _linked(transaction, made, scope, name, by))
            return made

        return await self._one(await self._write(write))

    async def lift(self, scope: Scope, name: str, by: str, reason: str) -> LegalHold | None:
        def write(transaction: Transaction) -> int | None:
            row = _standing(transaction, scope, name)
            if row is None:
                return None
            told = _told(transaction.vault, row) | {"lifted_by": by, "lifted_why": reason}
            now = transaction.run(NOW).scalar_one()
            _tell(transaction, row.id, told, now)
            append(transaction, "lifted", _linked(transaction, row.id, scope, name, by), at=now)
            return int(row.id)

        return await self._one(await self._write(write))

    async def holds(self, *, standing: bool = True) -> list[LegalHold]:
        found = WITH_KEY.where(STANDING) if standing else WITH_KEY
        return [_hold(self._vault, row) for row in await self._all(found.order_by(holds.c.id))]

    async def on_hold(self, person: str) -> bool:
        mine = select(holds.c.id).where(STANDING, holds.c.scope == "person", holds.c.name == self._vault.index(person))
        return await self._first(mine) is not None

    async def _one(self, made: int | None) -> LegalHold | None:
        row = await self._first(WITH_KEY.where(holds.c.id == made)) if made is not None else None
        return _hold(self._vault, row) if row else None


def _shown_of(draft: str) -> Any:
    return with_key(outbox).where(outbox.c.draft == draft).order_by(outbox.c.id)


def _shown(vault: Vault, rows: Any) -> list[Shown]:
    """What can still be read of what was shown."""
    found = ((row, opened(vault, row, f"outbox:{row.key}")) for row in rows if row.sealed)
    return [
        Shown(body["key"].partition("/")[0], row.kind, row.status, row.ended_at, body["body"])
        for row, body in found
        if not isinstance(body, Erased)
    ]


def told_account(transaction: Transaction, draft: str) -> dict[str, Any]:
    """A draft's events and what was shown of it as one document, for a record that outlives its person's key."""
    happened = transaction.run(with_key(events).where(events.c.draft == draft).order_by(events.c.n)).all()
    bodies = ((row, opened(transaction.vault, row, f"events:{draft}:{row.n}")) for row in happened if row.sealed)
    told = [_event(row, body) for row, body in bodies if not isinstance(body, Erased)]
    seen = _shown(transaction.vault, transaction.run(_shown_of(draft)).all())
    return {"events": told, "shown": [vars(one) | {"at": one.at and one.at.isoformat()} for one in seen]}


EVENT = ("draft", "n", "kind", "revision", "form_version", "rules_version", "previous", "hash")


def _event(row: Row[Any], body: dict[str, Any]) -> dict[str, Any]:
    return {name: row._mapping[name] for name in EVENT} | {"at": row.at.isoformat(), **body}


def _as_kept(account: Account, told: dict[str, Any]) -> Account:
    events = tuple(
        StoredEvent(**{**one, "at": _at(one["at"]), "changes": tuple(one["changes"])}) for one in told["events"]
    )
    return replace(account, events=events, shown=tuple(Shown(**{**one, "at": _at(one["at"])}) for one in told["shown"]))


def _at(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


# Holds


def held_people() -> Select[Any]:
    """The keyed hashes of people who are held."""
    return select(holds.c.name).where(STANDING, holds.c.scope == "person")


def held_keys() -> Select[Any]:
    """The ids of their keys."""
    return select(person_keys.c.id).where(person_keys.c.person.in_(held_people()))


def held_records() -> ColumnElement[bool]:
    """Whether a record is held, by itself or with its person."""
    numbers = select(holds.c.name).where(STANDING, holds.c.scope == "record")
    mine = (records.c.sealed_by.in_(held_keys()), records.c.kept_for.in_(held_people()))
    return func.coalesce(or_(records.c.number.in_(numbers), *mine), false())


def held_drafts() -> ColumnElement[bool]:
    """Whether a draft is held: with its person, or with its record."""
    filed = select(records.c.draft).where(held_records())
    return or_(drafts.c.name.in_(filed), drafts.c.sealed_by.in_(held_keys()))


def _name(transaction: Transaction, scope: Scope, name: str) -> str:
    """As it is stored: a record's number as it is, a person under a keyed hash."""
    return name if scope == "record" else transaction.vault.index(name)


def _standing(transaction: Transaction, scope: Scope, name: str) -> Row[Any] | None:
    ours = WITH_KEY.where(STANDING, holds.c.scope == scope, holds.c.name == _name(transaction, scope, name))
    return transaction.run(ours.with_for_update(of=holds)).first()


def _row(transaction: Transaction, scope: Scope, name: str) -> dict[str, Any]:
    key = transaction.key(OF_HOLDS).id
    return {"scope": scope, "name": _name(transaction, scope, name), "key": key, "told": b""}


def _tell(transaction: Transaction, made: int, told: dict[str, Any], lifted: datetime | None = None) -> None:
    sealed = transaction.vault.seal(transaction.key(OF_HOLDS).key, _identity(made), told)
    transaction.run(update(holds).where(holds.c.id == made).values(told=sealed, lifted_at=lifted))


def _linked(transaction: Transaction, made: int, scope: Scope, name: str, by: str) -> dict[str, Any]:
    return {"hold": made, "scope": scope, "name": _name(transaction, scope, name), "by": by}


def _identity(made: int) -> str:
    return f"holds:{made}"


def _told(vault: Vault, row: Row[Any]) -> dict[str, Any]:
    key = vault.unwrap(row.wrapped, row.holder, row.key_id)
    told = vault.open(key, _identity(row.id), row.told)
    return {} if isinstance(told, Erased) else told


def _hold(vault: Vault, row: Row[Any]) -> LegalHold:
    told = _told(vault, row)
    said = {name: str(told[name]) for name in ("by", "reason", "lifted_by", "lifted_why")}
    return LegalHold(row.id, row.scope, str(told["person"]), row.at, lifted_at=row.lifted_at, **said)
