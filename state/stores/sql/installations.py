"""Installations in SQL; what the methods promise is written in `state.stores.installations`.

Each workspace's document is sealed under a key of its own, as a person's are: rotating the installation's key wraps it anew,
and uninstalling destroys it.
"""

from sqlalchemy import delete, func, select

from state.stores.rows import Body
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import HOLDER
from state.stores.sql.tables import installations, oauth_states, person_keys
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock, later
from state.stores.vault import Erased

WITH_KEY = select(installations.c.granted, *HOLDER).join_from(
    installations, person_keys, installations.c.key == person_keys.c.id
)


class SqlInstallations(Repository):
    """Reads and writes installations and OAuth states."""

    async def install(self, workspace: str, body: Body) -> None:
        def write(transaction: Transaction) -> None:
            holder = _holder(workspace)
            key = transaction.key(holder)
            granted = transaction.vault.seal(key.key, holder, body)
            values = {"key": key.id, "granted": granted, "installed_at": clock()}
            new = transaction.insert(installations).values(workspace=transaction.vault.index(holder), **values)
            transaction.run(new.on_conflict_do_update(index_elements=["workspace"], set_=values))

        await self._write(write)

    async def installation(self, workspace: str) -> Body | None:
        holder = _holder(workspace)
        row = await self._first(WITH_KEY.where(installations.c.workspace == self._vault.index(holder)))
        if row is None:
            return None
        body = self._vault.open(self._vault.unwrap(row.wrapped, row.holder, row.key_id), holder, row.granted)
        return None if isinstance(body, Erased) else body

    async def installed(self) -> int:
        row = await self._first(select(func.count().label("n")).select_from(installations))
        return int(row.n) if row else 0

    async def uninstall(self, workspace: str) -> bool:
        def write(transaction: Transaction) -> bool:
            index = transaction.vault.index(_holder(workspace))
            gone = transaction.run(delete(installations).where(installations.c.workspace == index)).rowcount
            transaction.run(delete(person_keys).where(person_keys.c.person == index))
            return gone == 1

        return await self._write(write)

    async def issue_state(self, state: str, seconds: float) -> None:
        def write(transaction: Transaction) -> None:
            transaction.run(delete(oauth_states).where(oauth_states.c.until < clock()))
            known = transaction.vault.index(f"state:{state}")
            transaction.run(transaction.insert(oauth_states).values(state=known, until=later(round(seconds, 3))))

        await self._write(write)

    async def consume_state(self, state: str) -> bool:
        known = self._vault.index(f"state:{state}")
        used = delete(oauth_states).where(oauth_states.c.state == known, oauth_states.c.until >= clock())
        return await self._write(lambda transaction: transaction.run(used).rowcount) == 1


def _holder(workspace: str) -> str:
    return f"installation:{workspace}"
