"""Tickers in a text: words in capitals that stand for a security, told from the many that do not."""

import re
from collections.abc import Iterator

from state.fields.values.codes import current_codes
from state.fields.values.schemes import SCHEMES
from state.language import LANGUAGES

TICKER = re.compile(r"(?<![\w.&'’/@#:-])(\$)?([A-Z]{2,5}(?:\.[A-Z]{1,2})?|[A-Z][0-9]?[A-Z]{1,3})(?![\w&'’/@:-]|\.\w)")
FEW = 2
"""Words of a text that may be all in capitals and hold a ticker all the same: a ticker and its exchange."""
OTHER_WORDS = frozenset(
    word
    for words in (*(language.no_tickers for language in LANGUAGES.values()), map(str.upper, SCHEMES))
    for word in words
)
"""Words in capitals that are no ticker."""


def tickers(text: str) -> Iterator[tuple[str, int, int]]:
    """Each ticker with its place; none in a text that is all in capitals. A "$" in front makes any word one."""
    shouted = text.isupper() and len(text.split()) > FEW
    for match in () if shouted else TICKER.finditer(text):
        word = match.group(2)
        if match.group(1) or (word not in OTHER_WORDS and word not in current_codes()):
            yield word, match.start(2), match.end(2)
