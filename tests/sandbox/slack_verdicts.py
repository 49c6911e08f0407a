"""How a payload fares before the limits."""

from collections.abc import Callable

from bot.sandbox import limits
from bot.sandbox.workspace import Json, Refusal, SlackError


def refused(check: Callable[[], None]) -> tuple[str, list[str]]:
    """The code and the reasons of a refusal; nothing when it passes."""
    try:
        check()
    except SlackError as error:
        return error.code, list(error.problems) if isinstance(error, Refusal) else []
    return "", []


def message(*blocks: Json) -> tuple[str, list[str]]:
    """How a message with these blocks fares."""
    return refused(lambda: limits.check_message("x", list(blocks), None))


def view(given: Json) -> tuple[str, list[str]]:
    """How a view fares."""
    return refused(lambda: limits.check_view(given, str(given["type"])))
