"""How good an answer is: words turned to the bot are none, words that say nothing need an example."""

import re
from collections.abc import Mapping

from state.form.files import Files
from state.rules import Grade, Grader
from state.understanding.evidence import holds_quote, normalized

from .lists import texts

WORD = re.compile(r"[\w'/-]+")
FULL, PLAIN = 4, 2
"""Words that say something, of which a full answer and a plain one have at least so many."""


def graders(files: Files) -> Mapping[str, Grader]:
    """`full` and `plain` want words that say something, `short` takes any answer, "none" as well."""
    source = files.toml("answers.toml")
    empty = frozenset(map(normalized, texts(source, "empty")))
    nothing, turned = frozenset(map(normalized, texts(source, "nothing"))), texts(source, "turned")

    def grader(least: int) -> Grader:
        def grade(text: str) -> Grade:
            level = normalized(text).replace("’", "'")
            telling = [w for w in WORD.findall(level) if w not in empty]
            if not WORD.findall(level):
                return Grade.EMPTY
            if text.rstrip().endswith("?") or any(holds_quote(level, words) for words in turned):
                return Grade.OFF_TOPIC
            short = least == 1 and (level.rstrip(".!") in nothing or bool(telling))
            return Grade.GOOD if short or len(telling) >= least else Grade.BRIEF

        return grade

    return {"full": grader(FULL), "plain": grader(PLAIN), "short": grader(1)}
