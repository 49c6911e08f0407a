"""Since when a card stands in a message that showed another one before."""

import sqlalchemy as sa
from alembic import op

revision = "0006_shown"
down_revision = "0005_rights"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two columns."""
    op.add_column("posts", sa.Column("shown", sa.String))
    op.add_column("posts", sa.Column("gone", sa.Boolean))
