"""What people write that answers nothing: greetings, holds, thanks, refusals, remarks; in any language, whatever the form's is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache, lru_cache
from operator import attrgetter

from state.language import EVERYWHERE, LANGUAGES
from state.language.clauses import Clause, clauses, sentences
from state.language.language import Language
from state.language.table import Table, meanings, phrases
from state.language.tokens import Token, asks, key_of, masked, tokens


class NoAnswer(StrEnum):
    """Why words answer no question, the weightiest first."""

    QUESTION = "question"
    REFUSAL = "refusal"
    DOUBT = "doubt"
    REFERENCE = "reference"
    HOLD = "hold"
    COMMAND = "command"
    INTRODUCTION = "introduction"
    REMARK = "remark"
    THANKS = "thanks"
    APPROVAL = "approval"
    GREETING = "greeting"


ENTRIES = {
    "refusals": NoAnswer.REFUSAL,
    "doubts": NoAnswer.DOUBT,
    "references": NoAnswer.REFERENCE,
    "holds": NoAnswer.HOLD,
    "thanks": NoAnswer.THANKS,
    "greetings": NoAnswer.GREETING,
    "approvals": NoAnswer.APPROVAL,
    "remarks": NoAnswer.REMARK,
}
LEFT_OVER = {NoAnswer.REFUSAL: 2, NoAnswer.HOLD: 3, NoAnswer.DOUBT: 1, NoAnswer.REFERENCE: 1}
"""Further words that a clause may hold which begins with words of this sort."""
LONGEST = 300
"""Characters of a message that can be no more than small talk."""
DRAWN_OUT = re.compile(r"(.)\1{2,}")
LAUGH = re.compile(r"(?:a?(?:ha|ah|he|eh|hi|ih|ja|je|ji)){2,}[haje]?|(?:x+d+)|lo+l|m+h*|h+m+|u+f+a*|u+gh+|a+r+gh+")
FEW = 2
"""Words that may follow a word of thanks."""
SLIP, LIKE = 5, 0.8
"""Letters of the shortest word in which a slip is looked for, and how alike it is to the word that is meant."""


@dataclass(frozen=True)
class Heard:
    """What a clause is made of: the sorts of small talk in it, and its words that belong to none."""

    sorts: tuple[NoAnswer, ...]
    left: tuple[Token, ...]
    leads: bool
    """Whether the clause begins with small talk."""


def idle(text: str, language: Language) -> NoAnswer | None:
    """Why the whole text answers nothing; None where any part of it may be an answer. `language` is the form's."""
    clean = masked(text)
    if len(text) > LONGEST or not clean.strip():
        return None
    if asks(clean):
        return NoAnswer.QUESTION
    told = tuple(clauses(clean, language))
    if not told:
        return NoAnswer.REMARK
    if _begins_question(told[0], language):
        return NoAnswer.QUESTION
    if _may_be_name(clean, told, language):
        return None
    sorts = [_sort(clause, language) for clause in told]
    if sorts[0] is NoAnswer.HOLD and any(s is None for s in sorts):
        return NoAnswer.HOLD
    order = list(NoAnswer)
    return None if None in sorts else min((s for s in sorts if s), key=order.index)


