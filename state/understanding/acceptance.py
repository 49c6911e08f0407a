"""What a message says to an offer of the bot: a plain acceptance, a refusal or a question, or words that leave it to a reader."""

from enum import Enum, StrEnum
from functools import cache
from itertools import takewhile

from state.fields.words.plain import LONGEST
from state.language import Language, language_of, understood
from state.language.clauses import Clause, Sentence, sentences
from state.language.polarity import is_question
from state.language.table import Table, joined, listed, listed_widely, phrases
from state.language.tokens import asks, masked


class Stance(StrEnum):
    """Towards what was offered just before."""

    ACCEPTS = "accepts"
    OPEN = "open"
    REFUSES = "refuses"


def stance(text: str, locale: str) -> Stance:
    """ACCEPTS where a clause of the message takes the offer and none turns on it; REFUSES where it denies, or only asks."""
    language = language_of(locale)
    told = [c for s in sentences(masked(text), language) for c in _told(s, language)]
    others = [c for c in told if _said(c, language) is not Part.YES]
    takes = len(others) < len(told)
    if not told or (others[:1] == told[:1] and listed(language, "no").at(told[0], 0)):
        return Stance.REFUSES
    if any(_denies(c, language) for c in others):
        return Stance.OPEN if takes else Stance.REFUSES
    turns = listed(language, "exceptions")
    return Stance.ACCEPTS if takes and not any(turns.holds(c) for c in told) else Stance.OPEN


def is_acceptance(text: str, locale: str) -> bool:
    """Whether the whole message takes the offer and says nothing else."""
    language = language_of(locale)
    parts = [_said(c, language) for s in sentences(masked(text), language) for c in s.clauses]
    short = len(text) <= LONGEST and not asks(text)
    return short and Part.YES in parts and Part.OTHER not in parts


def is_refusal(text: str, locale: str) -> bool:
    """Whether the whole message turns the offer down and says nothing else."""
    language = language_of(locale)
    row = [t for s in sentences(masked(text), language) for c in s.clauses for t in c]
    refusing = joined(
        listed(language, "no", "polite", "negators", "rejected"), listed_widely(language, "offers.refusing")
    )
    taken = {i for first, after, _ in refusing.spans(row) for i in range(first, after)}
    denies = _denies(tuple(row), language) or listed(language, "no").holds(row)
    return bool(row) and len(taken) == len(row) and denies and not asks(text)


def is_about_all(text: str, locale: str) -> bool:
    """Whether the whole message takes or turns down several things at once ("yes to both", "alle bestätigen")."""
    language = language_of(locale)
    row = [t for s in sentences(masked(text), language) for c in s.clauses for t in c]
    every, known = listed_widely(language, "offers.all_of"), _about_all(language)
    taken = {i for first, after, _ in known.spans(row) for i in range(first, after)}
    return every.holds(row) and len(taken) == len(row) and not asks(text)


def leans_to(named: Table[str], asked: str, text: str, locale: str, *, wish: bool = False) -> bool:
    """Whether some clause approves of what it names ("a shared ride is fine"), or of what was `asked`; and none denies or turns.

    Of a `wish`, wanting what it names counts too ("I need a shared ride").
    """
    language = language_of(locale)
    told = [c for s in sentences(masked(text), language) for c in _told(s, language)]
    turning = listed(language, "exceptions")
    if any(_denies(c, language) or turning.holds(c) for c in told):
        return False
    yes, wanting = _approving(language), listed_widely(language, "offers.wanting")
    return any(
        yes.holds(c)
        if asked and not named.holds(c)
        else named.holds(c) and (yes.holds(c) or (wish and wanting.holds(c)))
        for c in told
    )


@cache
def _approving(language: Language) -> Table[str]:
    own = listed(language, "yes", "acknowledging")
    return joined(own, listed_widely(language, "offers.accepting"))


@cache
def _against(language: Language) -> Table[str]:
    return joined(listed(language, "negators", "rejected"), listed_widely(language, "offers.refusing"))


@cache
def _about_all(language: Language) -> Table[str]:
    """Words that may stand around "all" in such a message, and it."""
    takes = joined(_small(language), _approving(language))
    against = joined(_against(language), listed(language, "no", "links", "articles", "filler", "and_words"))
    return joined(
        joined(takes, against), joined(_orders(language), listed_widely(language, "offers.all_of", "offers.confirming"))
    )


@cache
def _orders(language: Language) -> Table[str]:
    """Orders to confirm or to cancel, in every language that is understood."""
    said = (spoken.commands.orders.get(name, ()) for spoken in understood(language) for name in ("submit", "cancel"))
    return phrases((phrase for some in said for phrase in some), language)


@cache
def _small(language: Language) -> Table[str]:
    return joined(listed(language, "polite", "subjects", "be"), listed_widely(language, "offers.beside"))


class Part(Enum):
    """What a clause is made of: it takes, it adds nothing, or it says something else."""

    YES = 1
    SMALL = 2
    OTHER = 3


def _told(sentence: Sentence, language: Language) -> tuple[Clause, ...]:
    """What a sentence states; of one that asks only a yes before the question ("works for me, can you book it?")."""
    row = [t for clause in sentence.clauses for t in clause]
    if not sentence.asks and not is_question(row, language):
        return sentence.clauses
    return tuple(takewhile(lambda c: _said(c, language) is not Part.OTHER, sentence.clauses[:-1]))


def _denies(clause: Clause, language: Language) -> bool:
    """Whether words turn it down; "I don't mind" and "no problem" are no denials."""
    taken = {i for first, after, _ in _approving(language).spans(clause) for i in range(first, after)}
    return any(i not in taken for first, after, _ in _against(language).spans(clause) for i in range(first, after))


def _said(clause: Clause, language: Language) -> Part:
    """Whether only words that accept, with small ones between, make up the clause."""
    yes, small = _approving(language), _small(language)
    i, part = 0, Part.SMALL
    while i < len(clause):
        takes = yes.at(clause, i)
        hit = takes or small.at(clause, i)
        if hit is None:
            return Part.OTHER
        part, i = (Part.YES if takes else part), i + hit[0]
    return part
