"""Utterances that answer nothing: greetings, holds, thanks, doubts; in any language, whatever the form's is. Whole utterances alone."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise

from state.language import LANGUAGES
from state.language.language import Language
from state.language.table import Table, listed_widely, meanings, phrases
from state.language.tokens import Token, asks, masked, tokens


class NoAnswer(StrEnum):
    """Why words answer no question, the weightiest first."""

    QUESTION = "question"
    REFUSAL = "refusal"
    DOUBT = "doubt"
    REFERENCE = "reference"
    HOLD = "hold"
    COMMAND = "command"
    REMARK = "remark"
    THANKS = "thanks"
    APPROVAL = "approval"
    GREETING = "greeting"


ENTRIES = {
    "refusals": NoAnswer.REFUSAL, "doubts": NoAnswer.DOUBT, "references": NoAnswer.REFERENCE, "holds": NoAnswer.HOLD,
    "thanks": NoAnswer.THANKS, "greetings": NoAnswer.GREETING, "approvals": NoAnswer.APPROVAL,
}  # fmt: skip
LONGEST = 300
"""Characters of a message that can be no more than small talk."""
FEW = 6
"""Words in which a question why it is asked turns to whoever asks."""


def idle(text: str, language: Language) -> NoAnswer | None:
    """Return why the whole text answers nothing; None where any part of it may be an answer. `language` is the form's."""
    clean = masked(text)
    if len(text) > LONGEST or not clean.strip():
        return None
    if asks(clean):
        return NoAnswer.QUESTION
    row = tokens(clean, language)
    if not row:
        return NoAnswer.REMARK
    if _starts(language).at(row, 0) or puzzled(row, language):
        return NoAnswer.QUESTION
    sorts, small = _sorts(language), _small(language)
    found = list(sorts.spans(row))
    doubted = _unknown(row, language)
    covered = {i for first, after, _ in (*found, *small.spans(row), *doubted) for i in range(first, after)}
    said = {sort for _, _, sort in found}
    return min(said, key=list(NoAnswer).index) if said and len(covered) == len(row) else None


def puzzled(row: Sequence[Token], language: Language) -> bool:
    """Return True if a message says that it does not understand, or asks why it is asked, with or without an excuse before it."""
    excuses, start = listed_widely(language, "polite", "corrections.cues", "conjunctions"), 0
    whys = listed_widely(language, "whys")
    while start < len(row) and not whys.at(row, start) and (hit := excuses.at(row, start)):
        start += hit[0]
    asked = whys.at(row, start) and listed_widely(language, "asking_us").holds(row[start : start + FEW])
    return bool(asked) or listed_widely(language, "asking_meaning").at(row, start) is not None


def _unknown(row: Sequence[Token], language: Language) -> Iterator[tuple[int, int, NoAnswer]]:
    """Yield the clauses that say what is not known: a doubt, and behind it what it is about ("no idea what it cost")."""
    cuts = [i for i, t in enumerate(row) if i == 0 or t.stop]
    sorts, about, small = _sorts(language), _about(language), _small(language)
    doubts = False
    for first, after in pairwise((*cuts, len(row))):
        start = first
        while start < after and (hit := small.at(row, start)):
            start += hit[0]
        if start < after and (hit := sorts.at(row, start)) and hit[1] is NoAnswer.DOUBT:
            doubts, start = True, start + hit[0]
        if doubts and start < after and about.at(row, start):
            yield first, after, NoAnswer.DOUBT


@cache
def _about(language: Language) -> Table[str]:
    """Return the words by which a clause begins that says what is not known."""
    every = (
        w
        for o in LANGUAGES.values()
        for w in (*o.question_words, *o.asking.words, *o.small_talk.question_starts, *o.conditions)
    )
    return phrases(every, language)


@cache
def _sorts(language: Language) -> Table[NoAnswer]:
    """Return every phrase of small talk in every language, split as in this one."""
    found: dict[str, NoAnswer] = {}
    for entry, sort in ENTRIES.items():
        for other in LANGUAGES.values():
            for phrase in getattr(other.small_talk, entry):
                found.setdefault(phrase, sort)
    return meanings(found, language)


@cache
def _small(language: Language) -> Table[str]:
    return phrases((w for other in LANGUAGES.values() for w in (*other.polite, *other.small)), language)


@cache
def _starts(language: Language) -> Table[str]:
    """Return beginnings of questions that need no question mark, in every language."""
    return phrases((w for other in LANGUAGES.values() for w in other.small_talk.question_starts), language)
