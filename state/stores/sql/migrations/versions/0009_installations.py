"""Where the app is installed, and installations under way."""

import sqlalchemy as sa
from alembic import op

from state.stores.sql.types import Key, Utc

revision = "0009_installations"
down_revision = "0008_delivery"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "installations",
        sa.Column("id", Key, primary_key=True),
        sa.Column("workspace", sa.String, nullable=False, unique=True),
        sa.Column("installed_at", Utc, nullable=False),
        sa.Column("key", Key, sa.ForeignKey("person_keys.id"), nullable=False),
        sa.Column("granted", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "oauth_states",
        sa.Column("state", sa.String, primary_key=True),
        sa.Column("until", Utc, nullable=False),
    )
