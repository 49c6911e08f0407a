"""The store: everything that is kept, on SQLite and PostgreSQL alike. Each subject's statements are in its own module.

Bodies are JSON documents; the store seals them. Keys: `conversation` is "team:channel:thread" (thread empty in a plain direct
message), `person` is "team:user". Neither is ever a name. Times are aware UTC datetimes of the database's own clock, so that
replicas agree on deadlines.

Lanes: what happens in a conversation is handled under a lease on a lane of the conversation's own name; outbox lanes have
names of their own, so that a conversation goes on while its outbox is worked through. Whoever writes or fails a row does so
under its lease: a holder that was stopped and overtaken gets LeaseLost, and nothing of it is written.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import suppress
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Row

from state.stores import (
    delivery,
    documents,
    drafts,
    erasing,
    index,
    installations,
    keys,
    ledger,
    lists,
    outbox,
    proof,
    queues,
    rights,
    unit,
)
from state.stores import figures as reports
from state.stores.cache import DraftCache
from state.stores.errors import StoreError, Unavailable, Why
from state.stores.evidence import finding, signing
from state.stores.evidence.checkpoints import Checkpoint, Restored
from state.stores.evidence.found import Report
from state.stores.ledger import Came, OperationResult
from state.stores.rights import NONE_KEPT, Erasure, Held, Terms
from state.stores.rows import Current, Hold, Lease, StoredDraft, Writes, Written
from state.stores.sql.engine import Database
from state.stores.sql.migrate import migrate
from state.stores.sql.sqlite import Presence
from state.stores.sql.transaction import Transaction
from state.stores.vault import Vault

TRACE = 12

P = ParamSpec("P")
Result = TypeVar("Result")
Statements = Callable[Concatenate[Transaction, P], Result]
Method = Callable[Concatenate["Store", P], Coroutine[Any, Any, Result]]


def reads(statements: Statements[P, Result]) -> Method[P, Result]:
    """Make a method of a function: it runs on a connection whose statements each see the newest committed state."""

    @wraps(statements)
    async def method(self: "Store", /, *args: P.args, **kwargs: P.kwargs) -> Result:
        return await self._read(lambda transaction: statements(transaction, *args, **kwargs))

    return method


def writes(statements: Statements[P, Result]) -> Method[P, Result]:
    """Make a method of a function: it runs in one transaction, whole or not at all."""

    @wraps(statements)
    async def method(self: "Store", /, *args: P.args, **kwargs: P.kwargs) -> Result:
        return await self._write(lambda transaction: statements(transaction, *args, **kwargs))

    return method


class Store:
    """Use it in `async with`, or start it before use and stop it after: an open connection keeps a process alive."""

    def __init__(self, database: Database, vault: Vault, cache: DraftCache | None = None) -> None:
        self._database, self._vault, self._cache = database, vault, cache
        self._presence: Presence | None = None

    async def start(self) -> None:
        """Open and migrate; safe to call from several processes at once.

        Raises Unavailable, and WrongKey where the database was sealed under another installation's key: nothing is left open then.
        """
        try:
            await migrate(self._database)
            await self._come_in()
            await self.open_root()
            self._vault.former = await self._read(keys.former_keys)
            if await self._read(signing.not_begun):
                with suppress(signing.Begun):
                    await self._write(signing.begin)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Close every connection."""
        await self._database.stop()
        if self._presence is not None:
            self._presence.leave()
            self._presence = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def shared(self) -> bool:
        """True where other processes may write what this one remembers."""
        return self._database.shared

    async def _come_in(self) -> None:
        """Free what a killed process held, if this is the only one that has the file open: nobody waits for its leases to run out.

        With PostgreSQL `free_gone` knows who lives.
        """
        if not self._database.sqlite or self._database.in_memory or self._presence is not None:
            return
        self._presence = Presence(Path(self._database.url.database or ""))
        if await asyncio.to_thread(self._presence.enter):
            with suppress(Unavailable):  # a disk that takes nothing: they run out in their own time
                await self._write(queues.free_all)
            await asyncio.to_thread(self._presence.stay)

    @property
    def holder(self) -> int | None:
        """The number under which other processes know that this one lives; None on SQLite, and while no connection says so."""
        return self._database.holder

    async def free_gone(self) -> int | None:
        """Free what processes held that live no more, and return how many lanes; to be called again and again.

        From the first call on, others see that this process lives. None on SQLite, where a start does it. Raises Unavailable.
        """
        return await self._database.living(self._on(queues.free_gone))

    async def now(self) -> datetime:
        """Return the time by the database's clock."""
        return await self._database.now()

    def trace(self, key: str) -> str:
        """Return the id by which logs speak of the event with this key, the same for ever and everywhere: the beginning of its row's key."""
        return self._vault.index(key)[:TRACE]

    # Inbox, outbox and their leases

    receive = writes(queues.receive)
    next_incoming = reads(queues.next_incoming)
    received = reads(queues.received)
    answered_before = reads(queues.answered_before)
    fail_incoming = writes(queues.fail_incoming)

    take = writes(queues.take)
    take_oldest = writes(queues.take_oldest)
    renew_all = writes(queues.renew_all)
    release = writes(queues.release)
    leave = writes(queues.leave)
    dead = reads(queues.dead)

    next_outgoing = reads(outbox.next_outgoing)
    finish = writes(outbox.finish)
    set_back = writes(outbox.set_back)
    begin_sending = writes(outbox.begin_sending)
    reconcile = writes(outbox.reconcile)
    behind = reads(outbox.behind)
    posted = reads(outbox.posted)
    card_at = reads(outbox.card_at)

    # Drafts, records and documents

    current = reads(drafts.current)
    whereabouts = reads(drafts.whereabouts)
    drafts_of = reads(drafts.drafts_of)
    drafts_named = reads(drafts.drafts_named)
    forms_used = reads(drafts.forms_used)
    events = reads(drafts.history)
    links = reads(drafts.links)
    tool_calls = reads(drafts.tool_calls_of)
    record = reads(drafts.record)
    records_of = reads(drafts.records_of)
    count_records = reads(drafts.count_records)
    records = reads(drafts.records_by_number)
    drafts = reads(drafts.names)

    async def draft(self, name: str, current: Current | None = None) -> StoredDraft | None:
        """Return a draft by its id. With what `current` said, a cached copy counts, if it has that revision."""
        if self._cache and current and current.draft == name and current.ticket:
            content = await self._cache.get(name, current.revision)
            if content and (cached := drafts.unpacked(self._vault, current, content)):
                return cached
        stored, key = await self._read(lambda transaction: drafts.load(transaction, name))
        if stored and current and key:
            await self._remember(stored, key)
        return stored

    async def write(self, lease: Lease, work: Writes, hold: Hold | None = None) -> Written:
        """Write a unit of work in one transaction, if the lease's token still holds; else LeaseLost, and nothing is written.

        Chains each event to the draft's newest one (SHA-256 over previous hash, draft, n, kind, revision, versions, time, the
        sealed body and what is written beside it; a MAC over that) and numbers it. Each event with changes is one revision
        later than what it follows, one without is at the same revision, and the draft's revision is its last event's: else
        RevisionGap. A second record of a draft is AlreadyFiled. Work whose key is known is put into the outbox once. `done`
        must be an open row of the lease's conversation, else LeaseLost. What raises writes nothing. Numbers are gapless:
        others that want one wait meanwhile.

        With `hold`, the leases of lanes that got rows are taken where they are free, and the conversation is left.
        """
        written, owners = await self._write(lambda transaction: unit.write(transaction, lease, work, hold))
        for stored, owner in zip(written.drafts, owners, strict=True):
            await self._remember(stored, owner.key)
        return written

    async def _remember(self, stored: StoredDraft, key: bytes) -> None:
        if self._cache:
            await self._cache.put(stored.id, stored.revision, drafts.packed(self._vault, stored, key))

    async def _forget(self, names: list[str]) -> None:
        if self._cache:
            for name in names:
                await self._cache.drop(name)

    keep = writes(documents.keep)
    document = reads(documents.document)
    documents_of = reads(documents.documents_of)
    discard = writes(documents.discard)
    purge = writes(documents.purge)

    # Queues of officers, searches, figures

    waiting_for = reads(index.waiting_for)
    found = reads(index.found)
    unindexed = reads(index.unindexed)
    enter = writes(index.enter)
    week = reads(index.week)
    tenants = reads(index.tenants)
    figures = reads(reports.figures)

    # Operations: proposals and entries

    propose = writes(ledger.propose)
    proposal = reads(ledger.proposal)
    proposals_of = reads(ledger.proposals_of)
    withdraw = writes(ledger.withdraw)
    last_entry = reads(ledger.last_entry)
    entry = reads(ledger.entry)
    entries = reads(ledger.entries_of)

    async def carry_out(self, operation: OperationResult) -> Came:
        """Use the proposal up and write everything, in one transaction, or nothing at all."""
        try:
            return await self._write(lambda transaction: ledger.carry_out(transaction, operation))
        except ledger.Changed:
            return "changed"

    # Lists of officers, installations in workspaces

    list_versions = reads(lists.list_versions)
    list_content = reads(lists.list_content)
    keep_upload = writes(lists.keep_upload)
    upload = reads(lists.upload)
    publish = writes(lists.publish)

    install = writes(installations.install)
    installation = reads(installations.installation)
    installed = reads(installations.installed)
    uninstall = writes(installations.uninstall)
    issue_state = writes(installations.issue_state)
    consume_state = writes(installations.consume_state)

    # For operators

    depths = reads(delivery.depths)
    stuck = reads(delivery.stuck)
    count_stuck = reads(delivery.count_stuck)
    revive = writes(delivery.revive)
    try_blocked = writes(delivery.try_blocked)
    reached = writes(delivery.reached)
    reaches = reads(delivery.all_reached)
    drafts_waiting = reads(delivery.drafts_waiting)
    undecided = reads(delivery.undecided)
    prove_writable = writes(delivery.prove_writable)
    spend = writes(delivery.spend)
    spent = reads(delivery.spent)

    async def held(self) -> dict[str, delivery.FormCounts]:
        """Return what there is of each form, whether it is installed or not."""
        return await self._database.read(delivery.held_by_form)

    @property
    def refused(self) -> Why:
        """Why the last write was refused by the disk; empty since one was taken."""
        return self._database.refused

    # People's rights: what is held of them, erasure, retention

    async def everything(self, person: str) -> AsyncIterator[Held]:
        """Yield all rows of a person, table by table, read a page at a time; records that outlived an erasure too."""
        for name in rights.SEALED:
            after: tuple[Any, ...] | None = ()
            while after is not None:
                rows, after = await self._page(name, person, after)
                for row in rows:
                    yield row

    _page = reads(rights.page)
    tombstones = reads(erasing.all_tombstones)
    claim_day = writes(erasing.claim_day)

    async def erase(self, person: str, keep: Mapping[str, int] = NONE_KEPT) -> Erasure | None:
        """Destroy what is known of a person for ever; None where nothing is. Raises OnHold. See `erasing.erase`."""
        erased = await self._write(lambda transaction: erasing.erase(transaction, person, keep))
        if erased is None:
            return None
        erasure, names = erased
        await self._forget(names)
        await self._database.forget()
        return erasure

    async def expire(self, terms: Terms) -> int:
        """Empty and remove what a form's terms no longer allow, and return how many drafts and records were touched.

        Every step may be repeated, and left off in the middle.
        """
        touched = await self._write(lambda transaction: erasing.empty_records(transaction, terms))
        for step in (writes(erasing.empty_drafts), writes(erasing.remove_drafts)):
            while names := await step(self, terms):
                touched += len(names)
                await self._forget(names)
        await self._database.forget()
        return touched

    async def expire_rest(self, now: datetime, data: datetime, audit: datetime) -> int:
        """Destroy keys of kept records whose day has come, and return how many. See `erasing.expire_rest`."""
        destroyed = await self._write(lambda transaction: erasing.expire_rest(transaction, now, data, audit))
        await self._database.forget()
        return destroyed

    # Proof: whole stories, who read them, legal holds

    account = reads(proof.account)
    shown = reads(proof.shown)
    attest = writes(proof.attest)
    attested = reads(proof.attested)
    hold = writes(proof.hold)
    lift = writes(proof.lift)
    holds = reads(proof.legal_holds)
    on_hold = reads(proof.on_hold)

    def signature(self, text: str) -> tuple[str, str]:
        """Return the id of today's key, and its signature of a text in base64."""
        return self._vault.evidence.id, self._vault.evidence.sign(text)

    # Evidence: signed heads, the audit

    @property
    def public_keys(self) -> dict[str, str]:
        """The public keys of all signatures, in base64, by the id of the installation's key; that of today is the last."""
        return self._vault.keyring.public

    @property
    def place(self) -> str:
        """The name of the database, as heads say whose they are: a file's, or host and database."""
        return self._database.place

    checkpoints = reads(finding.stored_checkpoints)
    newest_checkpoint = reads(signing.newest_checkpoint)

    async def checkpoint(self, restored: Restored | None = None) -> Checkpoint | None:
        """Sign the heads that changed since the newest checkpoint; None where none did, or another replica was faster.

        With `restored`, say that a backup was put back, and go on behind the newest checkpoint that is known of.
        """
        if restored is None and not await self._read(signing.anything_due):
            return None
        try:
            return await self._write(lambda transaction: signing.checkpoint(transaction, restored, self.place))
        except Unavailable:
            raise
        except StoreError:  # another replica has written this number: what is due, it signs, or the next one does
            return None

    async def audit(self, draft: str = "") -> Report:
        """Check everything, or one draft, in one snapshot: every link, row and body, also after erasures."""
        return await self._snapshot(lambda transaction: signing.found_faults(transaction, draft))

    async def exported(self) -> str:
        """Return the evidence as a file that is verified with the public key alone; what an audit finds meanwhile is part of it."""
        return await self._snapshot(signing.exported)

    # The installation's key

    @property
    def names(self) -> Vault:
        """Writes names so that only this installation reads them; as the newest root has it, once the store is started."""
        return self._vault

    @property
    def key_id(self) -> str:
        """Which key wraps what is new."""
        return self._vault.key_id

    async def key_of_today(self) -> bytes:
        """Return the key that wraps what is new."""
        return self._vault.today.key

    async def open_root(self) -> None:
        """Hash and name as this database does. Raises WrongKey, Tampered."""
        await self.refresh_keys()
        root = (await self._read(keys.stored_keys))[keys.ROOT]
        self._vault.root_in(self._vault.unwrap(root.wrapped, keys.ROOT, root.key_id))

    async def sweep(self, limit: int = 100) -> queues.Left:
        """Return what is left to do, and use a key that another process has begun to use, in one look. Raises WrongKey."""
        found, left = await self._read(lambda one: (keys.stored_keys(one), queues.sweep(one, limit)))
        await self._use_keys(found)
        return left

    async def refresh_keys(self) -> None:
        """Use a key that another process has begun to use. Raises WrongKey where the one at hand leads to none that counts here."""
        await self._use_keys(await self._read(keys.stored_keys))

    async def _use_keys(self, found: Mapping[str, Row[Any]]) -> None:
        if keys.ROOT not in found:
            await self._write(keys.begin_root)
        elif keys.add_keys(self._vault, found):
            self._vault.former = await self._read(keys.former_keys)

    change_key = writes(keys.change_key)
    changing = reads(keys.changing)
    wrap_again = writes(keys.wrap_again)

    async def end_change(self) -> bool:
        """Let the older key go: from now on it opens nothing. False where something is wrapped under it still."""
        ended = await self._write(keys.end_change)
        if ended:
            self._vault.only_today()
            await self._database.forget()
        return ended

    async def _read(self, statements: Callable[[Transaction], Result]) -> Result:
        return await self._database.read(self._on(statements))

    async def _write(self, statements: Callable[[Transaction], Result]) -> Result:
        return await self._database.write(self._on(statements))

    async def _snapshot(self, statements: Callable[[Transaction], Result]) -> Result:
        return await self._database.snapshot(self._on(statements))

    def _on(self, statements: Callable[[Transaction], Result]) -> Callable[[Connection], Result]:
        return lambda connection: statements(Transaction(self._database, self._vault, connection))
