"""Alembic runs this file: migrate over the connection that `migrate.py` hands in, inside its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
