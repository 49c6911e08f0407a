"""The words of a yes or no: particles, short clauses, the field's own words, what adds nothing; and what one row of them says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from state.fields.base import Context
from state.fields.words.naming import FIELDS, names, own_words
from state.form import Field
from state.language import Language
from state.language.polarity import Grammar, grammar, unfolded
from state.language.table import Table, listed
from state.language.tokens import Token, tokens

Row = Sequence[Token]
SENTENCE = re.compile(r"[^.!?¿]*\?")
REPEATED = re.compile(r"(.)\1+")


class Part(Enum):
    """What a word of a plain answer is."""

    YES = "yes"
    NO = "no"
    AGREED = "agreed"
    PRAISED = "praised"
    STRESS = "stress"
    NEGATION = "negation"
    NAME = "name"
    VERB = "verb"
    WANTED = "wanted"
    SMALL = "small"


UNCERTAIN = ("hedges", "doubts", "softeners", "maybes", "soft_denials", "leaning_yes", "leaning_no", "declining")
"""Entries of a language whose words make an answer none, or soft."""
PARTICLES = (Part.YES, Part.NO, Part.AGREED, Part.PRAISED, Part.STRESS)


@dataclass(frozen=True)
class Lists:
    """The tables that an answer to one field is read by.

    `proposes`: its question puts a proposal to the person; `factual`: it asks what is so, and is not answered by agreeing.
    """

    rules: Grammar
    called: Table[str]
    small: Table[str]
    own: frozenset[str]
    uncertain: Table[str]
    turning: Table[str]
    wants: Table[str]
    agreeing: Table[str]
    idioms: Table[str]
    praise: Table[str]
    proposes: bool
    factual: bool


def lists_of(field: Field, context: Context) -> Lists:
    """The tables for a field in the context's language."""
    return _lists(field, context.language, names(field, context), own_words(_as_asked(field), context))


@lru_cache(maxsize=FIELDS)
def _as_asked(field: Field) -> Field:
    """The field with its question alone: the reasons given before it are no words of an answer."""
    asked = SENTENCE.findall(field.ask)
    return field.model_copy(update={"ask": " ".join(asked)}) if asked else field


def _lists(field: Field, language: Language, called: Table[str], own: frozenset[str]) -> Lists:
    turning = listed(language, "conjunctions", "exceptions")
    uncertain = listed(language, *UNCERTAIN)
    asked = tokens(_as_asked(field).ask, language)
    proposes = listed(language, "proposing").holds(asked)
    return Lists(
        grammar(language), called, listed(language, "polite", "links", "subjects", "asides"),
        own - uncertain.rows.keys() - turning.rows.keys(), uncertain, listed(language, "exceptions"),
        listed(language, "wants"), listed(language, "agreeing"), listed(language, "no_idioms"),
        listed(language, "praising"), proposes, not proposes and _asks_what_is(asked, language),
    )  # fmt: skip


def _asks_what_is(asked: Row, language: Language) -> bool:
    """Whether a question begins with being or having ("Is this …", "Tiene …")."""
    verbs = listed(language, "be", "have", "question_verbs")
    return any(verbs.at(asked, i) is not None for i, t in enumerate(asked) if i == 0 or t.stop)


def parts_of(row: Row, lists: Lists) -> tuple[list[Part], int]:
    """The parts from the left as far as every word has one, and where they end."""
    parts: list[Part] = []
    i = 0
    while i < len(row):
        part, length = _part(row, i, parts, lists)
        if part is None:
            break
        parts.append(part)
        i += length
    return parts, i


