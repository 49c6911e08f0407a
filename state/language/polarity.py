"""Whether a clause says yes or no to a thing it names: negations, affirming verbs, and what makes either uncertain."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from state.language.language import Language
from state.language.table import Table, listed
from state.language.tokens import Token

Row = Sequence[Token]
FARTHEST = 20
"""Words from a negation to what it is about, at most."""


@dataclass(frozen=True)
class Grammar:
    """A language's tables that decide yes and no."""

    language: Language
    yes: Table[str]
    no: Table[str]
    negators: Table[str]
    be: Table[str]
    have: Table[str]
    subjects: Table[str]
    links: Table[str]
    either: Table[str]


@dataclass
class Heard:
    """What stands before the thing named: negations, an affirming verb, a "yes", and whether somebody else is the subject."""

    start: int
    negations: int = 0
    be: bool = False
    have: bool = False
    yes: bool = False
    other: bool = False
    alternative: bool = False


@cache
def grammar(language: Language) -> Grammar:
    """The tables of a language."""
    entries = ("yes", "no", "negators", "be", "have", "subjects", "links", "or_words")
    return Grammar(language, *(listed(language, entry) for entry in entries))


def said_of(row: Row, first: int, after: int, rules: Grammar) -> tuple[bool, int, int] | None:
    """Yes or no to the thing in tokens `first` up to `after` of a clause, with the tokens that say so; None where neither is said."""
    heard = _before(row, first, rules)
    answer = _verdict(heard, rules)
    if answer is not None:
        return answer, _without_links(row, heard.start, first, rules), after
    nothing_before = heard.start == first and not heard.alternative
    particle = _particle(row, after, rules) if nothing_before else None
    return None if particle is None else (particle, first, len(row))


def _without_links(row: Row, start: int, first: int, rules: Grammar) -> int:
    while start < first and rules.links.at(row, start) and not rules.subjects.at(row, start):
        start += 1
    return start


def is_question(row: Row, language: Language) -> bool:
    """Whether a clause asks without a question mark: a question word in it, or a verb before its subject."""
    if listed(language, "question_words").holds(row):
        return True
    start = 1 if listed(language, "conjunctions").at(row, 0) else 0
    verb = listed(language, "question_verbs").at(row, start)
    subject = listed(language, "subjects", "articles", "other_subjects")
    return verb is not None and subject.at(row, start + verb[0]) is not None


def _before(row: Row, first: int, rules: Grammar) -> Heard:
    """Walk back from the thing over the small words that may stand before it."""
    heard = Heard(first)
    i = first
    while i > max(first - FARTHEST, 0):
        step = _step(row, i, heard, rules)
        if not step:
            heard.other = True
            break
        i -= step
        heard.start = i if _weighs(heard) else heard.start
    return heard


def _step(row: Row, i: int, heard: Heard, rules: Grammar) -> int:
    """How many words the walk takes in one step, having noted what they say; 0 at a word that says something else."""
    hit = rules.negators.ending(row, i)
    if hit and not _is_interjection(row, i, hit[0], rules):
        heard.negations += 1
        return hit[0]
    for table, name in ((rules.have, "have"), (rules.be, "be"), (rules.yes, "yes"), (rules.either, "alternative")):
        hit = table.ending(row, i)
        if hit:
            setattr(heard, name, True)
            return hit[0]
    hit = rules.links.ending(row, i) or rules.subjects.ending(row, i)
    if hit:
        return hit[0]
    return 1 if heard.alternative and not rules.no.ending(row, i) else 0


def _weighs(heard: Heard) -> bool:
    return bool(heard.negations or heard.be or heard.have or heard.yes)


def _is_interjection(row: Row, end: int, length: int, rules: Grammar) -> bool:
    """Whether a bare "no" answers something before it and negates nothing ("no it is")."""
    if length > 1 or row[end - 1].key != rules.language.bare_no or rules.language.no_negates:
        return False
    return any(table.at(row, end) for table in (rules.subjects, rules.be, rules.have))


def _verdict(heard: Heard, rules: Grammar) -> bool | None:
    mine = not (heard.have and heard.other)
    if heard.negations:
        clear = heard.negations == 1 or rules.language.concord
        return False if clear and mine else None
    affirmed = heard.yes or heard.be or heard.have
    return True if affirmed and mine and not heard.alternative else None


def _particle(row: Row, after: int, rules: Grammar) -> bool | None:
    """A "yes" or "no" right after the thing, at the end of its clause."""
    for table, answer in ((rules.yes, True), (rules.no, False)):
        hit = table.at(row, after)
        if hit and after + hit[0] == len(row):
            return answer
    return None
