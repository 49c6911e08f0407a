"""Ready-made scripted models. They know only what the request tells them, as a real model does."""

import re
from collections.abc import Mapping

from bot.sandbox.models.answers import Answer, text
from bot.sandbox.models.asked import Body, Play, newest_words, tool_results

Step = Answer | Play
"""An answer, or what makes one of the request."""

ALL_RIGHT = text("All right.")
THANK_YOU = text("Thank you.")


def in_order(*steps: Step) -> Play:
    """The first step for the first request, and so on; the last one stands for all that come after."""
    left = list(steps)

    def play(body: Body) -> Answer:
        return _played(left.pop(0) if len(left) > 1 else left[0], body)

    return play


def by_newest_message(table: Mapping[str, Step], *, otherwise: Step = ALL_RIGHT, after_tools: Step = THANK_YOU) -> Play:
    """The step of the first pattern found in the newest user's words (any case); `after_tools` answers tool results."""

    def play(body: Body) -> Answer:
        if tool_results(body):
            return _played(after_tools, body)
        words = newest_words(body)
        found = (step for pattern, step in table.items() if re.search(pattern, words, re.IGNORECASE))
        return _played(next(found, otherwise), body)

    return play


def _played(step: Step, body: Body) -> Answer:
    return step(body) if callable(step) else step
