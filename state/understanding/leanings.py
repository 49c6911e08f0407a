"""What leans to a yes or no, and is no plain one: put back for one click. Words that people say for it, a few that deny ("I haven't got any"), and
the question's own, repeated or denied ("it could", "non acconsento", "sin luz").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from state.fields import kind_of
from state.fields.choice import differ_in_ending
from state.fields.disclosing import named_person, tells
from state.fields.naming import FIELDS
from state.form import Field
from state.form.field import Data
from state.language import LANGUAGES, Language
from state.language.small_talk import NoAnswer
from state.language.table import Table, all_of, listed, listed_everywhere, meanings, sentences
from state.language.tokens import Token, asks, keys_of, tokens
from state.understanding.commands import is_asking, without_leads
from state.understanding.corrections import Assignment
from state.understanding.message import MessageInContext, said_in
from state.understanding.verification import first_word

BRACED = re.compile(r"\{[^{}]*\}")


def leaning(heard: MessageInContext, field: Field) -> Iterator[Assignment]:
    """Yield the answer to which the words lean, or a clause beside a question, in any language ("What counts? I have some")."""
    leads = listed_everywhere(
        heard.context.language, "polite", "hesitating", "conjunctions", "but_words", "small_talk.approvals"
    )
    told = tuple(c for c in heard.clauses if without_leads(c, leads))
    if not is_asking(heard.text, heard.context):
        alike = {_plainly(heard, field, clause) for clause in told}  # "not that I can see, no"
        told = told[: len(told) == 1 or (None not in alike and len(alike) == 1)]
    rows = [without_leads(c, leads) for c in told if not asks(heard.text[c[-1].end : c[-1].end + 2])]
    said = [(yes, row) for row in rows if (yes := leans_to(row, heard.context.language)) is not None]
    free = [row for row in rows if row and heard.idle in (None, NoAnswer.QUESTION)]
    said = said or [(False, row) for row in free if _denies(said_in(heard, row))]
    said = said or [(yes, row) for row in free if (yes := _echoes(row, field, heard.context.language)) is not None]
    whom = named_person(field, said_in(heard, rows[0])) if len(rows) == 1 and rows[0] and not said else None
    said = [(whom, rows[0])] if whom is not None else said
    if len({answer for answer, _ in said}) == 1:
        yield Assignment(field, said[0][0], said[0][1][0].start, said[0][1][-1].end)


def _plainly(heard: MessageInContext, field: Field, clause: Sequence[Token]) -> Data | None:
    leans = leans_to(clause, heard.context.language)
    return kind_of(field).whole(field, said_in(heard, clause), heard.context) if leans is None else leans


def leans_to(row: Sequence[Token], language: Language) -> bool | None:
    """Return the answer to which all of the words lean, in any language."""
    hit = _leans(language).at(row, 0)
    return hit[1] if hit and hit[0] == len(row) else None


def by_things(heard: MessageInContext, field: Field) -> tuple[Assignment, ...] | None:
    """Return the answer that the words give by what or whom they speak of; None where they speak of nothing that gives one.

    A yes or no before it gives way to what is worse ("no, it's an option"); before what is better nobody knows which is meant.
    """
    language, first = heard.context.language, first_word(heard.text, heard.context)
    row = without_leads(heard.row, listed_everywhere(language, "yes", "no", "polite", "hesitating", "but_words"))
    told = tells(heard.row, field, language)
    whom = named_person(field, said_in(heard, row)) if row and told is None else None
    answer, start = told if told else (whom, row[0] if row else None)
    if answer is None or start is None or is_asking(heard.text, heard.context):
        return None
    agrees = first in (None, answer) or answer is (field.worse is None or field.worse)
    return (Assignment(field, answer, start.start, len(heard.text)),) if agrees else ()


def _denies(text: str) -> bool:
    """Return True if a few words say no in any language and nothing beside it ("I haven't got any")."""
    rows = [(one, tokens(text, one)) for one in LANGUAGES.values()]
    return any(
        all_of(row, listed(one, "negators", "denying")) and listed(one, "negators").holds(row) for one, row in rows
    )


@cache
def _leans(language: Language) -> Table[bool]:
    return meanings({phrase: yes for one in LANGUAGES.values() for phrase, yes in one.leaning.items()}, language)


@dataclass(frozen=True)
class Question:
    """The words of a question and of what its answers declare, and those of them that a yes repeats: the first of each."""

    words: frozenset[str]
    verbs: frozenset[str]


@lru_cache(maxsize=FIELDS)
def _question(field: Field, language: Language) -> Question:
    put = [s for s in sentences(BRACED.sub("", field.ask), language) if s.asks]
    declared = keys_of(BRACED.sub("", field.declares.yes if field.declares else ""), language)
    small = listed(language, "small", "polite", "denying").rows
    verbs = [s.clauses[0][0].key for s in put] + [key for key in declared[:1] if key not in small]
    return Question(
        frozenset((*(t.key for s in put for clause in s.clauses for t in clause), *declared)), frozenset(verbs)
    )


def _echoes(row: Sequence[Token], field: Field, language: Language) -> bool | None:
    """Return the answer of a few words that repeat the question's, and say nothing else.

    A yes repeats its verb ("lleva"; an auxiliary beside what it is of, or behind whom: "it could"), a no denies any word of it.
    """
    question, small = _question(field, language), listed(language, "small", "polite", "denying").covered(row)
    denied = listed(language, "negators").covered(row)
    own = {i for i, t in enumerate(row) if any(differ_in_ending(t.key, word) for word in question.words)} - denied
    if len(own | small | denied) < len(row):
        return None
    verbs = {i for i in own if any(differ_in_ending(row[i].key, verb) for verb in question.verbs)}
    if denied:
        return False if verbs or own - small else None
    return True if verbs and (own - small or max(verbs) == len(row) - 1 > 0) else None
