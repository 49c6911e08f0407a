"""The tables. What is personal is in `sealed`, under the data key `sealed_by`; conversations and lanes are encrypted names.

Databases of earlier versions lack what was added since: a column that is added has to be nullable or have a `server_default`.
"""

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


def _id() -> Column[Any]:
    return Column("id", Key, primary_key=True)


def _part_of_key(name: str, kind: Any = String, **options: Any) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False, **options)


def _texts(*names: str) -> list[Column[Any]]:
    return [Column(name, String, nullable=False) for name in names]


def _numbers(*names: str) -> list[Column[Any]]:
    return [Column(name, Integer, nullable=False) for name in names]


def _times(*names: str) -> list[Column[Any]]:
    return [Column(name, Utc, nullable=False) for name in names]


def _made(*names: str) -> list[Column[Any]]:
    """Times that are now, unless a row says otherwise."""
    return [Column(name, Utc, nullable=False, default=clock()) for name in names]


def _draft(**options: Any) -> Column[Any]:
    return Column("draft", String, ForeignKey("drafts.name"), nullable=False, **options)


def _sealed(key: str = "sealed_by", sealed: str = "sealed") -> tuple[Column[Any], Column[Any]]:
    """The key of a person, or of a workspace, and what is sealed under it."""
    by = Column(key, Key, ForeignKey("person_keys.id"), nullable=False)
    return by, Column(sealed, LargeBinary, nullable=False)


person_keys = Table(
    "person_keys",
    metadata,
    _id(),
    Column("person", String, unique=True),  # keyed hash of "team:user"; null once erased
    *_texts("key_id"),  # the installation's key that wrapped it
    Column("wrapped", LargeBinary),  # null once erased
    *_made("made_at"),
    Column("destroyed_at", Utc),
    Column("destroy_at", Utc),  # a kept record's own key: the day on which it goes
)

inbox = Table(
    "inbox",
    metadata,
    _id(),
    Column("key", String, nullable=False, unique=True),  # keyed hash
    *_texts("conversation"),
    Column("status", String, nullable=False, default="new"),  # new, done, dead, erased
    Column("attempts", Integer, nullable=False, default=0),
    *_made("received_at", "due_at"),
    Column("ended_at", Utc),
    Column("reason", String),  # why it could not be handled: the class of the error
    *_sealed(),
)

leases = Table(
    "leases",
    metadata,
    Column("lane", String, primary_key=True),
    Column("token", BigInteger, nullable=False),
    Column("until", Utc),  # null while it is free
    Column("holder", BigInteger),  # the process, by the number of the lock that it lives by; null where it has none
)

drafts = Table(
    "drafts",
    metadata,
    _id(),
    Column("name", Ordered, nullable=False, unique=True),
    *_texts("conversation", "form", "status", "head"),
    *_numbers("revision", "last"),
    *_times("updated_at"),
    *_sealed(),
    Column("mac", String),  # of the row; null in rows from before there were any
    Column("signed", Integer, nullable=False, default=0, server_default="0"),  # links that checkpoints have signed
)

conversations = Table("conversations", metadata, Column("conversation", String, primary_key=True), _draft())

events = Table(
    "events",
    metadata,
    Column("draft", String, ForeignKey("drafts.name"), primary_key=True),
    _part_of_key("n", Integer),
    *_numbers("revision"),
    *_texts("kind", "form_version", "rules_version", "previous", "hash"),
    *_times("at"),
    *_sealed(),
    Column("digest", String),  # of the body, once that is gone: the chain still verifies
    Column("beside", String, nullable=False, default="", server_default=""),  # written with it: calls, records, states
    Column("mac", String),  # of the hash; null in links from before there were any
)

outbox = Table(
    "outbox",
    metadata,
    _id(),
    Column("key", String, nullable=False, unique=True),  # keyed hash
    *_texts("lane", "kind"),
    # new, unclear, done, superseded, expired, blocked, dead, erased; what is blocked holds its lane until it has an end
    Column("status", String, nullable=False, default="new"),
    Column("attempts", Integer, nullable=False, default=0),
    *_times("due_at"),
    Column("ended_at", Utc),
    Column("reason", String),  # why it could not be delivered: Slack's code, or the class of the error
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
    _part_of_key("n", Integer),
    _part_of_key("place", Integer),
    *_times("at"),
    *_numbers("turn", "step"),
    # `reader` is a model's name or "rules", `tool` a name that the form has or "unknown", `reason` a refusal's code
    *_texts("tenant", "form", "reader", "tool", "status", "reason"),
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
    *_texts("channel", "ts"),
    Column("shown", String),
    Column("gone", Boolean),
)

records = Table(
    "records",
    metadata,
    _id(),
    Column("number", Ordered, nullable=False, unique=True),
    _draft(unique=True),
    *_texts("form", "tenant", "state", "hash"),
    *_times("filed_at"),
    *_sealed(),
    Column("kept_for", String),  # keyed hash of an erased person, while the law wants the record kept
    Column("version", Integer, nullable=False, default=0, server_default="0"),  # counts its states, for links
    Column("digest", String),  # of the body, once that is gone
)

tombstones = Table(
    "tombstones",
    metadata,
    _id(),
    *_made("at"),
    Column("told", JSON, nullable=False),  # counts by form; nothing says whose
)

