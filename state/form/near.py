"""What an author probably meant by a word that is not known: the nearest one that is."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

LEAST = 4
"""Letters from which a part of a word may stand for the whole."""
NOTHING: Mapping[str, str] = {}


def nearest(word: object, known: Collection[str], also: Mapping[str, str] = NOTHING) -> str:
    """The known word that is meant, or the empty string. `also` holds names of other houses: "string" for "text"."""
    spelt = {_plain(name): name for name in known if name}
    said = _plain(str(word))
    called = also.get(said, "")
    if called and called in known:
        return called
    close = get_close_matches(said, spelt, n=1)
    return spelt.get(said) or (spelt[close[0]] if close else _part(said, spelt))


def meant(word: object, known: Iterable[str], also: Mapping[str, str] = NOTHING) -> str:
    """A sentence to put behind another one, with a space before it: " Did you mean `yes_no`?"."""
    close = nearest(word, tuple(known), also)
    return f" Did you mean `{close}`?" if close else ""


def hint(word: object, known: Iterable[str]) -> str:
    """The same in brackets, for a sentence that is not at its end: " (did you mean `yes_no`?)"."""
    close = nearest(word, tuple(known))
    return f" (did you mean `{close}`?)" if close else ""


def _part(said: str, spelt: Mapping[str, str]) -> str:
    """The one known word that holds this one, or is held by it."""
    holding = [name for plain, name in spelt.items() if min(len(plain), len(said)) >= LEAST and _holds(plain, said)]
    return holding[0] if len(holding) == 1 else ""


def _holds(one: str, other: str) -> bool:
    return one in other or other in one


def _plain(word: str) -> str:
    """Without what people write in one way or another: capitals, hyphens, underscores, spaces."""
    return "".join(c for c in word.casefold() if c not in "-_ /")
