"""The log of tool calls."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Utc

revision = "0003_tool_calls"
down_revision = "0002_operations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table, with an index for counting from a day on."""
    op.create_table(
        "tool_calls",
        sa.Column("draft", sa.String, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("reader", sa.String, nullable=False),
        sa.Column("tool", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("idempotent", sa.Boolean, nullable=False),
        sa.Column("finalizes", sa.Boolean, nullable=False),
        sa.Column("sealed_by", Key, sa.ForeignKey("person_keys.id"), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["draft", "n"], ["events.draft", "events.n"]),
    )
    op.create_index("tool_calls_since", "tool_calls", ["at"])
