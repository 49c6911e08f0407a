"""Words that are another one but for a slip of the finger, or another form of it."""

from itertools import takewhile

from rapidfuzz.distance import OSA

LONG = 5
"""Letters from which a word is long enough to be recognised with a slip in it ("sel" could be anything)."""
LONGEST_ENDING = 4
"""Letters by which two forms of a word differ at its end."""


def is_slip(typed: str, word: str) -> bool:
    """One letter wrong, missing, doubled or swapped, the first one right."""
    return typed[0] == word[0] and OSA.distance(typed, word, score_cutoff=1) <= 1


def is_like(typed: str, word: str) -> bool:
    """Whether a short word is another with a letter left out, doubled or swapped, and not a word of its own."""
    return len(typed) < len(word) or set(typed) == set(word)


def is_form(typed: str, word: str) -> bool:
    """Whether two words have one stem ("vendería", "vender")."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(typed, word, strict=False)))
    return same >= LONG and max(len(typed), len(word)) - same <= LONGEST_ENDING
