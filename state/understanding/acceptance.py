"""What a message says to an offer of the bot: a plain acceptance, a refusal or a question, or words that leave it to a reader."""

from enum import Enum, StrEnum
from itertools import takewhile

from state.fields.words.plain import LONGEST
from state.language import Language, language_of
from state.language.clauses import Clause, Sentence, sentences
from state.language.polarity import is_question
from state.language.table import Table, phrases
from state.language.tokens import asks, masked
from state.understanding.speech import SPEECH


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
    if not told or (others[:1] == told[:1] and phrases(language.no, language).at(told[0], 0)):
        return Stance.REFUSES
    if any(_denies(c, language) for c in others):
        return Stance.OPEN if takes else Stance.REFUSES
    turns = phrases(language.exceptions, language)
    return Stance.ACCEPTS if takes and not any(turns.holds(c) for c in told) else Stance.OPEN


def is_acceptance(text: str, locale: str) -> bool:
    """Whether the whole message takes the offer and says nothing else."""
    language = language_of(locale)
    parts = [_said(c, language) for s in sentences(masked(text), language) for c in s.clauses]
    short = len(text) <= LONGEST and not asks(text)
    return short and Part.YES in parts and Part.OTHER not in parts


def leans_to(named: Table[str], asked: str, text: str, locale: str, *, wish: bool = False) -> bool:
    """Whether some clause approves of what it names ("a shared ride is fine"), or of what was `asked`; and none denies or turns.

    Of a `wish`, wanting what it names counts too ("I need a shared ride").
    """
    language = language_of(locale)
    told = [c for s in sentences(masked(text), language) for c in _told(s, language)]
    turning = phrases(language.exceptions, language)
    if any(_denies(c, language) or turning.holds(c) for c in told):
        return False
    wanting = phrases([word for s in SPEECH[language.code] for word in s.wanting] if wish else (), language)
    yes = _approving(language)
    return any(
        yes.holds(c) if asked and not named.holds(c) else named.holds(c) and (yes.holds(c) or wanting.holds(c))
        for c in told
    )


def _approving(language: Language) -> Table[str]:
    accepting = (word for speech in SPEECH[language.code] for word in speech.accepting)
    return phrases((*language.yes, *language.acknowledging, *accepting), language)


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
    refusing = (word for speech in SPEECH[language.code] for word in speech.refusing)
    against = phrases((*language.negators, *language.rejected, *refusing), language)
    taken = {i for first, after, _ in _approving(language).spans(clause) for i in range(first, after)}
    return any(i not in taken for first, after, _ in against.spans(clause) for i in range(first, after))


def _said(clause: Clause, language: Language) -> Part:
    """Whether only words that accept, with small ones between, make up the clause."""
    speeches = SPEECH[language.code]
    yes = _approving(language)
    beside = (word for speech in speeches for word in speech.beside)
    small = phrases((*language.polite, *language.subjects, *language.be, *beside), language)
    i, part = 0, Part.SMALL
    while i < len(clause):
        takes = yes.at(clause, i)
        hit = takes or small.at(clause, i)
        if hit is None:
            return Part.OTHER
        part, i = (Part.YES if takes else part), i + hit[0]
    return part
