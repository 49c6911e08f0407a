"""The rows that a person may see and write, over the store's entries."""

from bot.slack.places import person_key
from state.draft.operations import Identity, NotFound, Row, Write, may_touch
from state.draft.record import ASKED
from state.form.filing import NEVER_WAS
from state.stores.ledger import Entry, EntryWrite
from state.stores.store import Store

EVERY = 100_000
"""Records that may hold rows: all of them."""
FREE = NEVER_WAS | {ASKED}
"""States in which a record holds nothing: it was never to be, or its owner may put it right."""


class PersonsRows:
    """Rows within the person's reach. `dry` plans: it gives no numbers away."""

    def __init__(self, store: Store, form: str, identity: Identity, *, dry: bool) -> None:
        self._store, self._form, self._who, self._dry = store, form, identity, dry

    async def all(self) -> list[Row]:
        """Return the tenant's rows for those who see it whole, else the person's own; newest first."""
        mine = "" if self._who.wide else person_key(self._who.tenant, self._who.user)
        return [row_of(entry) for entry in await self._store.entries(self._who.tenant, self._form, mine)]

    async def one(self, number: int) -> Row:
        """Raises NotFound, in the same words for whatever is not within reach."""
        entry = await self._store.entry(self._who.tenant, self._form, number)
        if entry is None or entry.deleted or not may_touch(self._who, entry.tenant, owner_of(entry)):
            raise NotFound(number)
        return row_of(entry)

    async def number(self) -> int:
        """Return a new row's number."""
        return 0 if self._dry else await self._store.next_entry(self._who.tenant, self._form)


async def holders(store: Store, person: str, form: str, but: str = "") -> dict[int, str]:
    """Return rows of a form that a record of the person's holds, and its number: none of them changes while it waits or once it is approved."""
    held: dict[int, str] = {}
    for record in await store.records_of(person, limit=EVERY):
        holds = (record.body.get("computed") or {}).get("holds") or {}
        if holds.get("form") == form and record.number != but and record.state not in FREE:
            held |= {int(number): record.number for number in holds.get("numbers", ())}
    return held


def owner_of(entry: Entry) -> str:
    """Return the Slack user whose entry it is."""
    return entry.person.partition(":")[2]


def row_of(entry: Entry) -> Row:
    """Return an entry as rules see it."""
    made = entry.made_at.isoformat() if entry.made_at else ""
    return Row(entry.number, owner_of(entry), entry.body, entry.revision, made)


def write_of(write: Write, form: str, identity: Identity) -> EntryWrite:
    """Return a row as the store is to write it: a new one is the person's own."""
    person = person_key(identity.tenant, write.row.owner or identity.user)
    return EntryWrite(
        identity.tenant, form, write.row.number, person, dict(write.body), write.row.revision, write.deleted
    )
