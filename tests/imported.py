"""What a process of the bot imports and reads, for those that are forked from one that has (`tests/warm.py`)."""

import gc
import importlib

import bot.commands.serve
from bot.root.installation import load_workflows
from bot.settings import load

for name in ("bot.model.claude", "sqlalchemy.dialects.postgresql.asyncpg"):
    importlib.import_module(name)  # only wanted where there is a model, a new database, a PostgreSQL
load_workflows(load(_env_file=None, holdfast_workflows=""))  # kept for as long as no file of theirs changes
__all__ = ["bot"]
gc.collect()
gc.freeze()
