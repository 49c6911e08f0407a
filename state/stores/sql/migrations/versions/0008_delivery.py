"""What became of work that could not be delivered, since when work is wanted, and whether Slack takes what is sent."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Utc

revision = "0008_delivery"
down_revision = "0007_evidence"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Columns of both queues, an index over what is blocked, and a table with a row a workspace."""
    op.add_column("inbox", sa.Column("reason", sa.String))
    op.add_column("outbox", sa.Column("reason", sa.String))
    op.add_column("outbox", sa.Column("sent", sa.Integer))
    op.add_column("outbox", sa.Column("pool", sa.String))
    op.add_column("outbox", sa.Column("wanted_at", Utc))
    blocked = sa.text("status = 'blocked'")
    op.create_index("outbox_blocked", "outbox", ["id"], sqlite_where=blocked, postgresql_where=blocked)
    op.create_table(
        "reaches",
        sa.Column("team", sa.String, primary_key=True),
        sa.Column("ok_at", Utc),
        sa.Column("since", Utc),
        sa.Column("reason", sa.String),
    )
