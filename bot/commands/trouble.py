"""Trouble that a person at the terminal can mend, as sentences instead of a traceback."""

import errno

from bot.settings import Wrong
from state.form.problems import FormError, render_problem
from state.stores.errors import StoreError


class Sentence(Exception):
    """Trouble that is told in one sentence, to the person at the terminal."""


def sentences(problem: Exception) -> tuple[str, ...]:
    """What to print for an exception; nothing where it is no trouble of theirs, and is to be raised on."""
    if isinstance(problem, FormError):
        return tuple(map(render_problem, problem.problems))
    if isinstance(problem, Wrong):
        return tuple(problem.problems)
    if isinstance(problem, Sentence | StoreError):
        return (str(problem),)
    if isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE:
        return ("The port is in use. Set HOLDFAST_PORT to another one.",)
    return ()
