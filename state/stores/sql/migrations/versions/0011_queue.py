"""The index of records: how each stands, and keyed hashes of the words that it is found by. Bots fill it behind the first start."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Ordered, Utc

revision = "0011_queue"
down_revision = "0010_policy"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables, and the orders in which they are read."""
    op.create_table(
        "record_index",
        sa.Column("number", Ordered, primary_key=True),
        sa.Column("draft", sa.String, nullable=False),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("post", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("filed_at", Utc, nullable=False),
        sa.Column("due_at", Utc, nullable=False),
        sa.Column("decided_at", Utc),
        sa.Column("verdict", sa.String, nullable=False),
        sa.Column("took", sa.Integer),
        sa.Column("breached_at", Utc),
        sa.Column("breaches", sa.Integer, nullable=False),
        sa.Column("shape", sa.String, nullable=False),
    )
    op.create_table(
        "record_words",
        sa.Column("token", sa.String, primary_key=True),
        sa.Column("number", Ordered, primary_key=True),
    )
    for name, columns in INDEXES.items():
        op.create_index(name, "record_index", columns)
    op.create_index("record_words_of", "record_words", ["number"])


INDEXES = {
    "record_index_waiting": ["tenant", "form", "post", "due_at", "number", "owner"],
    "record_index_filed": ["tenant", "form", "filed_at"],
    "record_index_decided": ["tenant", "form", "decided_at"],
    "record_index_owner": ["owner", "filed_at"],
}
