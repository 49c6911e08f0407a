"""The SQL store: the same code on SQLite and PostgreSQL. Start it before use, stop it after: an open connection keeps a process alive."""

from state.stores.sql.calls import ToolCalls
from state.stores.sql.delivery import Delivery
from state.stores.sql.documents import Documents
from state.stores.sql.erasing import Erasing
from state.stores.sql.evidence import EvidenceStore
from state.stores.sql.expiring import Expiring
from state.stores.sql.figures import Counts
from state.stores.sql.holding import Holding
from state.stores.sql.inbox import Inbox
from state.stores.sql.index import Index
from state.stores.sql.installations import SqlInstallations
from state.stores.sql.keys import Keys
from state.stores.sql.leases import Leases
from state.stores.sql.ledger import SqlLedger
from state.stores.sql.lists import SqlLists
from state.stores.sql.migrate import migrate
from state.stores.sql.outbox import Outbox
from state.stores.sql.proof import SqlProof
from state.stores.sql.records import Records
from state.stores.sql.unit import Units

TRACE = 12


class SqlStore(
    Keys,
    Leases,
    Inbox,
    Outbox,
    Records,
    Index,
    Documents,
    ToolCalls,
    Counts,
    SqlLedger,
    SqlInstallations,
    SqlLists,
    Holding,
    Delivery,
    Erasing,
    Expiring,
    EvidenceStore,
    SqlProof,
    Units,
):
    """Implements `protocol.Store`; what its methods promise is written there."""

    async def start(self) -> None:
        """Raises Unavailable, and WrongKey where the database was sealed under another installation's key: nothing is left open then."""
        try:
            await migrate(self._database)
            await self.come_in()
            await self.open_root()
            await self.begin_evidence()
        except BaseException:
            await self.stop()
            raise

    def trace(self, key: str) -> str:
        return self._vault.index(key)[:TRACE]

    async def stop(self) -> None:
        await self._database.stop()
        self.go_out()
