"""The unit of work: what one turn wants to write goes into one transaction, under a token that still holds."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from state.stores.drafts import FILED, LOGGED, call_identity
from state.stores.errors import AlreadyFiled, RevisionGap, StoreError, WasErased
from state.stores.evidence.custody import append
from state.stores.evidence.links import DRAFT, Beside, call_digest, digest, draft_facts, keyed, record_facts
from state.stores.index import write_index
from state.stores.outbox import put_out, sealed_rows
from state.stores.queues import INBOX, done, held, left
from state.stores.rows import Hold, Lease, Link, Record, StoredDraft, StoredEvent, TurnWrites, Writes, Written
from state.stores.sql.tables import conversations, drafts, events, records, tool_calls
from state.stores.sql.transaction import PersonKey, Transaction, Values, count_up

KNOWN = drafts.c.name == bindparam("known")
LOCKED = select(drafts.c.revision, drafts.c.last, drafts.c.head, drafts.c.sealed_by).where(KNOWN).with_for_update()
SAVED = update(drafts).where(KNOWN)
HAPPENED, BEGUN, CALLED = insert(events), insert(drafts), insert(tool_calls)


def write(
    transaction: Transaction, lease: Lease, writes: Writes, hold: Hold | None = None
) -> tuple[Written, list[PersonKey]]:
    """Write a unit of work, and return with it the keys of the drafts that it saved. What raises writes nothing."""

    def number(series: str) -> str:
        return f"{series}-{count_up(transaction, series):06d}"

    now = held(transaction, lease)
    work = writes if isinstance(writes, TurnWrites) else writes(number)
    belong(work)
    if work.done is not None:
        done(transaction, INBOX, lease, work.done)
    sealed = sealed_rows(transaction, work.outgoing, now)
    beside = BesideEvents(transaction, work, now, sealed)
    saved = [_write_draft(transaction, draft, work.events, beside, now) for draft in work.drafts]
    if work.current is not None:
        place = {"conversation": transaction.name(lease.lane), "draft": work.current}
        transaction.put(conversations, "conversation", place)
    beside.write()
    write_index(transaction, work.indexed, work.amended)
    outgoing, lanes = put_out(transaction, work.outgoing, now, hold, sealed)
    following = left(transaction, INBOX, lease) if hold else None
    return Written(outgoing, tuple(stored for stored, _ in saved), lanes, following), [key for _, key in saved]


def belong(work: TurnWrites) -> None:
    """Raises RevisionGap where an event's draft, or a tool call's, is not written with it."""
    about = {event.draft for event in work.events} | {call.draft for call in work.calls}
    if strays := about - {draft.id for draft in work.drafts}:
        raise RevisionGap(f"{len(strays)} drafts have events or calls here and are not written with them.")


def follow(before: int, events: Sequence[StoredEvent], draft: StoredDraft) -> None:
    """Raises RevisionGap unless these events lead from the stored revision to the draft's, one step for each that changes."""
    if not events:
        raise RevisionGap("A draft is written together with the events that changed it.")
    revision = before
    for event in events:
        revision += 1 if event.changes else 0
        if event.revision != revision:
            raise RevisionGap(f"An event at revision {event.revision} does not follow; {revision} would.")
    if draft.revision != revision:
        raise RevisionGap(f"The draft's revision {draft.revision} is not its newest event's, {revision}.")


def _write_draft(
    transaction: Transaction, draft: StoredDraft, happened: list[StoredEvent], beside: "BesideEvents", now: datetime
) -> tuple[StoredDraft, PersonKey]:
    owner, mine = transaction.key(draft.person), [event for event in happened if event.draft == draft.id]
    row = transaction.run(LOCKED, {"known": draft.id}).first()
    if row and row.sealed_by != owner.id:
        raise WasErased("The draft was erased, or is another person's.")
    follow(row.revision if row else 0, mine, draft)
    last, head = (row.last, row.head) if row else (0, "")
    rows = _chain(transaction, owner, mine, last, head, now, beside.texts(draft.id, last, len(mine)))
    stored = replace(draft, last=rows[-1]["n"], head=rows[-1]["hash"], updated_at=now)
    _save(transaction, stored, owner, new=row is None)
    transaction.run(HAPPENED, rows)
    return stored, owner


def _chain(
    transaction: Transaction,
    owner: PersonKey,
    happened: list[StoredEvent],
    last: int,
    head: str,
    now: datetime,
    beside: list[str],
) -> list[Values]:
    """Return the rows of events; the link of each says what is written `beside` it."""
    rows: list[Values] = []
    for n, (event, said_beside) in enumerate(zip(happened, beside, strict=True), last + 1):
        said = {"body": event.body, "changes": event.changes}
        sealed = transaction.vault.seal_linked(owner.key, f"events:{event.draft}:{n}", said)
        versions = (event.form_version, event.rules_version)
        start = (event.draft, n, event.kind, event.revision, *versions, now, digest(sealed), head)
        link = keyed(Link(*start, beside=said_beside), transaction.vault.evidence)
        columns = {name: value for name, value in vars(link).items() if name != "digest"}
        rows.append(columns | {"sealed_by": owner.id, "sealed": sealed})
        head = link.hash
    return rows


