"""Migrations: run where a database is behind, and nothing else."""

from alembic.config import Config
from alembic.script import ScriptDirectory

from state.stores.sql.migrate import MIGRATIONS, newest


def test_the_newest_migration_is_known_without_alembic() -> None:
    """The highest file name is the one head that Alembic finds."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [newest()]
