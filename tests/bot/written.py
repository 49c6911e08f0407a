"""The bot's own log, written where a test can read it."""

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

import structlog

from bot.operations.logs import CHATTY, QUIET, configure


@contextmanager
def as_the_bot_logs(level: str = "info") -> Iterator[io.StringIO]:
    """What is logged meanwhile, as the bot writes it; the tests' own logging comes back afterwards."""
    before, handlers, root = structlog.get_config(), logging.root.handlers[:], logging.root.level
    libraries = {name: logging.getLogger(name).level for name in (*QUIET, *CHATTY)}
    hooks = sys.excepthook, threading.excepthook
    logging.root.handlers.clear()
    with redirect_stderr(io.StringIO()) as written:
        configure(level)
        try:
            yield written
        finally:
            structlog.configure(**before)
            logging.root.handlers[:] = handlers
            logging.root.setLevel(root)
            for name, was in libraries.items():
                logging.getLogger(name).setLevel(was)
            sys.excepthook, threading.excepthook = hooks


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    """The lines, read."""
    return [json.loads(line) for line in written.getvalue().splitlines()]
