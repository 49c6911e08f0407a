"""Sentences and clauses: how far a "not", a doubt or a question reaches."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from state.language.language import Language
from state.language.table import listed
from state.language.tokens import RECENT, Token, asks, tokens

Clause = tuple[Token, ...]


@dataclass(frozen=True)
class Sentence:
    """Its clauses; a clause keeps the conjunction it begins with. `asks`: it ends in a question mark."""

    clauses: tuple[Clause, ...]
    asks: bool


@lru_cache(maxsize=RECENT)
def sentences(text: str, language: Language) -> tuple[Sentence, ...]:
    """Return the sentences of a text, in order."""
    return tuple(_sentences(text, language))


def _sentences(text: str, language: Language) -> Iterator[Sentence]:
    row = tokens(text, language)
    starts = [i for i, t in enumerate(row) if i == 0 or t.stop == 2]  # noqa: PLR2004 the stop of a sentence
    for start, end in pairwise((*starts, len(row))):
        after = row[end].start if end < len(row) else len(text)
        yield Sentence(_clauses(row[start:end], language), asks(text[row[end - 1].end : after]))


def clauses(text: str, language: Language) -> Iterator[Clause]:
    """Yield a text cut at its punctuation alone, conjunctions left within."""
    row = tokens(text, language)
    cuts = [i for i, t in enumerate(row) if i == 0 or t.stop]
    return (row[a:b] for a, b in pairwise((*cuts, len(row))))


def _clauses(row: tuple[Token, ...], language: Language) -> tuple[Clause, ...]:
    joining = listed(language, "conjunctions")
    cuts = [i for i, t in enumerate(row) if i and (t.stop or joining.at(row, i))]
    return tuple(row[a:b] for a, b in pairwise((0, *cuts, len(row))))
