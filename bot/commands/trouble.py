"""Trouble that a person at the terminal can mend, as sentences instead of a traceback."""

import errno
import re

from bot.settings import Wrong
from state.form.source import FormError
from state.stores.errors import StoreError

PORTS = {
    errno.EADDRINUSE: "{port} is in use. Stop what uses it, or set HOLDFAST_PORT to another one.",
    errno.EACCES: "{port} may not be used by this user. Set HOLDFAST_PORT to one above 1023.",
}


class Sentence(Exception):
    """Trouble that is told in one sentence, to the person at the terminal."""


def sentences(problem: Exception) -> tuple[str, ...]:
    """Return what to print for an exception; nothing where it is no trouble of theirs, and is to be raised on."""
    if isinstance(problem, FormError):
        return tuple(str(one) for one in problem.problems)
    if isinstance(problem, Wrong):
        return tuple(problem.problems)
    if isinstance(problem, Sentence | StoreError):
        return (str(problem),)
    if isinstance(problem, OSError) and problem.errno in PORTS:
        return (PORTS[problem.errno].format(port=_port(problem)),)
    if isinstance(problem, OSError) and problem.filename:
        return (f"{problem.filename} cannot be used ({problem.strerror}).",)
    return ()


def _port(problem: OSError) -> str:
    """Return the port that could not be listened on, as asyncio names it: "… ('127.0.0.1', 3978): …"."""
    found = re.search(r", (\d+)\b", problem.strerror or "")
    return f"Port {found[1]}" if found else "The port"
