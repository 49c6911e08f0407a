"""What an installation is before any bot runs: its workflows, its key, and who may call it."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from blocks.phrases import problems
from bot.http.tokens import Tokens, read_tokens
from bot.settings import Settings, Wrong
from state.stores.vault import installation_key, read_key
from state.workflow.load import Sentences, Workflow, load_all, load_folder

HERE = Path(__file__).parents[1] / "workflows"
LOST_KEY = "The key in {path} cannot be used ({what}). Put the right one back: without it nothing stored can be read."
Stamp = tuple[str, int, int]
"""A file, when it was written, and its size."""


def load_workflows(settings: Settings) -> Mapping[str, Workflow]:
    """Return the bot's own workflows and those of HOLDFAST_WORKFLOWS, read anew where a file changed. Raises FormError with every problem."""
    folders = (*sorted(p.parent for p in HERE.glob("*/form.toml")), *settings.workflow_folders)
    return _loaded(folders, tuple(sorted(stamp for folder in folders for stamp in _stamps(folder))))


def _stamps(folder: Path | str) -> Iterator[Stamp]:
    """Yield every file in a folder and below. A folder that is not there has none."""
    if not Path(folder).is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path) if entry.name != "__pycache__" else ()
            elif entry.is_file():
                stat = entry.stat()
                yield entry.path, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=4)
def _loaded(folders: tuple[Path, ...], _stamps: tuple[Stamp, ...]) -> Mapping[str, Workflow]:
    return load_all(folders, problems, _known)


def _known(folder: Path, above: tuple[Path, ...], _sentences: Sentences) -> Workflow:
    """A workflow of which no file has changed is not read again because another one has."""
    return _one(folder, above, tuple(sorted(stamp for each in (folder, *above) for stamp in _stamps(each))))


@lru_cache(maxsize=32)
def _one(folder: Path, above: tuple[Path, ...], _stamps: tuple[Stamp, ...]) -> Workflow:
    return load_folder(folder, above, problems)


@contextmanager
def named(setting: str) -> Iterator[None]:
    """A setting that cannot be read is told by its name; its ValueError is a sentence without the value."""
    try:
        yield
    except ValueError as problem:
        told = str(problem).rstrip(".")
        raise Wrong([f"{told}." if told.startswith(setting) else f"{setting}: {told}."]) from None


def make_key(settings: Settings) -> bytes:
    """Return the installation's key: HOLDFAST_KEY, or one kept under `var/`, made at the first start."""
    if settings.holdfast_key:
        with named("HOLDFAST_KEY"):
            return read_key(settings.holdfast_key.get_secret_value())
    path = settings.holdfast_var / "holdfast.key"
    try:
        return installation_key(path)
    except ValueError as problem:
        raise Wrong([LOST_KEY.format(path=path, what=str(problem).partition(": ")[2].rstrip("."))]) from None
    except OSError as problem:
        if not path.exists():
            raise
        raise Wrong([LOST_KEY.format(path=path, what=problem.strerror)]) from None


def key_problem(settings: Settings) -> str:
    """Why the key could not be read now; empty where it could. Nothing is made."""
    path = settings.holdfast_var / "holdfast.key"
    if not settings.holdfast_key and not path.exists():
        return f"{path.name} is gone"
    try:
        make_key(settings)
    except (Wrong, OSError) as problem:
        return f"cannot be read ({type(problem).__name__})"
    return ""


def make_tokens(settings: Settings, workflows: Iterable[str] = ()) -> Tokens:
    """Who may call `/chat`: nobody, until HOLDFAST_CHAT_TOKENS names a file."""
    with named("HOLDFAST_CHAT_TOKENS"):
        return read_tokens(settings.holdfast_chat_tokens, workflows)