def _part(row: Row, i: int, parts: list[Part], lists: Lists) -> tuple[Part | None, int]:
    rules = lists.rules
    tables = (
        (Part.NAME, lists.called), (Part.YES, rules.yes), (Part.AGREED, lists.agreeing), (Part.PRAISED, lists.praise), (Part.WANTED, lists.wants),
        (Part.NEGATION, rules.negators), (Part.VERB, rules.have), (Part.VERB, rules.be), (Part.SMALL, lists.small),
    )  # fmt: skip
    said_no = rules.no.at(row, i)
    hits = [(part, hit[0]) for part, table in tables if (hit := table.at(row, i))]
    stated = Part.NEGATION not in parts and (Part.VERB in parts or Part.WANTED in parts)
    denies = stated and rules.negators.at(row, i) is not None
    phrase_negates = said_no and said_no[0] > 1 and _negates_on(row, i + said_no[0], rules)
    if said_no and phrase_negates:
        hits.append((Part.NEGATION, said_no[0]))
    elif said_no and not denies and is_particle(row, i, said_no[0], parts, rules):
        hits.insert(0, (Part.NO, said_no[0]))
    best = max(hits, key=lambda h: h[1], default=(Part.SMALL, 1) if row[i].key in lists.own else (None, 0))
    doubt = lists.uncertain.at(row, i)
    echoed = all(p is Part.YES for p in parts) and best[0] is Part.YES and not lists.called.holds(row)
    if doubt and doubt[0] >= best[1] and not echoed:
        return None, 0
    stress = best[0] is Part.YES and (small := lists.small.at(row, i)) is not None and small[0] == best[1]
    return (Part.STRESS, best[1]) if stress else best


def _negates_on(row: Row, after: int, rules: Grammar) -> bool:
    """Whether a longer no ends in one that negates the verb after it ("claro que no es")."""
    bare = rules.language.no_negates and row[after - 1].key == rules.language.bare_no
    return bare and after < len(row) and not row[after].stop


def is_particle(row: Row, i: int, length: int, parts: Sequence[Part], rules: Grammar) -> bool:
    """Whether a "no" answers by itself: first or last in its clause; where a bare "no" negates verbs, only alone or last."""
    last = i + length == len(row)
    bare = row[i].key == rules.language.bare_no and length == 1
    if bare and rules.language.no_negates:
        return last or _only_courtesy(row, i + 1, rules)
    negator = None if bare else rules.negators.at(row, i)
    if negator and negator[0] == length:
        return last
    return last or all(p in (*PARTICLES, Part.SMALL) for p in parts)


def _only_courtesy(row: Row, i: int, rules: Grammar) -> bool:
    """Whether courtesy, or another no, is all that follows."""
    while i < len(row) and (hit := rules.no.at(row, i) or rules.courtesy.at(row, i)):
        i += hit[0]
    return i == len(row)


def answers_of(parts: Sequence[Part], row: Row, lists: Lists) -> set[bool]:
    """What a row says whose every word has a part; two answers where it contradicts itself."""
    said = {part is Part.YES for part in parts if part in (Part.YES, Part.NO)}
    negations = parts.count(Part.NEGATION)
    if negations > 1 and not lists.rules.language.concord:
        return {True, False}
    if negations:
        bare = row[-1].key == lists.rules.language.bare_no
        return {True, False} if bare and _denies_a_no(parts) else said | {False}
    weak = Part.NAME not in parts and row[-1].key in lists.rules.language.weak_verbs
    wanted = Part.WANTED in parts and (Part.NAME in parts or lists.proposes or is_echo(row, lists))
    stated = (Part.VERB in parts and not weak) or wanted
    return said | {True} if stated else said


def _denies_a_no(parts: Sequence[Part]) -> bool:
    """Whether a negation reaches a yes or no behind it, and no thing or verb before that ("not no", "don't put no")."""
    first = parts.index(Part.NEGATION)
    return Part.NO in parts[first:] and not any(p in (Part.VERB, Part.WANTED, Part.NAME) for p in parts)


def is_echo(row: Row, lists: Lists) -> bool:
    """Whether a verb of wanting or using in it is one that the question uses."""
    return any(t.key in lists.own and lists.wants.at(row, i) for i, t in enumerate(row))


def squeezed(row: Row, lists: Lists) -> tuple[Token, ...]:
    """The row as it is spelt: without drawn-out particles ("noooo", "yess"), short forms and folded negations."""
    language = lists.rules.language
    full = (replace(t, key=language.short_forms.get(t.key, t.key)) for t in row)
    return unfolded(tuple(_squeezed(t, lists) for t in full), lists.called, language)


def _squeezed(token: Token, lists: Lists) -> Token:
    short = REPEATED.sub(r"\1", token.key)
    known = (lists.rules.yes, lists.rules.no, lists.agreeing)
    if short == token.key or any(token.key in t.rows for t in (*known, lists.small, lists.rules.negators)):
        return token
    return replace(token, key=short) if any(t.at((replace(token, key=short),), 0) for t in known) else token
