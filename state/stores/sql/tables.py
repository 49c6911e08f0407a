"""The tables. What is personal is in `sealed`, under the data key `sealed_by`; conversations and lanes are encrypted names."""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    literal,
)

from state.stores.sql.types import Key, Ordered, Utc, clock

metadata = MetaData()


def _sealed() -> tuple[Column[Any], Column[Any]]:
    by = Column("sealed_by", Key, ForeignKey("person_keys.id"), nullable=False)
    return by, Column("sealed", LargeBinary, nullable=False)


person_keys = Table(
    "person_keys",
    metadata,
    Column("id", Key, primary_key=True),
    Column("person", String, unique=True),  # keyed hash of "team:user"; null once erased
    Column("key_id", String, nullable=False),  # the installation's key that wrapped it
    Column("wrapped", LargeBinary),  # null once erased
    Column("made_at", Utc, nullable=False, default=clock()),
    Column("destroyed_at", Utc),
    Column("destroy_at", Utc),  # a kept record's own key: the day on which it goes
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Key, primary_key=True),
    Column("key", String, nullable=False, unique=True),  # keyed hash
    Column("conversation", String, nullable=False),
    Column("status", String, nullable=False, default="new"),  # new, done, dead, erased
    Column("attempts", Integer, nullable=False, default=0),
    Column("received_at", Utc, nullable=False, default=clock()),
    Column("due_at", Utc, nullable=False, default=clock()),
    Column("ended_at", Utc),
    Column("reason", String),  # why it could not be handled: the class of the trouble
    *_sealed(),
)

leases = Table(
    "leases",
    metadata,
    Column("lane", String, primary_key=True),
    Column("token", BigInteger, nullable=False),
    Column("until", Utc),  # null while it is free
)

drafts = Table(
    "drafts",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Ordered, nullable=False, unique=True),
    Column("conversation", String, nullable=False),
    Column("form", String, nullable=False),
    Column("status", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("head", String, nullable=False),
    Column("updated_at", Utc, nullable=False),
    *_sealed(),
    Column("mac", String),  # of the row; null in rows from before there were any
    Column("signed", Integer, nullable=False, default=0),  # how many of its links checkpoints have signed
)

