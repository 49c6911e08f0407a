"""An installation before any bot runs: its workflows, key and tokens, and the stores that a command opens."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, AuthorizationError
from sqlalchemy import URL, Connection

from blocks.phrases import problems
from bot.exports.sinks import FILE as SINKS
from bot.exports.sinks import Sink, read_sinks
from bot.http.tokens import Tokens, read_tokens
from bot.officers.roles import FILE as ROLES
from bot.officers.roles import RolesFile, read_roles
from bot.settings import Settings, Wrong
from state.form.source import Problem, meant
from state.stores.cache import FAILURES, DraftCache
from state.stores.embedded import start_embedded
from state.stores.errors import Unavailable
from state.stores.keys import sealed_under
from state.stores.opener import database_address, open_redis, open_store
from state.stores.sql.engine import Database
from state.stores.sql.sqlite import Result
from state.stores.store import Store
from state.stores.vault import Vault, installation_key, read_key
from state.workflow.load import Sentences, Workflow, load_all, load_each, load_folder

OPERATORS = "operators"
"""The name of the channel in which those who run the bot read of trouble."""
HERE = Path(__file__).parents[1] / "workflows"
SHIPPED = "shipped"
KEY = "holdfast.key"
NO_KEY = "The key is not here: put {path} back, or set HOLDFAST_KEY. It is in no backup, and without it nothing stored can be read."
NO_DATABASE = (
    "There is no database at {path} yet: `holdfast run` makes it. If there was one, put it back, or mend DATABASE_URL."
)
LOST_KEY = "The key in {path} cannot be used ({what}). Put the right one back: without it nothing stored can be read."
Stamp = tuple[str, int, int]
"""A file, when it was written, and its size."""


def load_workflows(settings: Settings) -> Mapping[str, Workflow]:
    """Return shipped workflows and those of HOLDFAST_WORKFLOWS, read anew where a file changed. Raises FormError, Wrong where there is none."""
    if loaded := load_all(workflow_folders(settings), problems, _known):
        return loaded
    raise Wrong(["No form is left: HOLDFAST_WORKFLOWS leaves out the shipped ones. Write one: `holdfast new trip`."])


def require_workflow(name: str, workflows: Mapping[str, Workflow]) -> None:
    """Raises Wrong where there is no workflow of this name."""
    if name not in workflows:
        raise Wrong([f"There is no workflow {name!r}. There are: {', '.join(workflows)}.{meant(name, workflows)}"])


def load_good(settings: Settings, running: Mapping[str, Workflow]) -> tuple[Mapping[str, Workflow], list[Problem]]:
    """Return the workflows, in the place of a wrong one (or of the last one that goes) the `running` one, and what is wrong; see `load_each`."""
    good, wrong = load_each(workflow_folders(settings), problems, _known, running)
    return good or running, wrong


def workflow_folders(settings: Settings) -> tuple[Path, ...]:
    """Return the folders that hold workflows, or are one. Raises Wrong where HOLDFAST_WORKFLOWS leaves out what does not ship."""
    shipped = {p.parent.name: p.parent for p in HERE.glob("*/form.toml")}
    for name in sorted(settings.left_out - {*shipped, SHIPPED}):
        told = f'HOLDFAST_WORKFLOWS leaves out "{name}", which is no shipped form. There are: {", ".join(sorted(shipped))}.'
        raise Wrong([told + meant(name, (*shipped, SHIPPED))])
    kept = () if SHIPPED in settings.left_out else sorted(shipped.keys() - settings.left_out)
    return (*(shipped[name] for name in kept), *settings.workflow_folders)


def stamps(settings: Settings) -> tuple[Stamp, ...]:
    """Return every file of the workflows, which is another one as soon as one of them changes."""
    return tuple(sorted(stamp for folder in workflow_folders(settings) for stamp in _stamps(folder)))


def _stamps(folder: Path | str) -> Iterator[Stamp]:
    """Yield every file in a folder and below, but for hidden ones and an editor's copies. A folder that is not there has none."""
    if not Path(folder).is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name[0] == "." or entry.name[-1] == "~" or entry.name == "__pycache__":
                continue
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif entry.is_file():
                stat = entry.stat()
                yield entry.path, stat.st_mtime_ns, stat.st_size


