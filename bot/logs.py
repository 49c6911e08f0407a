"""Structured logs: JSON lines for machines, short lines for a terminal; words of people and secrets never get in."""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

QUIET = ("slack_bolt", "slack_sdk", "aiohttp", "anthropic", "httpx", "alembic", "sqlalchemy", "redis", "asyncio")
"""Libraries whose own lines may quote payloads: only their warnings pass, without their text."""
PRIVATE = frozenset(
    {
        "text",
        "words",
        "value",
        "body",
        "payload",
        "blocks",
        "arguments",
        "token",
        "key_material",
        "prompt",
        "response_url",
    }
)


def configure(level: str = "INFO") -> None:
    """Set up once, at the start of a process."""
    logging.basicConfig(handlers=[_Handler()], level=level, force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    renderer: Any = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _without_private,
            _trace_without_values,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _without_private(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Names that could carry what people wrote are struck, whoever logs them."""
    return {name: value for name, value in event.items() if name not in PRIVATE}


def _trace_without_values(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """An exception is logged by class and place: its text may hold what people wrote."""
    given = event.pop("exc_info", None)
    problem = sys.exc_info()[1] if given is True else given if isinstance(given, BaseException) else None
    if problem is None:
        return event
    frames = []
    trace = problem.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}")
        trace = trace.tb_next
    return {**event, "error": type(problem).__name__, "where": frames[-6:]}


class _Handler(logging.Handler):
    """Lines of libraries: who and how bad, never the text."""

    def emit(self, record: logging.LogRecord) -> None:
        place = f"{record.module}:{record.lineno}"
        structlog.get_logger(record.name).warning(
            "library", level_name=record.levelname, library=record.name, place=place
        )
