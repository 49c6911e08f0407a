"""The SQL store: the same code on SQLite and PostgreSQL. Start it before use, stop it after: an open connection keeps a process alive."""

from sqlalchemy import case, delete, func, select, update

from state.stores.sql.calls import ToolCalls
from state.stores.sql.documents import Documents
from state.stores.sql.figures import Counts
from state.stores.sql.inbox import Inbox
from state.stores.sql.leases import Leases
from state.stores.sql.ledger import SqlLedger
from state.stores.sql.migrate import migrate
from state.stores.sql.outbox import Outbox
from state.stores.sql.records import Records
from state.stores.sql.tables import conversations, documents, drafts, inbox, outbox, person_keys, proposals
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock
from state.stores.sql.unit import Units


class SqlStore(Leases, Inbox, Outbox, Records, Documents, ToolCalls, Counts, SqlLedger, Units):
    """Implements `protocol.Store`; what its methods promise is written there."""

    async def start(self) -> None:
        """Raises Unavailable, and WrongKey where the database was sealed under another installation's key."""
        await migrate(self._database)
        async with self._reading() as connection:
            key_id = await connection.scalar(select(person_keys.c.key_id).order_by(person_keys.c.id.desc()).limit(1))
        self._vault.check(key_id or self._vault.key_id)

    async def stop(self) -> None:
        await self._database.engine.dispose()

    async def erase(self, person: str) -> bool:
        async with self._writing() as transaction:
            known = await _destroy_key(transaction, person)
            names = [] if known is None else await _part(transaction, known)
        for name in names:
            await self._cache.drop(name)
        await self._database.forget()
        return known is not None


async def _destroy_key(transaction: Transaction, person: str) -> int | None:
    """From here on nothing opens what the key sealed, and nothing says whose it was."""
    theirs = person_keys.c.person == transaction.vault.index(person)
    gone = update(person_keys).where(theirs).values(person=None, wrapped=None, destroyed_at=clock())
    known: int | None = (await transaction.run(gone.returning(person_keys.c.id))).scalar()
    return known


async def _part(transaction: Transaction, key: int) -> list[str]:
    """Take conversations and lanes from the person's rows, end those that are open, destroy documents. Returns the drafts' ids."""
    await transaction.run(delete(documents).where(documents.c.sealed_by == key))
    for table, lane in ((inbox, "conversation"), (outbox, "lane")):
        status = case((table.c.status == "done", "done"), else_="erased")
        ended = {lane: "", "status": status, "ended_at": func.coalesce(table.c.ended_at, clock())}
        await transaction.run(update(table).where(table.c.sealed_by == key).values(ended))
    shut = update(proposals).where(proposals.c.sealed_by == key, proposals.c.status == "open")
    await transaction.run(shut.values(status="erased", ended_at=clock()))
    parted = update(drafts).where(drafts.c.sealed_by == key).values(conversation="").returning(drafts.c.name)
    names = list((await transaction.run(parted)).scalars())
    await transaction.run(delete(conversations).where(conversations.c.draft.in_(names)))
    return names
