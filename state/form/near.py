"""What an author probably meant by a word that is not known: the nearest one that is."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

LEAST = 4
"""Letters from which a part of a word may stand for the whole."""


def nearest(word: object, known: Collection[str]) -> str:
    """Return the known word that is meant, or the empty string."""
    spelt = {_plain(name): name for name in known if name}
    said = _plain(str(word))
    if close := get_close_matches(said, spelt, n=1):
        return spelt[close[0]]
    holding = [n for p, n in spelt.items() if min(len(p), len(said)) >= LEAST and (p in said or said in p)]
    return holding[0] if len(holding) == 1 else ""


def meant(word: object, known: Iterable[str]) -> str:
    """Return a sentence to put behind another one, with a space before it: " Did you mean `yes_no`?"."""
    close = nearest(word, tuple(known))
    return f" Did you mean `{close}`?" if close else ""


def hint(word: object, known: Iterable[str]) -> str:
    """Return the same in brackets, for a sentence that is not at its end: " (did you mean `yes_no`?)"."""
    close = nearest(word, tuple(known))
    return f" (did you mean `{close}`?)" if close else ""


def _plain(word: str) -> str:
    """Return the word without what people write in one way or another: capitals, hyphens, underscores, spaces."""
    return "".join(c for c in word.casefold() if c not in "-_ /")
