"""A whole message that says yes or no to what was asked: particles, short clauses, the field's own words, courtesy; nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from state.fields.base import Context
from state.fields.words.naming import names, own_words
from state.form import Field
from state.language.clauses import clauses
from state.language.polarity import Grammar, grammar, is_question
from state.language.table import Table, listed
from state.language.tokens import Token, masked

Row = Sequence[Token]


class Part(Enum):
    """What a word of a plain answer is."""

    YES = "yes"
    NO = "no"
    NEGATION = "negation"
    NAME = "name"
    VERB = "verb"
    SMALL = "small"


@dataclass(frozen=True)
class Lists:
    """The tables that a plain answer is read by."""

    rules: Grammar
    called: Table[str]
    small: Table[str]
    own: frozenset[str]
    uncertain: Table[str]


def plain_answer(field: Field, text: str, context: Context) -> bool | None:
    """True, False, or None where the message says anything else, doubts, asks, or contradicts itself."""
    lists = _lists(field, context)
    answers: set[bool] = set()
    for clause in clauses(masked(text), context.language):
        said = _said(clause, lists)
        if said is None:
            return None
        answers |= said
    return answers.pop() if len(answers) == 1 else None


def _said(clause: Row, lists: Lists) -> set[bool] | None:
    """What one clause says; None where it says anything but yes or no."""
    for table, answer in ((lists.rules.yes, True), (lists.rules.no, False)):
        hit = table.at(clause, 0)
        if hit and hit[0] == len(clause):
            return {answer}
    uncertain = lists.uncertain.holds(clause) or is_question(clause, lists.rules.language)
    parts = None if uncertain else _parts(clause, lists)
    return None if parts is None else _answers(parts, clause[-1].key, lists)


def _lists(field: Field, context: Context) -> Lists:
    language = context.language
    small = listed(language, "polite", "links", "subjects")
    uncertain = listed(language, "hedges", "doubts")
    turning = listed(language, "conjunctions", "exceptions")
    own = own_words(field, context) - uncertain.rows.keys() - turning.rows.keys()
    return Lists(grammar(language), names(field, context), small, own, uncertain)


def _parts(row: Row, lists: Lists) -> list[Part] | None:
    """Every word's part; None where a word has none."""
    parts: list[Part] = []
    i = 0
    while i < len(row):
        leading = all(p in (Part.YES, Part.NO) for p in parts)
        part, length = _part(row, i, leading, lists)
        if part is None:
            return None
        parts.append(part)
        i += length
    return parts


def _part(row: Row, i: int, leading: bool, lists: Lists) -> tuple[Part | None, int]:
    rules = lists.rules
    said_no = rules.no.at(row, i)
    if said_no and _is_particle(row, i, said_no[0], leading, rules):
        return Part.NO, said_no[0]
    tables = (
        (Part.YES, rules.yes), (Part.NEGATION, rules.negators), (Part.NAME, lists.called), (Part.VERB, rules.have),
        (Part.VERB, rules.be), (Part.SMALL, lists.small),
    )  # fmt: skip
    for part, table in tables:
        hit = table.at(row, i)
        if hit:
            return part, hit[0]
    return (Part.SMALL, 1) if row[i].key in lists.own else (None, 0)


def _is_particle(row: Row, i: int, length: int, leading: bool, rules: Grammar) -> bool:
    """Whether a "no" answers by itself: first or last in its clause; where a bare "no" negates verbs, only alone or last."""
    last = i + length == len(row)
    if row[i].key == rules.language.bare_no and length == 1 and rules.language.no_negates:
        return last
    return leading or last


def _answers(parts: list[Part], last: str, lists: Lists) -> set[bool]:
    """What a clause says; two answers where it contradicts itself."""
    said = {part is Part.YES for part in parts if part in (Part.YES, Part.NO)}
    negations = parts.count(Part.NEGATION)
    if negations > 1 and not lists.rules.language.concord:
        return {True, False}
    if negations:
        return said | {False}
    weak = Part.NAME not in parts and last in lists.rules.language.weak_verbs
    stated = Part.VERB in parts and not weak
    return said | {True} if stated else said
