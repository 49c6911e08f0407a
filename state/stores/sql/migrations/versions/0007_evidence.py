"""The evidence: links with MACs, what became of it, and signed checkpoints of where the chains stood."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Utc

revision = "0007_evidence"
down_revision = "0006_shown"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three tables, and columns beside what is there. The first start signs what was written before."""
    _columns()
    _custody()
    op.create_table(
        "checkpoints",
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("signature", sa.String, nullable=False),
    )
    op.create_table(
        "evidence_keys",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("wrapped", sa.String, nullable=False),
        sa.Column("wrapped_by", sa.String, nullable=False),
    )


def _columns() -> None:
    op.add_column("drafts", sa.Column("mac", sa.String))
    op.add_column("drafts", sa.Column("signed", sa.Integer, nullable=False, server_default="0"))
    op.add_column("events", sa.Column("beside", sa.String, nullable=False, server_default=""))
    op.add_column("events", sa.Column("mac", sa.String))
    op.add_column("tool_calls", sa.Column("digest", sa.String))
    op.add_column("records", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("records", sa.Column("digest", sa.String))
    due = sa.text("signed < last")
    op.create_index("drafts_due", "drafts", ["name"], sqlite_where=due, postgresql_where=due)


def _custody() -> None:
    op.create_table(
        "custody",
        sa.Column("chain", sa.String, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("body", sa.String, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("mac", sa.String, nullable=False),
        sa.Column("due", sa.Boolean),
    )
    due = sa.text("due IS NOT NULL")
    op.create_index("custody_due", "custody", ["chain", "n"], sqlite_where=due, postgresql_where=due)