def idle_clauses(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """Where clauses stand that answer nothing by themselves, beside others that may."""
    clean = masked(text)
    for clause in clauses(clean, language):
        if _sort(clause, language) is not None:
            yield clause[0].start, clause[-1].end


def introduced(text: str, language: Language, *, weakly: bool = False) -> tuple[int, int] | None:
    """Where the name stands with which people introduce themselves ("my name is Anna"); `weakly`: after "I'm" as well."""
    entries = ("small_talk.introducing", "small_talk.introducing_weakly") if weakly else ("small_talk.introducing",)
    return _led(text, language, entries)


def stated(text: str, language: Language) -> tuple[int, int] | None:
    """Where a short answer stands after words that only lead to it ("I live in Leeds")."""
    return _led(text, language, ("small_talk.stating",))


def reasoned(text: str, language: Language) -> tuple[int, int] | None:
    """Where an open answer stands after the words that a message begins with and that only lead to it ("because …")."""
    row = tokens(masked(text), language)
    hit = _everywhere(language, "small_talk.reasons").at(row, 0)
    return (row[hit[0]].start, len(text.rstrip())) if hit and hit[0] < len(row) else None


def requests_something(text: str, language: Language) -> bool:
    """Whether a sentence of the text begins by wanting something done ("find me a room", "I need a bus")."""
    wanting = _everywhere(language, "small_talk.requesting")
    small = _everywhere(language, "small_talk.greetings", "polite", "conjunctions", "acknowledging", "yes")
    for sentence in sentences(masked(text), language):
        row = [t for clause in sentence.clauses for t in clause]
        i = 0
        while hit := small.at(row, i):
            i += hit[0]
        if wanting.at(row, 0) or wanting.at(row, i):
            return True
    return False


def _led(text: str, language: Language, entries: tuple[str, ...]) -> tuple[int, int] | None:
    clean = masked(text)
    leads, small = _everywhere(language, *entries), _everywhere(language, "small_talk.greetings")
    for clause in clauses(clean, language):
        at = (small.at(clause, 0) or (0, ""))[0]
        hit = leads.at(clause, at) or leads.at(clause, 0)
        after = at + hit[0] if hit and leads.at(clause, at) else hit[0] if hit else 0
        if hit and after < len(clause):
            return clause[after].start, clause[-1].end
    return None


def _begins_question(clause: Clause, language: Language) -> bool:
    small = _everywhere(language, "small_talk.greetings", "conjunctions")
    starts = _everywhere(language, "small_talk.question_starts", "asking_meaning")
    first = (small.at(clause, 0) or (0, ""))[0]
    return starts.at(clause, 0) is not None or (first < len(clause) and starts.at(clause, first) is not None)


def _sort(clause: Clause, language: Language) -> NoAnswer | None:
    """What sort of small talk a clause is as a whole."""
    heard = _heard(clause, language)
    if not heard.left and heard.sorts:
        return min(heard.sorts, key=list(NoAnswer).index)
    if _is_remark(clause, heard, language):
        return NoAnswer.REMARK
    if not heard.leads or not heard.left:
        return None
    if len(heard.left) <= FEW and _thanks_first(clause, language):
        return NoAnswer.THANKS
    strong = next((s for s in heard.sorts if s in LEFT_OVER), None)
    short = strong is not None and len(heard.left) <= LEFT_OVER[strong]
    return strong if short and (strong is NoAnswer.REFERENCE or _is_phrase(clause, language)) else None


def _thanks_first(clause: Clause, language: Language) -> bool:
    """ "thanks for the details", but not "thanks to my broker"."""
    hit = _everywhere(language, "polite").at(clause, 0)
    thanks = hit is not None and _sorts(language).at(clause[: hit[0]], 0) == (hit[0], NoAnswer.THANKS)
    return bool(hit and thanks) and _everywhere(language, "small_talk.owing").at(clause, hit[0] if hit else 0) is None


def _heard(clause: Clause, language: Language) -> Heard:
    table, small = _sorts(language), _everywhere(language, "small_talk.small")
    row = tuple(_level(t) for t in clause)
    sorts: list[NoAnswer] = []
    left: list[Token] = []
    i = 0
    while i < len(row):
        hit = table.at(row, i)
        plain = small.at(row, i)
        if hit and not (plain and plain[0] > hit[0]):
            sorts.append(hit[1])
            i += hit[0]
        elif plain:
            i += plain[0]
        else:
            sort = NoAnswer.REMARK if LAUGH.fullmatch(row[i].key) else _meant(row[i].key, language)
            sorts += [sort] if sort else []
            left += [] if sort else [clause[i]]
            i += 1
    return Heard(tuple(sorts), tuple(left), bool(sorts) and (not left or left[0].start > clause[0].start))


def _is_phrase(clause: Clause, language: Language) -> bool:
    """Whether the clause begins with several words of small talk, small words before them aside: "moment" alone may begin a title."""
    table, small = _sorts(language), _everywhere(language, "small_talk.small")
    i = 0
    while i < len(clause):
        hit = table.at(clause, i)
        if hit and hit[0] > 1:
            return True
        i += hit[0] if hit else (small.at(clause, i) or (1 if LAUGH.fullmatch(clause[i].key) else len(clause), ""))[0]
    return False


def _is_remark(clause: Clause, heard: Heard, language: Language) -> bool:
    """ "it's a mess honestly", "che confusione": nothing but what the situation is called."""
    called = _everywhere(language, "small_talk.evaluations")
    if not called.holds(clause) or any(called.at((t,), 0) is None for t in heard.left):
        return False
    about = _everywhere(language, "small_talk.exclaiming", "be", "subjects")
    return NoAnswer.REMARK in heard.sorts or about.at(clause, 0) is not None


def _may_be_name(text: str, told: Sequence[Clause], language: Language) -> bool:
    """One word with a capital that is small talk in a foreign language only: "Dale" is a name."""
    words = tokens(text, language)
    if len(words) != 1 or not text[words[0].start].isupper() or text[words[0].start : words[0].end].isupper():
        return False
    near = {language.code, EVERYWHERE}
    ours = {key_of(w, language) for code in near for e in ENTRIES for w in getattr(LANGUAGES[code].small_talk, e)}
    return DRAWN_OUT.sub(r"\1", words[0].key) not in ours and not LAUGH.fullmatch(words[0].key) and bool(told)


def _level(token: Token) -> Token:
    """The word without letters that are drawn out ("heyyy")."""
    key = DRAWN_OUT.sub(r"\1", token.key)
    return token if key == token.key else Token(key, token.start, token.end, token.stop)


@lru_cache(maxsize=4096)
def _meant(key: str, language: Language) -> NoAnswer | None:
    """The sort of the one word that a slip of a word is near to ("thnaks")."""
    if len(key) < SLIP or not key.isalpha():
        return None
    near = {
        sort
        for word, sort in _single_words(language)
        if word[0] == key[0] and abs(len(word) - len(key)) <= 1 and SequenceMatcher(None, key, word).ratio() >= LIKE
    }
    return min(near, key=list(NoAnswer).index) if near else None


@cache
def _single_words(language: Language) -> tuple[tuple[str, NoAnswer], ...]:
    """Words of courtesy in which a slip is looked for."""
    entries = ("thanks", "greetings")
    words = (
        (key_of(w, language), ENTRIES[e]) for e in entries for o in LANGUAGES.values() for w in getattr(o.small_talk, e)
    )
    return tuple((w, sort) for w, sort in words if " " not in w and len(w) >= SLIP)


@cache
def _sorts(language: Language) -> Table[NoAnswer]:
    """Every phrase of small talk in every language, split as in this one."""
    found: dict[str, NoAnswer] = {}
    for entry, sort in ENTRIES.items():
        for other in LANGUAGES.values():
            for phrase in getattr(other.small_talk, entry):
                found.setdefault(phrase, sort)
    return meanings(found, language)


@cache
def _everywhere(language: Language, *entries: str) -> Table[str]:
    """The entries of every language, split as in this one."""
    found = (attrgetter(entry)(other) for other in LANGUAGES.values() for entry in entries)
    return phrases((phrase for some in found for phrase in some), language)
