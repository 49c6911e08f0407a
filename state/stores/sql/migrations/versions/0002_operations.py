"""Operations: proposals that wait for a click, and the entries that operations write."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Utc

revision = "0002_operations"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables with their indexes."""
    op.create_table(
        "proposals",
        sa.Column("id", Key, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("expires_at", Utc, nullable=False),
        sa.Column("ended_at", Utc),
        sa.Column("outcome", sa.LargeBinary),
        *_sealed(),
    )
    op.create_index("proposals_of_person", "proposals", ["sealed_by", "id"])
    op.create_table(
        "entries",
        sa.Column("id", Key, primary_key=True),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("changed_at", Utc, nullable=False),
        *_sealed(),
        sa.UniqueConstraint("tenant", "form", "number", name="entries_number"),
    )
    op.create_index("entries_of_person", "entries", ["sealed_by", "id"])


def _sealed() -> list[sa.Column[Any]]:
    by = sa.Column("sealed_by", Key, sa.ForeignKey("person_keys.id"), nullable=False)
    return [by, sa.Column("sealed", sa.LargeBinary, nullable=False)]