holds = Table(
    "holds",
    metadata,
    _id(),
    *_texts("scope", "name"),  # a record and its number, or a person and the keyed hash of "team:user"
    *_made("at"),
    Column("lifted_at", Utc),  # null while it is open
    *_sealed("key", "told"),  # by whom and why, under the key of all holds
)

custody = Table(
    "custody",
    metadata,
    Column("chain", String, primary_key=True),
    _part_of_key("n", Integer),
    *_texts("kind", "body", "previous", "hash", "mac"),  # the body names nobody
    *_times("at"),
    Column("due", Boolean, default=True),  # true until a checkpoint has signed it, then null
)

checkpoints = Table("checkpoints", metadata, _part_of_key("n", Integer), *_texts("text", "hash", "signature"))

evidence_keys = Table(
    "evidence_keys",
    metadata,
    Column("id", String, primary_key=True),  # of the installation's key that it belonged to
    *_texts("wrapped", "wrapped_by"),  # base64, under the installation's key of today
)

documents = Table(
    "documents",
    metadata,
    _id(),
    Column("name", Ordered, nullable=False, unique=True),
    _draft(),
    *_texts("tenant", "type"),
    *_numbers("size"),
    *_times("received_at", "keep_until"),
    *_sealed(),
    Column("content", LargeBinary, nullable=False),  # sealed as well, apart from what lists need
)

series = Table(
    "series", metadata, Column("prefix", String, primary_key=True), Column("last", BigInteger, nullable=False)
)

spending = Table(
    "spending", metadata, Column("day", String, primary_key=True), Column("tokens", BigInteger, nullable=False)
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
    _id(),
    Column("name", String, nullable=False, unique=True),
    *_texts("tenant", "form"),
    Column("status", String, nullable=False, default="open"),  # open, used, cancelled, undone, erased
    *_made("made_at"),
    *_times("expires_at"),
    Column("ended_at", Utc),
    Column("outcome", LargeBinary),  # sealed like the rest; null until it is used
    *_sealed(),
)

entries = Table(
    "entries",
    metadata,
    _id(),
    *_texts("tenant", "form"),
    *_numbers("number", "revision"),
    Column("deleted", Boolean, nullable=False),
    *_made("made_at", "changed_at"),
    *_sealed(),
    UniqueConstraint("tenant", "form", "number", name="entries_number"),
)

installations = Table(
    "installations",
    metadata,
    _id(),
    Column("workspace", String, nullable=False, unique=True),  # keyed hash
    *_made("installed_at"),
    *_sealed("key", "granted"),  # under the workspace's own key
)

oauth_states = Table(
    "oauth_states",
    metadata,
    Column("state", String, primary_key=True),  # keyed hash
    *_times("until"),
)

list_versions = Table(
    "list_versions",
    metadata,
    *(_part_of_key(name) for name in ("tenant", "form", "list")),
    _part_of_key("number", Integer),
    *_times("effective", "uploaded_at"),
    *_sealed("key", "content"),  # under the workspace's own key: rows, their hash, who uploaded them
)

list_uploads = Table(
    "list_uploads", metadata, Column("name", String, primary_key=True), *_times("until"), *_sealed("key", "content")
)

record_index = Table(
    "record_index",
    metadata,
    Column("number", Ordered, primary_key=True),
    *_texts("draft", "tenant", "form", "state", "owner"),  # the owner is the keyed hash of "team:user"
    Column("post", String, nullable=False, default=""),  # what it waits for; empty where nothing is
    *_times("filed_at", "due_at"),  # due in the year 9999 where nothing hurries
    Column("decided_at", Utc),
    Column("verdict", String, nullable=False, default=""),
    Column("took", Integer),  # seconds from filing to the verdict
    Column("breached_at", Utc),  # when the newest breach was opened
    Column("breaches", Integer, nullable=False, default=0),  # that nobody has closed
    Column("shape", String, nullable=False, default=""),  # the parts of the form that it was made by
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


def _index(
    name: str, table: Table, columns: str, only: ColumnElement[bool] | None = None, *, unique: bool = False
) -> None:
    """Add an index; `only` over the rows that count, so that a search among them does not grow with history."""
    Index(name, *(table.c[one] for one in columns.split()), unique=unique, sqlite_where=only, postgresql_where=only)


_index("inbox_open", inbox, "conversation id", OPEN_INBOX)
_index("inbox_of_conversation", inbox, "conversation id")
_index("inbox_dead", inbox, "id", inbox.c.status == DEAD)
_index("outbox_open", outbox, "lane id", OPEN_OUTBOX)
_index("outbox_dead", outbox, "id", outbox.c.status == DEAD)
_index("outbox_blocked", outbox, "id", outbox.c.status == BLOCKED)
_index("outbox_of_draft", outbox, "draft id", SHOWN)
_index("drafts_due", drafts, "name", DRAFTS_DUE)
_index("custody_due", custody, "chain n", CUSTODY_DUE)
_index("holds_open", holds, "scope name", STANDING, unique=True)
_index("tool_calls_since", tool_calls, "at")
_index("records_kept", records, "kept_for")
_index("records_of_form", records, "form number")
_index("documents_until", documents, "keep_until")
for _table in (drafts, records, proposals, entries, documents):
    _index(f"{_table.name}_of_person", _table, "sealed_by id")
_index("record_index_waiting", record_index, "tenant form post due_at number owner")
_index("record_index_filed", record_index, "tenant form filed_at")
_index("record_index_decided", record_index, "tenant form decided_at")
_index("record_index_owner", record_index, "owner filed_at")
_index("record_words_of", record_words, "number")
