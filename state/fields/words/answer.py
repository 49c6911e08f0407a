"""A message's answer to the yes-or-no question that was asked: plain, where nothing beside it could change it; else none or a lean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from state.fields.base import Context
from state.fields.words.answer_parts import (
    PARTICLES,
    Lists,
    Part,
    Row,
    answers_of,
    is_echo,
    lists_of,
    parts_of,
    squeezed,
)
from state.form import Field
from state.language.clauses import clauses
from state.language.marks import mark_alone
from state.language.polarity import is_question, said_of
from state.language.table import listed, listed_widely
from state.language.tokens import masked

SMALL = 3
"""The place of small words among the tables by which a head is read: particles stand before it, verbs after it."""


class Beside(IntEnum):
    """What stands beside an answer, the graver the greater: a reason behind it, more than it, words that take some of it back."""

    NOTHING = 0
    REASON = 1
    MORE = 2
    TURN = 3


@dataclass(frozen=True)
class Said:
    """What one row says: its answers (two where it contradicts itself), whether it agrees, and what it says beside.

    `stressed`: it holds a word that says yes where nothing else answers ("of course"), and else stresses that.
    `denies`: it answers nothing, and denies something.
    """

    answers: frozenset[bool]
    agrees: bool = False
    beside: Beside = Beside.NOTHING
    stressed: bool = False
    denies: bool = False


@dataclass(frozen=True)
class Verdict:
    """The one answer of a message. `plain`: it may be taken; else it may only be put back."""

    answer: bool
    plain: bool


def plain_answer(field: Field, text: str, context: Context) -> bool | None:
    """True, False, or None where the message says anything else, doubts, asks, or contradicts itself."""
    found = verdict(field, text, context)
    return found.answer if found and found.plain else None


def verdict(field: Field, text: str, context: Context) -> Verdict | None:
    """What a message answers, plainly or with more beside it."""
    lists = lists_of(field, context)
    rows = list(clauses(masked(text), context.language))
    if not rows:
        return _marked(field, text)
    return weighed(field, (said_by(row, field, lists) for row in rows), lists)


def weighed(field: Field, said: Iterable[Said | None], lists: Lists) -> Verdict | None:
    """The verdict on what a message's rows say; None where one of them makes it no answer."""
    answers: frozenset[bool] = frozenset()
    beside = Beside.NOTHING
    agrees = denied = stressed = False
    for one in said:
        if one is None:
            return None
        early = bool(one.beside) and not (answers or one.answers or stressed or one.stressed)
        denied = denied or (early and one.denies)
        beside = max(beside, one.beside, Beside.MORE if early else Beside.NOTHING)
        answers, agrees = answers | one.answers, agrees or one.agrees
        stressed = stressed or one.stressed
    if stressed and not answers:
        answers = frozenset({True})
    guarded = is_guarded(field)
    if not answers and agrees:
        plain = lists.proposes and beside <= Beside.REASON
        return None if guarded or denied or lists.factual else Verdict(answer=True, plain=plain)
    if len(answers) != 1 or (denied and True in answers):
        return None
    return _allowed(field, next(iter(answers)), beside)


def _allowed(field: Field, answer: bool, beside: Beside) -> Verdict | None:
    if not is_guarded(field):
        return Verdict(answer, plain=beside <= Beside.REASON)
    if beside and answer != field.worse:
        return None
    return Verdict(answer, plain=not beside)


def is_guarded(field: Field) -> bool:
    """Whether one of the field's answers is the worse one: what stands beside the other may disclose."""
    return isinstance(field.worse, bool)


def _marked(field: Field, text: str) -> Verdict | None:
    mark = mark_alone(text)
    return None if mark is None else Verdict(mark, plain=mark != field.worse)


def said_by(clause: Row, field: Field, lists: Lists) -> Said | None:
    """What one row of words says; None where it asks, doubts, holds, corrects, or refuses to say."""
    row = squeezed(clause, lists)
    for table, answer in ((lists.rules.yes, True), (lists.rules.no, False)):
        hit = table.at(row, 0)
        small = lists.small.at(row, 0)
        if hit and hit[0] == len(row):
            return Said(frozenset(), stressed=True) if answer and small == hit else Said(frozenset({answer}))
    if lists.idioms.holds(row):
        return None
    parts, end = parts_of(row, lists)
    return _whole(parts, row, lists) if end == len(row) else _split(row, field, lists)


def _whole(parts: Sequence[Part], row: Row, lists: Lists) -> Said | None:
    language = lists.rules.language
    echo = (language.inverts and Part.NAME not in parts) or all(p in (*PARTICLES, Part.SMALL) for p in parts)
    if is_question(row, language) and not echo:
        return None
    answers = answers_of(parts, row, lists)
    has_one = Part.VERB in parts and Part.YES not in parts and Part.WANTED not in parts
    if lists.proposes and has_one and True in answers and listed(language, "already").holds(row):
        return Said(frozenset({False}), beside=Beside.MORE)
    only_named = not answers and Part.NAME in parts
    if only_named and lists.proposes:
        return Said(frozenset({True}), beside=Beside.MORE)
    adrift = Part.WANTED in parts and not (Part.NAME in parts or lists.proposes or is_echo(row, lists))
    praised = Part.PRAISED in parts and not answers and Part.AGREED not in parts
    beside = Beside.MORE if only_named or adrift or praised else Beside.NOTHING
    return Said(frozenset(answers), praised or Part.AGREED in parts, beside, Part.STRESS in parts)


