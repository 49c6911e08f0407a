"""The first tables. What is personal is sealed from here on; there never was a plain column to migrate away from."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Ordered, Utc

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table and index."""
    _people()
    _inbox_and_leases()
    _drafts_and_events()
    _outbox_and_posts()
    _records_and_counters()


def _sealed() -> list[sa.Column[Any]]:
    by = sa.Column("sealed_by", Key, sa.ForeignKey("person_keys.id"), nullable=False)
    return [by, sa.Column("sealed", sa.LargeBinary, nullable=False)]


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)


def _people() -> None:
    op.create_table(
        "person_keys",
        sa.Column("id", Key, primary_key=True),
        sa.Column("person", sa.String, unique=True),
        sa.Column("key_id", sa.String, nullable=False),
        sa.Column("wrapped", sa.LargeBinary),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("destroyed_at", Utc),
    )


def _inbox_and_leases() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", Key, primary_key=True),
        sa.Column("key", sa.String, nullable=False, unique=True),
        sa.Column("conversation", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("received_at", Utc, nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.Column("ended_at", Utc),
        *_sealed(),
    )
    _partial("inbox_open", "inbox", ["conversation", "id"], "ended_at IS NULL")
    _partial("inbox_dead", "inbox", ["id"], "status = 'dead'")
    op.create_table(
        "leases",
        sa.Column("lane", sa.String, primary_key=True),
        sa.Column("token", sa.BigInteger, nullable=False),
        sa.Column("until", Utc),
    )


def _drafts_and_events() -> None:
    op.create_table(
        "drafts",
        sa.Column("id", Key, primary_key=True),
        sa.Column("name", Ordered, nullable=False, unique=True),
        sa.Column("conversation", sa.String, nullable=False),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("head", sa.String, nullable=False),
        sa.Column("updated_at", Utc, nullable=False),
        *_sealed(),
    )
    op.create_index("drafts_of_person", "drafts", ["sealed_by", "id"])
    op.create_table(
        "conversations",
        sa.Column("conversation", sa.String, primary_key=True),
        sa.Column("draft", sa.String, sa.ForeignKey("drafts.name"), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("draft", sa.String, sa.ForeignKey("drafts.name"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("form_version", sa.String, nullable=False),
        sa.Column("rules_version", sa.String, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        *_sealed(),
    )


def _outbox_and_posts() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", Key, primary_key=True),
        sa.Column("key", sa.String, nullable=False, unique=True),
        sa.Column("lane", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.Column("ended_at", Utc),
        *_sealed(),
    )
    _partial("outbox_open", "outbox", ["lane", "id"], "ended_at IS NULL")
    _partial("outbox_dead", "outbox", ["id"], "status = 'dead'")
    op.create_table(
        "posts",
        sa.Column("card", sa.String, primary_key=True),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("ts", sa.String, nullable=False),
    )


def _records_and_counters() -> None:
    op.create_table(
        "records",
        sa.Column("id", Key, primary_key=True),
        sa.Column("number", Ordered, nullable=False, unique=True),
        sa.Column("draft", sa.String, sa.ForeignKey("drafts.name"), nullable=False, unique=True),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("filed_at", Utc, nullable=False),
        *_sealed(),
    )
    op.create_index("records_of_person", "records", ["sealed_by", "id"])
    op.create_index("records_of_form", "records", ["form", "number"])
    op.create_table(
        "series",
        sa.Column("prefix", sa.String, primary_key=True),
        sa.Column("last", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "spending",
        sa.Column("day", sa.String, primary_key=True),
        sa.Column("tokens", sa.BigInteger, nullable=False),
    )
