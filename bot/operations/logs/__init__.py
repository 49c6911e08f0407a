"""Structured logs: JSON lines for machines, short lines for a terminal; words of people and secrets never get in.

What the bot itself logs passes `redactor`; what libraries log is taken apart by `library`; exceptions are told by `problems`.
One id leads from Slack's event to everything that came of it: `about` binds it, and every line meanwhile carries it.
"""

import asyncio
import logging
import re
import sys
import threading
from collections.abc import Mapping, MutableMapping
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import Any, Final, TextIO, cast

import structlog

from bot.operations.logs.library import CHATTY, QUIET, LibraryHandler
from bot.operations.logs.redactor import PRIVATE, plain, told

__all__ = ["PRIVATE", "about", "configure", "forget", "remember", "watch"]

OURS: Final = re.compile(r"[0-9a-f]{12}")
"""How a draft's id and the id of an event look: random, and nobody's."""


def configure(level: str = "INFO", form: str = "") -> None:
    """Set up once, at the start of a process. `form` is "json" or "text"; "" asks whether a person looks on."""
    logging.basicConfig(handlers=[LibraryHandler()], level=level.upper(), force=True)
    debug = logging.getLogger().level <= logging.DEBUG
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.DEBUG if debug else logging.WARNING)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.NOTSET)
    text = form == "text" or (not form and sys.stderr.isatty())
    renderer: Any = structlog.dev.ConsoleRenderer() if text else structlog.processors.JSONRenderer(ensure_ascii=False)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _trace_without_values,
            _without_private,
            structlog.contextvars.merge_contextvars,
            structlog.processors.TimeStamper(fmt="iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level.upper()),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, Unfailing(sys.stderr))),
    )


class Unfailing:
    """A stream that loses what it cannot write: nothing that a full disk keeps from the log ends in whoever logged it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, if it can be."""
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Have it written."""
        with suppress(OSError):
            self._stream.flush()


def about(event: str) -> AbstractContextManager[None]:
    """Return every line meanwhile carries this id."""
    return structlog.contextvars.bound_contextvars(id=event)


def remember(event: str) -> None:
    """Every line of this task carries this id from here on."""
    structlog.contextvars.bind_contextvars(id=event)


def forget() -> None:
    """A new request begins: what lines carried until now was another's."""
    structlog.contextvars.clear_contextvars()


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """What nobody catches, in a task, in a thread, at the end of the process, is told like everything else: a traceback quotes texts."""
    loop.set_exception_handler(_in_background)
    sys.excepthook = _fell
    threading.excepthook = lambda fell: _fell(fell.exc_type, fell.exc_value or fell.exc_type(), fell.exc_traceback)


def _in_background(_loop: asyncio.AbstractEventLoop, found: Mapping[str, Any]) -> None:
    """asyncio's own text names the task with its arguments: what happened is in the exception."""
    structlog.get_logger("asyncio").error("task_failed", exc_info=found.get("exception") or None)


def _fell(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
    """An exception that nobody caught: a traceback would quote its text."""
    if issubclass(kind, KeyboardInterrupt):
        return
    structlog.get_logger("holdfast").critical("fell", exc_info=problem.with_traceback(trace))


def _without_private(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Names that could carry what people wrote are struck, whoever logs them; in all the others, what looks like a secret."""
    return {
        name: value if _is_id(name, value) else plain(value) for name, value in event.items() if name not in PRIVATE
    }


def _is_id(name: str, value: Any) -> bool:
    return name == "draft" and isinstance(value, str) and OURS.fullmatch(value) is not None


def _trace_without_values(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """An exception is logged by class, codes and place: its text may hold what people wrote."""
    given = event.pop("exc_info", None)
    problem = sys.exc_info()[1] if given is True else given if isinstance(given, BaseException) else None
    return event if problem is None else {**event, **told(problem)}