def _split(row: Row, field: Field, lists: Lists) -> Said | None:
    """A row that begins with a yes or no and goes on, or that says something else."""
    head = _head(row, lists)
    rest = row[head:]
    bare = head > 0 and row[head - 1].key == lists.rules.language.bare_no
    negating = bare and lists.rules.language.no_negates
    parts = parts_of(row[:head], lists)[0] if head else []
    beside, ending = _beside(rest, field, lists), _ending(rest, lists)
    denying = listed(lists.rules.language, "negators", "no").holds(rest)
    if beside is None or (denying and (negating or (ending and not head))):
        return None
    told = {p is Part.YES for p in parts if p in (Part.YES, Part.NO)} | ({False} if negating else set())
    answers = frozenset(told | ending | (set() if negating else _named_in(rest, lists)))
    opens = _opens(rest, lists)
    if Part.AGREED in parts and not told and not opens:
        return Said(answers, beside=Beside.MORE)
    grave = Beside.MORE if negating or (bare and not opens) else Beside.NOTHING
    return Said(answers, Part.AGREED in parts, max(beside, grave), Part.STRESS in parts, denying and not head)


def _head(row: Row, lists: Lists) -> int:
    """Where the leading yes or no ends, with the small words before it."""
    i = head = 0
    while i < len(row):
        tables = (lists.rules.yes, lists.rules.no, lists.agreeing, lists.small, lists.rules.be)
        hits = [(hit[0], n) for n, table in enumerate(tables) if (hit := table.at(row, i))]
        length, kind = max(hits, key=lambda h: (h[0], -h[1]), default=(0, len(tables)))
        if kind > SMALL or _reaches_on(row, i, length, lists):
            break
        i += length
        head = i if kind < SMALL else head
    return head


def _reaches_on(row: Row, i: int, length: int, lists: Lists) -> bool:
    """Whether a word that may answer rather negates what follows it ("never used it") or makes it a condition ("sí si …")."""
    language = lists.rules.language
    negates = length == 1 and lists.rules.negators.at(row, i) is not None and row[i].key != language.bare_no
    return (negates and i + 1 < len(row)) or (i > 0 and listed(language, "conditions").at(row, i) is not None)


def _opens(rest: Row, lists: Lists) -> bool:
    """Whether a clause of its own begins here, so that the "no" before it negates none of its words."""
    openers = listed(
        lists.rules.language, "subjects", "be", "have", "reasons", "polite", "asides", "conjunctions", "harmless"
    )
    return openers.at(rest, 0) is not None


def _named_in(rest: Row, lists: Lists) -> set[bool]:
    """What words beside an answer say of the field by name."""
    found = (said_of(rest, first, after, lists.rules) for first, after, _ in lists.called.spans(rest))
    return {one[0] for one in found if one}


def _ending(rest: Row, lists: Lists) -> set[bool]:
    """The yes or no that words end in."""
    particles = ((lists.rules.yes, True), (lists.rules.no, False))
    return {answer for table, answer in particles if table.ending(rest, len(rest))}


def _beside(rest: Row, field: Field, lists: Lists) -> Beside | None:
    """How grave it is what stands beside an answer; None where it makes it none."""
    language = lists.rules.language
    opens = listed(language, "reasons").at(rest, 0) is not None
    asks = listed(language, "question_words").at(rest, 0) is not None
    if (asks and (not opens or len(rest) == 1)) or is_inverted(rest, lists):
        return None
    doubtful = listed(language, "doubts", "softeners", "maybes", "conditions").holds(rest)
    if doubtful or listed_widely(language, "corrections.cues").holds(rest):
        return None
    if lists.turning.holds(rest):
        return None if listed(language, "negators", "no", "hedges").holds(rest) else Beside.TURN
    if _is_harmless(rest, lists):
        return Beside.NOTHING
    counted = any(t.key[0].isdigit() for t in rest)
    return Beside.REASON if opens and not counted else Beside.MORE


def is_inverted(rest: Row, lists: Lists) -> bool:
    """Whether it begins as a question does, a verb before its subject."""
    language = lists.rules.language
    verb = listed(language, "question_verbs").at(rest, 0)
    subject = listed(language, "subjects", "articles", "other_subjects")
    return verb is not None and subject.at(rest, verb[0]) is not None and not language.inverts


def _is_harmless(rest: Row, lists: Lists) -> bool:
    language = lists.rules.language
    harmless = listed(language, "harmless", "polite", "links", "subjects", "asides", "be", "have", "articles")
    i = 0
    while i < len(rest):
        hit = harmless.at(rest, i)
        if not hit:
            return False
        i += hit[0]
    return True