conversations = Table(
    "conversations",
    metadata,
    Column("conversation", String, primary_key=True),
    Column("draft", String, ForeignKey("drafts.name"), nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("draft", String, ForeignKey("drafts.name"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("form_version", String, nullable=False),
    Column("rules_version", String, nullable=False),
    Column("at", Utc, nullable=False),
    Column("previous", String, nullable=False),
    Column("hash", String, nullable=False),
    *_sealed(),
    Column("digest", String),  # of the body, once that is gone: the chain still verifies
    Column("beside", String, nullable=False, default=""),  # what was written with it: calls, records, states
    Column("mac", String),  # of the hash; null in links from before there were any
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Key, primary_key=True),
    Column("key", String, nullable=False, unique=True),  # keyed hash
    Column("lane", String, nullable=False),
    Column("kind", String, nullable=False),
    # new, unclear, done, superseded, expired, blocked, dead, erased; what is blocked holds its lane until it has an end
    Column("status", String, nullable=False, default="new"),
    Column("attempts", Integer, nullable=False, default=0),
    Column("due_at", Utc, nullable=False),
    Column("ended_at", Utc),
    Column("reason", String),  # why it could not be delivered: Slack's code, or the class of the trouble
    Column("sent", Integer),  # how often it may have been sent with no answer; null where nobody has said so yet
    Column("pool", String),  # the class of its lane
    Column("wanted_at", Utc),  # from when on it was to be done
    Column("draft", String),  # of which somebody is shown something by it: it stays for as long as that
    *_sealed(),
)

tool_calls = Table(
    "tool_calls",
    metadata,
    Column("draft", String, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("at", Utc, nullable=False),
    Column("tenant", String, nullable=False),
    Column("form", String, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("reader", String, nullable=False),  # a model's name, or "rules"
    Column("tool", String, nullable=False),  # a name that the form has, or "unknown"
    Column("status", String, nullable=False),
    Column("reason", String, nullable=False),  # a refusal's code
    Column("idempotent", Boolean, nullable=False),
    Column("finalizes", Boolean, nullable=False),
    *_sealed(),
    Column("digest", String),  # of the body, once that is gone
    ForeignKeyConstraint(["draft", "n"], ["events.draft", "events.n"]),
)

posts = Table(
    "posts",
    metadata,
    Column("card", String, primary_key=True),
    Column("channel", String, nullable=False),
    Column("ts", String, nullable=False),
    Column("shown", String),
    Column("gone", Boolean),
)

records = Table(
    "records",
    metadata,
    Column("id", Key, primary_key=True),
    Column("number", Ordered, nullable=False, unique=True),
    Column("draft", String, ForeignKey("drafts.name"), nullable=False, unique=True),
    Column("form", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("state", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("filed_at", Utc, nullable=False),
    *_sealed(),
    Column("kept_for", String),  # keyed hash of an erased person, while the law wants the record kept
    Column("version", Integer, nullable=False, default=0),  # counts its states: links say which had which
    Column("digest", String),  # of the body, once that is gone
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("id", Key, primary_key=True),
    Column("at", Utc, nullable=False, default=clock()),
    Column("told", JSON, nullable=False),  # counts by form; nothing says whose
)

holds = Table(
    "holds",
    metadata,
    Column("id", Key, primary_key=True),
    Column("scope", String, nullable=False),  # record, person
    Column("name", String, nullable=False),  # a record's number, or the keyed hash of "team:user"
    Column("at", Utc, nullable=False, default=clock()),
    Column("lifted_at", Utc),  # null while it is open
    Column("key", Key, ForeignKey("person_keys.id"), nullable=False),  # of the workspace's holds
    Column("told", LargeBinary, nullable=False),  # by whom and why, sealed under it
)

custody = Table(
    "custody",
    metadata,
    Column("chain", String, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("body", String, nullable=False),  # names nobody
    Column("at", Utc, nullable=False),
    Column("previous", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("mac", String, nullable=False),
    Column("due", Boolean, default=True),  # true until a checkpoint has signed it, then null
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("text", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("signature", String, nullable=False),
)

evidence_keys = Table(
    "evidence_keys",
    metadata,
    Column("id", String, primary_key=True),  # of the installation's key that it belonged to
    Column("wrapped", String, nullable=False),  # base64, under the installation's key of today
    Column("wrapped_by", String, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Ordered, nullable=False, unique=True),
    Column("draft", String, ForeignKey("drafts.name"), nullable=False),
    Column("tenant", String, nullable=False),
    Column("type", String, nullable=False),
    Column("size", Integer, nullable=False),
    Column("received_at", Utc, nullable=False),
    Column("keep_until", Utc, nullable=False),
    *_sealed(),
    Column("content", LargeBinary, nullable=False),  # sealed as well, apart from what lists need
)

series = Table(
    "series",
    metadata,
    Column("prefix", String, primary_key=True),
    Column("last", BigInteger, nullable=False),
)

spending = Table(
    "spending",
    metadata,
    Column("day", String, primary_key=True),
    Column("tokens", BigInteger, nullable=False),
)

reaches = Table(
    "reaches",
    metadata,
    Column("team", String, primary_key=True),
    Column("ok_at", Utc),  # when Slack last did what it was asked
    Column("since", Utc),  # since when it does not; null while it does
    Column("reason", String),
)

proposals = Table(
    "proposals",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("tenant", String, nullable=False),
    Column("form", String, nullable=False),
    Column("status", String, nullable=False, default="open"),  # open, used, cancelled, undone, erased
    Column("made_at", Utc, nullable=False, default=clock()),
    Column("expires_at", Utc, nullable=False),
    Column("ended_at", Utc),
    Column("outcome", LargeBinary),  # sealed like the rest; null until it is used
    *_sealed(),
)

entries = Table(
    "entries",
    metadata,
    Column("id", Key, primary_key=True),
    Column("tenant", String, nullable=False),
    Column("form", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("made_at", Utc, nullable=False, default=clock()),
    Column("changed_at", Utc, nullable=False, default=clock()),
    *_sealed(),
    UniqueConstraint("tenant", "form", "number", name="entries_number"),
)

installations = Table(
    "installations",
    metadata,
    Column("id", Key, primary_key=True),
    Column("workspace", String, nullable=False, unique=True),  # keyed hash
    Column("installed_at", Utc, nullable=False, default=clock()),
    Column("key", Key, ForeignKey("person_keys.id"), nullable=False),  # the workspace's own
    Column("granted", LargeBinary, nullable=False),  # sealed under it
)

oauth_states = Table(
    "oauth_states",
    metadata,
    Column("state", String, primary_key=True),  # keyed hash
    Column("until", Utc, nullable=False),
)

list_versions = Table(
    "list_versions",
    metadata,
    Column("tenant", String, primary_key=True),
    Column("form", String, primary_key=True),
    Column("list", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("effective", Utc, nullable=False),
    Column("uploaded_at", Utc, nullable=False),
    Column("key", Key, ForeignKey("person_keys.id"), nullable=False),  # the workspace's own
    Column("content", LargeBinary, nullable=False),  # sealed under it: rows, their hash, who uploaded them
)

list_uploads = Table(
    "list_uploads",
    metadata,
    Column("name", String, primary_key=True),
    Column("until", Utc, nullable=False),
    Column("key", Key, ForeignKey("person_keys.id"), nullable=False),
    Column("content", LargeBinary, nullable=False),
)

record_index = Table(
    "record_index",
    metadata,
    Column("number", Ordered, primary_key=True),
    Column("draft", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("form", String, nullable=False),
    Column("state", String, nullable=False),
    Column("post", String, nullable=False, default=""),  # what it waits for; empty where nothing is
    Column("owner", String, nullable=False),  # keyed hash of "team:user"
    Column("filed_at", Utc, nullable=False),
    Column("due_at", Utc, nullable=False),  # the year 9999 where nothing hurries
    Column("decided_at", Utc),
    Column("verdict", String, nullable=False, default=""),
    Column("took", Integer),  # seconds from filing to the verdict
    Column("breached_at", Utc),  # when the newest breach was opened
    Column("breaches", Integer, nullable=False, default=0),  # that nobody has closed
    Column("shape", String, nullable=False, default=""),  # what of the form it was made by
)

record_words = Table(
    "record_words",
    metadata,
    Column("token", String, primary_key=True),  # keyed hash of a word, or of who decided
    Column("number", Ordered, primary_key=True),
)

STANDING = holds.c.lifted_at.is_(None)
SHOWN = outbox.c.draft.is_not(None)
DRAFTS_DUE, CUSTODY_DUE = drafts.c.signed < drafts.c.last, custody.c.due.is_not(None)
OPEN_INBOX, OPEN_OUTBOX = inbox.c.ended_at.is_(None), outbox.c.ended_at.is_(None)
DEAD, BLOCKED = literal("dead", literal_execute=True), literal("blocked", literal_execute=True)
"""Written into the statement, so that the partial indexes on it are used."""


def _partial(name: str, condition: ColumnElement[bool], *columns: Column[Any], unique: bool = False) -> None:
    """Add an index over the rows that count, so that a search among them does not grow with history."""
    Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


_partial("inbox_open", OPEN_INBOX, inbox.c.conversation, inbox.c.id)
_partial("inbox_dead", inbox.c.status == DEAD, inbox.c.id)
_partial("outbox_open", OPEN_OUTBOX, outbox.c.lane, outbox.c.id)
_partial("outbox_dead", outbox.c.status == DEAD, outbox.c.id)
_partial("drafts_due", DRAFTS_DUE, drafts.c.name)
_partial("custody_due", CUSTODY_DUE, custody.c.chain, custody.c.n)
_partial("outbox_blocked", outbox.c.status == BLOCKED, outbox.c.id)
_partial("outbox_of_draft", SHOWN, outbox.c.draft, outbox.c.id)
_partial("holds_open", STANDING, holds.c.scope, holds.c.name, unique=True)
Index("tool_calls_since", tool_calls.c.at)
Index("drafts_of_person", drafts.c.sealed_by, drafts.c.id)
Index("records_of_person", records.c.sealed_by, records.c.id)
Index("records_kept", records.c.kept_for)
Index("records_of_form", records.c.form, records.c.number)
Index("proposals_of_person", proposals.c.sealed_by, proposals.c.id)
Index("entries_of_person", entries.c.sealed_by, entries.c.id)
Index("documents_of_person", documents.c.sealed_by, documents.c.id)
Index("documents_until", documents.c.keep_until)
Index(
    "record_index_waiting",
    record_index.c.tenant,
    record_index.c.form,
    record_index.c.post,
    record_index.c.due_at,
    record_index.c.number,
    record_index.c.owner,
)
Index("record_index_filed", record_index.c.tenant, record_index.c.form, record_index.c.filed_at)
Index("record_index_decided", record_index.c.tenant, record_index.c.form, record_index.c.decided_at)
Index("record_index_owner", record_index.c.owner, record_index.c.filed_at)
Index("record_words_of", record_words.c.number)
