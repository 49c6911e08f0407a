"""The log: who and how bad, never what people wrote."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr

import structlog

from bot.logs import PRIVATE, configure

CANARY = "canary4d1b7e"


@contextmanager
def as_the_bot_logs() -> Iterator[io.StringIO]:
    """What is logged meanwhile, as the bot writes it; the tests' own logging comes back afterwards."""
    before, handlers, level = structlog.get_config(), logging.root.handlers[:], logging.root.level
    logging.root.handlers.clear()
    with redirect_stderr(io.StringIO()) as written:
        configure()
        try:
            yield written
        finally:
            structlog.configure(**before)
            logging.root.handlers[:] = handlers
            logging.root.setLevel(level)


def test_names_that_could_carry_words_of_people_are_struck() -> None:
    """Whoever logs a text, a value or a token logs nothing of it; what else the line says stays."""
    with as_the_bot_logs() as written:
        for name in sorted(PRIVATE):
            structlog.get_logger().info("happened", number=7, **{name: CANARY})
    said = written.getvalue()
    assert CANARY not in said and said.count("happened") == said.count('"number": 7') == len(PRIVATE)


def test_an_exception_is_told_by_its_class_and_place() -> None:
    """The text of an exception may hold what people wrote, and is left out."""
    with as_the_bot_logs() as written:
        try:
            raise ValueError(CANARY)
        except ValueError:
            structlog.get_logger().exception("failed")
    said = written.getvalue()
    assert CANARY not in said and "ValueError" in said and "test_logs" in said


def test_a_librarys_line_is_told_without_its_text() -> None:
    """A library that quotes a payload is named with its level, and its words are left out."""
    with as_the_bot_logs() as written:
        logging.getLogger("slack_sdk").error("got %s", CANARY)
    said = written.getvalue()
    assert CANARY not in said and "slack_sdk" in said and "ERROR" in said
