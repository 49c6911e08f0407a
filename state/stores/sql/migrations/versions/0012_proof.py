"""What was shown belongs to its draft and stays with it; legal holds."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Utc

revision = "0012_proof"
down_revision = "0011_queue"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column and a table."""
    op.add_column("outbox", sa.Column("draft", sa.String))
    named = sa.text("draft IS NOT NULL")
    op.create_index("outbox_of_draft", "outbox", ["draft", "id"], sqlite_where=named, postgresql_where=named)
    op.create_table(
        "holds",
        sa.Column("id", Key, primary_key=True),
        sa.Column("scope", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("lifted_at", Utc),
        sa.Column("key", Key, sa.ForeignKey("person_keys.id"), nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
    )
    open_holds = sa.text("lifted_at IS NULL")
    op.create_index(
        "holds_open", "holds", ["scope", "name"], unique=True, sqlite_where=open_holds, postgresql_where=open_holds
    )