def _known(folder: Path, above: tuple[Path, ...], _sentences: Sentences) -> Workflow:
    """A workflow of which no file has changed is not read again because another one has."""
    return _one(folder, above, tuple(sorted(stamp for each in (folder, *above) for stamp in _stamps(each))))


@lru_cache(maxsize=128)
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
    path = settings.holdfast_var / KEY
    try:
        return installation_key(path)
    except ValueError as problem:
        raise Wrong([LOST_KEY.format(path=path, what=str(problem).partition(": ")[2].rstrip("."))]) from None
    except OSError as problem:
        if not path.exists():
            with writable(settings.holdfast_var):
                raise
        raise Wrong([LOST_KEY.format(path=path, what=problem.strerror)]) from None


def find_key(settings: Settings) -> bytes | None:
    """Return the installation's key, None where there is none: it is not made. Raises Wrong."""
    return make_key(settings) if settings.holdfast_key or (settings.holdfast_var / KEY).exists() else None


def require_key(settings: Settings) -> bytes:
    """Return the installation's key, which only a start makes. Raises Wrong."""
    if key := find_key(settings):
        return key
    raise Wrong([NO_KEY.format(path=settings.holdfast_var / KEY)])


def key_problem(settings: Settings) -> str:
    """Why the key could not be read now; empty where it could. Nothing is made."""
    try:
        return "" if find_key(settings) else f"{KEY} is gone"
    except (Wrong, OSError) as problem:
        return f"cannot be read ({type(problem).__name__})"


async def check_key(settings: Settings) -> None:
    """Raises Wrong where the key is gone, and WrongKey where it is another one, beside a database with something sealed. Nothing is made."""
    key, nothing = find_key(settings), list[str]()
    if sealed := await looked_at(settings, sealed_under, nothing):
        vault = Vault(key or require_key(settings))  # looked for again: another process may have made both meanwhile
        if vault.key_id not in sealed:
            vault.check(sealed[0])


async def looked_at(settings: Settings, statements: Callable[[Connection], Result], nothing: Result) -> Result:
    """Return what is in the database as it stands, `nothing` where there is none: it is not made. Raises Unavailable."""
    if _absent(settings):
        return nothing
    database = Database(database_address(settings.database))
    try:
        return await database.read(statements)
    finally:
        await database.stop()


def _absent(settings: Settings) -> bool:
    """Return True if there is no file of the SQLite database. Raises Wrong where DATABASE_URL is no address."""
    with named("DATABASE_URL"):
        address = database_address(settings.database)
    return address.get_backend_name() == "sqlite" and not Path(address.database or "").exists()


class NoDatabase(Wrong):
    """There is no file of the SQLite database."""


def require_database(settings: Settings) -> None:
    """Raises NoDatabase where there is no database file, which only a start and a restore make."""
    if _absent(settings):
        raise NoDatabase([NO_DATABASE.format(path=database_address(settings.database).database)])


def make_tokens(settings: Settings, workflows: Iterable[str] = ()) -> Tokens:
    """The callers of `/chat`: nobody, until HOLDFAST_CHAT_TOKENS names a file."""
    with named("HOLDFAST_CHAT_TOKENS"):
        return read_tokens(settings.holdfast_chat_tokens, workflows)


Say = Callable[[str], object]
"""Is given a line for the person at the terminal."""


def silent(_line: str) -> None:
    """Nobody is at the terminal."""


@contextmanager
def database_told(settings: Settings) -> Iterator[None]:
    """Raise Wrong where the database cannot be had; why its disk takes nothing is told as it is."""
    try:
        yield
    except (Unavailable, OSError) as problem:
        if isinstance(problem, Unavailable) and problem.why:
            raise
        raise Wrong([database_sentence(database_address(settings.database), problem)]) from None


