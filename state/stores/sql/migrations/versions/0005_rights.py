"""Erasure and retention: what remains of erasures, keys with an end, events whose bodies are gone, records that are kept for somebody."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Utc

revision = "0005_rights"
down_revision = "0004_documents"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table and three columns."""
    op.create_table(
        "tombstones",
        sa.Column("id", Key, primary_key=True),
        sa.Column("at", Utc, nullable=False),
        sa.Column("told", sa.JSON, nullable=False),
    )
    op.add_column("person_keys", sa.Column("destroy_at", Utc))
    op.add_column("events", sa.Column("digest", sa.String))
    op.add_column("records", sa.Column("kept_for", sa.String))
    op.create_index("records_kept", "records", ["kept_for"])
