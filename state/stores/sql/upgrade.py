"""Runs the migrations, which takes Alembic: imported only where a database is not at the newest one."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(connection: Connection, migrations: Path, to: str = "head") -> None:
    """Every migration that is missing until this one, over this connection and inside its transaction."""
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
