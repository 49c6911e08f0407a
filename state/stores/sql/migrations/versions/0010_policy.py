"""Lists that officers keep: their versions, and uploads that wait for somebody to confirm them."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Utc

revision = "0010_policy"
down_revision = "0009_installations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "list_versions",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("form", sa.String, primary_key=True),
        sa.Column("list", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("effective", Utc, nullable=False),
        sa.Column("uploaded_at", Utc, nullable=False),
        sa.Column("key", Key, sa.ForeignKey("person_keys.id"), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "list_uploads",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("until", Utc, nullable=False),
        sa.Column("key", Key, sa.ForeignKey("person_keys.id"), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
