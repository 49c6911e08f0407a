"""What a language has to tell the rule-based reader. Words only; what they do is in the files that read."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True)
class Speech:
    """One language's phrases. `orders`: a command's name to the whole utterances that give it."""

    orders: Mapping[str, Words]
    leads: Words
    """What may stand before an order."""
    tails: Words
    """What may stand after it."""
    person: Words
    """Words by which a longer message asks for a person."""
    cues: Words
    """Words that announce a correction."""
    changes: Words
    """Words that order a change of what they name."""
    meaning: Words
    """Words that ask what a question means or is for."""
    accepting: Words
    """Words that take what was offered, beside a plain yes."""
    wanting: Words
    """Words that want what they are followed by."""
    beside: Words
    """Small words that may stand in an acceptance."""
    refusing: Words
    """Words that put an offer aside, beside a plain no and negations."""
