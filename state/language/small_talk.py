"""Utterances that answer nothing: greetings, holds, thanks, doubts; in any language, whatever the form's is. Whole utterances alone."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise

from state.language import LANGUAGES
from state.language.asides import asks_by_order
from state.language.language import Language
from state.language.table import Table, all_of, listed_everywhere, meanings
from state.language.tokens import RECENT, Token, asks, masked, tokens


class NoAnswer(StrEnum):
    """Why words answer no question, the weightiest first."""

    QUESTION = "question"
    REFUSAL = "refusal"
    DOUBT = "doubt"
    MISTAKE = "mistake"
    REMINDER = "reminder"
    REFERENCE = "reference"
    HOLD = "hold"
    COMMAND = "command"
    REMARK = "remark"
    THANKS = "thanks"
    APPROVAL = "approval"
    GREETING = "greeting"


ENTRIES = {
    "refusals": NoAnswer.REFUSAL, "doubts": NoAnswer.DOUBT, "mistakes": NoAnswer.MISTAKE, "reminders": NoAnswer.REMINDER,
    "references": NoAnswer.REFERENCE, "holds": NoAnswer.HOLD, "thanks": NoAnswer.THANKS, "greetings": NoAnswer.GREETING,
    "approvals": NoAnswer.APPROVAL,
}  # fmt: skip
REMINDING = "small_talk.told", "small_talk.earlier"
BESIDE = "small_talk.beside_told", "small_talk.approvals", "but_words", "polite", "small", "hesitating"
LONGEST = 300
"""Characters of a message that can be no more than small talk."""
FEW = 6
"""Words in which a question why it is asked turns to whoever asks."""


@lru_cache(maxsize=RECENT)
def idle(text: str, language: Language) -> NoAnswer | None:
    """Return why the whole text answers nothing; None where any part of it may be an answer. `language` is the form's."""
    clean = masked(text)
    if len(text) > LONGEST or not clean.strip():
        return None
    row = tokens(clean, language)
    if row and all_of(row, listed_everywhere(language, "small_talk.greetings")):
        return NoAnswer.GREETING  # also with a question mark behind it: somebody waits
    if asks(clean):
        return NoAnswer.QUESTION
    if not row:
        return NoAnswer.REMARK
    if _reminds(row, language):
        return NoAnswer.REMINDER
    courtesies, first = listed_everywhere(language, "polite", "hesitating", "small_talk.approvals"), 0
    while hit := courtesies.at(row, first):
        first += hit[0]
    begun = listed_everywhere(language, "small_talk.question_starts").at(row, first)
    if begun or puzzled(row, language) or asks_by_order(row[first:], language):
        return NoAnswer.QUESTION
    sorts, small = _sorts(language), listed_everywhere(language, "polite", "small", "hesitating")
    found = list(sorts.spans(row))
    doubted = _unknown(row, language)
    said = {sort for _, _, sort in found}
    beside = listed_everywhere(language, "small_talk.meanwhile").spans(row) if NoAnswer.HOLD in said else ()
    covered = {i for first, after, _ in (*found, *small.spans(row), *doubted, *beside) for i in range(first, after)}
    return min(said, key=list(NoAnswer).index) if said and len(covered) == len(row) else None


def _reminds(row: Sequence[Token], language: Language) -> bool:
    """Return True if words say that something was told before, in any order, and nothing else ("told you that already", "eso ya lo contesté")."""
    known = listed_everywhere(language, "small_talk.reminders", *REMINDING, *BESIDE)
    return all_of(row, known) and all(listed_everywhere(language, part).holds(row) for part in REMINDING)


def only_agrees(row: Sequence[Token], language: Language) -> bool:
    """Return True if words say no more than yes or no, in any language: they are the name of nothing."""
    return all_of(row, listed_everywhere(language, "yes", "no", "offers.accepting", "polite"))


def puzzled(row: Sequence[Token], language: Language) -> bool:
    """Return True if a message says that it does not understand, or asks why it is asked, with or without an excuse or a doubt before it."""
    excuses, start = listed_everywhere(language, "polite", "corrections.cues", "conjunctions", "small_talk.doubts"), 0
    whys = listed_everywhere(language, "whys")
    while start < len(row) and not whys.at(row, start) and (hit := excuses.at(row, start)):
        start += hit[0]
    asked = whys.at(row, start) and listed_everywhere(language, "asking_us").holds(row[start : start + FEW])
    about = start and listed_everywhere(language, "question_words", "asking.words", "conditions").at(row, start)
    means = about and listed_everywhere(language, "means").holds(row[start:])
    return bool(asked or means) or listed_everywhere(language, "asking_meaning").at(row, start) is not None


def _unknown(row: Sequence[Token], language: Language) -> Iterator[tuple[int, int, NoAnswer]]:
    """Yield the clauses that say what is not known: a doubt, and behind it what it is about ("no idea what it cost")."""
    cuts = [i for i, t in enumerate(row) if i == 0 or t.stop]
    sorts, small = _sorts(language), listed_everywhere(language, "polite", "small")
    about = listed_everywhere(language, "question_words", "asking.words", "small_talk.question_starts", "conditions")
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
def _sorts(language: Language) -> Table[NoAnswer]:
    """Return every phrase of small talk in every language, split as in this one."""
    every = (
        (sort, getattr(o.small_talk, entry)) for entry, sort in reversed(ENTRIES.items()) for o in LANGUAGES.values()
    )
    return meanings({phrase: sort for sort, phrases in every for phrase in phrases}, language)
