"""What a process of the bot imports, for those that are forked from one that has (`tests/warm.py`)."""

import gc
import importlib

import bot.commands.serve

for name in ("bot.model.claude", "sqlalchemy.dialects.postgresql.asyncpg"):
    importlib.import_module(name)  # only wanted where there is a model, a new database, a PostgreSQL
__all__ = ["bot"]
gc.collect()
gc.freeze()