def _save(transaction: Transaction, stored: StoredDraft, owner: PersonKey, new: bool) -> None:
    body = {"person": stored.person, "body": stored.body}
    row = {
        "name": stored.id,
        "conversation": transaction.name(stored.conversation),
        "form": stored.form,
        "status": stored.status,
        "revision": stored.revision,
        "last": stored.last,
        "head": stored.head,
        "updated_at": stored.updated_at,
        **transaction.sealed(stored.person, f"drafts:{stored.id}:{stored.revision}", body),
    }
    row["mac"] = transaction.vault.evidence.mac(DRAFT, draft_facts(row, stored.conversation))
    if new:
        transaction.run(BEGUN, row)
    else:
        transaction.run(SAVED, row | {"known": stored.id})


class BesideEvents:
    """The rows that a turn writes beside its events: tool calls, records, and records' states. The links of each draft say what it was.

    Prepared before the events, so that their links can cover it; written after them, which its rows name.
    """

    def __init__(self, transaction: Transaction, work: TurnWrites, now: datetime, outgoing: Sequence[Values]) -> None:
        self._transaction, self._work, self._now, self._outgoing = transaction, work, now, outgoing
        self._calls: list[Values] = []
        self._records = [record_row(transaction, record, now) for record in work.records]
        self._states: dict[str, tuple[str, int, str]] = {}
        """Number to draft, version and state."""
        self._refiled = [self._again(record) for record in work.refiled]
        for number, state in work.amended.items():
            self._move(number, state)

    def _again(self, record: Record) -> Values:
        row, version = refile(self._transaction, record_row(self._transaction, record, self._now))
        self._states[record.number] = (record.draft, version, record.state)
        return row

    def _move(self, number: str, state: str) -> None:
        """Move a record to another state. One that is filed in the same turn is filed as it shall be."""
        filed = [row for row in self._records if row["number"] == number]
        for row in filed:
            row["state"] = state
        if not filed:
            self._states[number] = (*amend(self._transaction, number, state), state)

    def texts(self, draft: str, last: int, many: int) -> list[str]:
        """Return what each of a draft's new links has to say, `last` being the newest one's number so far; all but calls is beside the newest."""
        calls = [self._called(draft, last + i, (i - 1, i - 1 - many)) for i in range(1, many + 1)]
        return [*(Beside(before).text() for before in calls[:-1]), self._beside(draft, calls[-1]).text()]

    def _called(self, draft: str, n: int, event: tuple[int, int]) -> tuple[str, ...]:
        rows: list[Values] = []
        for call in (call for call in self._work.calls if call.draft == draft and call.event in event):
            row = {name: getattr(call, name) for name in LOGGED} | {"n": n, "place": len(rows), "at": self._now}
            body = {"person": call.person, "body": call.body}
            rows.append(row | self._transaction.sealed(call.person, call_identity(row), body))
        self._calls += rows
        return tuple(call_digest(row, digest(row["sealed"])) for row in rows)

    def _beside(self, draft: str, calls: tuple[str, ...] = ()) -> Beside:
        rows = (*self._records, *self._refiled)
        filed = {r["number"]: record_facts(r, digest(r["sealed"])) for r in rows if r["draft"] == draft}
        states = {number: (v, state) for number, (of, v, state) in self._states.items() if of == draft}
        shown = tuple(digest(row["sealed"]) for row in self._outgoing if row["draft"] == draft)
        return Beside(calls, filed, states, shown)

    def write(self) -> None:
        """Insert the rows; what belongs to a draft without an event here gets a link of its own."""
        if self._calls:
            self._transaction.run(CALLED, self._calls)
        for row in self._records:
            file(self._transaction, row)
        here = {draft.id for draft in self._work.drafts}
        others = {row["draft"] for row in self._records} | {draft for draft, _, _ in self._states.values()}
        for draft in sorted(others - here):
            append(self._transaction, "records", {"beside": self._beside(draft).text()}, at=self._now)


def record_row(transaction: Transaction, record: Record, now: datetime) -> Values:
    """Return the row of a record that is about to be filed."""
    plain = {name: getattr(record, name) for name in FILED} | {"filed_at": now}
    body = {"person": record.person, "body": record.body}
    return plain | transaction.sealed(record.person, f"records:{record.number}", body)


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
