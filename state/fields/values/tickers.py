"""Tickers in a text: words behind a "$", and a message that is nothing but one. Other words in capitals mean too many things."""

import re
from collections.abc import Iterator

from state.fields.values.codes import current_codes

TICKER = re.compile(r"(?<![\w.&'’/@#:-])(\$)?([A-Z]{2,5}(?:\.[A-Z]{1,2})?|[A-Z][0-9]?[A-Z]{1,3})(?![\w&'’/@:-]|\.\w)")
FEW = 2
"""Words of a message that is a ticker: it and its exchange."""


def tickers(text: str) -> Iterator[tuple[str, int, int]]:
    """Give each ticker with its place."""
    alone = len(text.split()) <= FEW
    for match in TICKER.finditer(text):
        word = match.group(2)
        if match.group(1) or (alone and word not in current_codes()):
            yield word, match.start(2), match.end(2)