def database_sentence(url: URL, problem: BaseException) -> str:
    """Return which database cannot be had, why, and what to do, without the password."""
    why = _reason(problem)
    if url.get_backend_name() == "sqlite":
        return f"The database file {url.database} cannot be used ({why}). Mend it, or name another one in DATABASE_URL."
    place = url.set(drivername="postgresql").render_as_string(hide_password=True)
    return f"The database at {place} cannot be reached ({why}). Start it, or mend DATABASE_URL."


def _reason(problem: BaseException) -> str:
    """Return the innermost cause in a few words of the system's or of SQLite's own; of others only their kind: they may quote addresses."""
    cause = problem
    while cause.__cause__ is not None:
        cause = cause.__cause__
    cause = getattr(cause, "orig", None) or cause
    if isinstance(cause, OSError) and cause.errno:
        return os.strerror(cause.errno)
    if type(cause).__module__ == "sqlite3":
        return str(cause)
    return type(cause).__name__


async def tell_of_redis(client: Redis, say: Say) -> None:
    """Nothing is lost without Redis, so a start goes on; but who named one wants to know that it does not answer."""
    try:
        await client.ping()
    except (AuthenticationError, AuthorizationError):
        say("The Redis of REDIS_URL refuses the user or the password: Holdfast runs without it. Mend REDIS_URL.")
    except (*FAILURES, ValueError) as problem:
        why = type(problem).__name__
        say(f"The Redis of REDIS_URL does not answer ({why}): Holdfast runs without it until it does. Check REDIS_URL.")


@contextmanager
def writable(var: Path) -> Iterator[None]:
    """Let files be made under HOLDFAST_VAR. Raises Wrong where they cannot."""
    try:
        yield
    except OSError as problem:
        what = problem.filename or var
        raise Wrong(
            [f"{what} cannot be made or read ({problem.strerror}). Let Holdfast write there, or set HOLDFAST_VAR."]
        ) from None


Close = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Cache:
    """A Redis, if there is one, and how to let go of it: only an embedded server is ever stopped."""

    client: Redis | None = None
    stop: Close | None = None


async def make_cache(settings: Settings, say: Say = silent) -> Cache:
    """Return the Redis of REDIS_URL, or the embedded one; none where neither can be had: the bot runs without."""
    if settings.redis_url:
        with named("REDIS_URL"):
            client = open_redis(settings.redis_url)
        await tell_of_redis(client, say)
        return Cache(client, client.aclose)
    with writable(settings.holdfast_var):
        settings.holdfast_var.mkdir(parents=True, exist_ok=True)
    embedded = await start_embedded(settings.holdfast_var)
    return Cache(embedded.client, embedded.stop) if embedded else Cache()


def make_store(settings: Settings, redis: Redis | None = None, say: Say = silent) -> Store:
    """Return the store of DATABASE_URL, or SQLite under `var/`; `say` is told where its tables have to be changed first."""
    with writable(settings.holdfast_var):
        settings.holdfast_var.mkdir(parents=True, exist_ok=True)
        key = make_key(settings)
    with named("DATABASE_URL"):
        return open_store(settings.database, key, DraftCache(redis) if redis else None, say)


@asynccontextmanager
async def opened_store(settings: Settings, redis: Redis | None = None) -> AsyncIterator[Store]:
    """Yield the installation's store, started; it is stopped at the end. Raises Wrong where there is none, or no key: neither is made."""
    require_database(settings)
    require_key(settings)
    store = make_store(settings, redis)
    try:
        with database_told(settings):
            await store.start()
        yield store
    finally:
        await store.stop()


def written_roles(settings: Settings) -> RolesFile:
    """Who holds which role. Raises Wrong with what is to be mended."""
    path = settings.holdfast_var / ROLES
    try:
        return read_roles(path) if path.is_file() else RolesFile()
    except ValueError as problem:
        raise Wrong([f"{path}: {problem}"]) from None


def written_sinks(settings: Settings, workflows: Mapping[str, Workflow]) -> Mapping[str, Sink]:
    """Where records go. Raises Wrong with what is to be mended."""
    path = settings.holdfast_var / SINKS
    try:
        return read_sinks(path, {name: w.form for name, w in workflows.items()})
    except (OSError, ValueError) as problem:
        raise Wrong([f"{path}: {problem}"]) from None
