"""Files that people sent, sealed, each with the time after which it goes."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Ordered, Utc

revision = "0004_documents"
down_revision = "0003_tool_calls"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "documents",
        sa.Column("id", Key, primary_key=True),
        sa.Column("name", Ordered, nullable=False, unique=True),
        sa.Column("draft", sa.String, sa.ForeignKey("drafts.name"), nullable=False),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("received_at", Utc, nullable=False),
        sa.Column("keep_until", Utc, nullable=False),
        sa.Column("sealed_by", Key, sa.ForeignKey("person_keys.id"), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_index("documents_of_person", "documents", ["sealed_by", "id"])
    op.create_index("documents_until", "documents", ["keep_until"])
