"""The shipped workflows, loaded once a process: what is kept at hand of a field is found again by that field, by its copy after a long look."""

from functools import cache

from bot.root.installation import load_workflows
from bot.settings import load
from state.workflow.load import Workflow


@cache
def shipped(name: str) -> Workflow:
    """One of them: the very same that a whole bot has (`tests/world.py`)."""
    return load_workflows(load(_env_file=None, holdfast_workflows=""))[name]
