"""Grounded writes: what a person's own words, quoted, bear for a value: the value itself, a reading to put back, or nothing.

Code reads the whole line in which the quote stands, as if nobody had proposed anything: what it gives to the field is
taken, what it gives to another field or reads otherwise is refused, and what it cannot decide goes back to the person.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache

from state.draft.draft import Data, Draft
from state.fields import kind_of
from state.fields.base import Context
from state.fields.words.disclosing import disclosures
from state.fields.words.naming import names
from state.form import Field
from state.language import Language, understood
from state.language.table import listed
from state.language.tokens import masked, tokens
from state.understanding.acceptance import Stance, leans_to, stance
from state.understanding.assignment import Assignment, is_clear
from state.understanding.evidence import STOPS, holds_quote, normalized, source_line
from state.understanding.explanations import is_asking
from state.understanding.given import given
from state.understanding.quotation import Quotation
from state.understanding.small_talk import no_answer
from state.understanding.text_quotes import is_led_to, text_stands

FEW = 12
"""Words of the longest answer in which a reader may see a choice that code does not."""


class Ground(StrEnum):
    """What the words bear: the value itself; a reading that only the person can confirm; nothing."""

    YIELDS = "yields"
    SUPPORTS = "supports"
    NOTHING = "nothing"


def ground(said: Quotation) -> Ground:
    """What a quotation bears for its value. Words said for another form never yield: they are put back at most."""
    if not said.line.before:
        return _ground(said)
    here = replace(said, line=replace(said.line, before=False, asked=""))
    plainly = _ground(here) is Ground.YIELDS and not kind_of(said.field).declaration
    return Ground.SUPPORTS if plainly else Ground.NOTHING


def document_bears(field: Field, data: Data, quote: str, text: str, context: Context) -> bool:
    """Whether a quote from a document's text yields a value."""
    kind = kind_of(field)
    if kind.grounding == "words":
        return holds_quote(text, str(data))
    return kind.grounding == "reading" and data in _readings(field, quote, context)


def accepting(draft: Draft, quote: str, context: Context) -> Ground:
    """What words of the newest message bear for a value that was offered just before it: a plain yes yields it."""
    line = source_line(draft, quote, only_fresh=True)
    said = stance(line.text, context.locale) if line else Stance.REFUSES
    return {Stance.ACCEPTS: Ground.YIELDS, Stance.OPEN: Ground.SUPPORTS, Stance.REFUSES: Ground.NOTHING}[said]


def perhaps(field: Field, data: Data, quote: str, context: Context) -> bool:
    """Whether the words hold a number that could be an article as well ("one room")."""
    return any(r.data == data for r in kind_of(field).unsure(field, quote, context))


def alternatives(said: Quotation) -> tuple[Data, ...]:
    """The values of this kind that the quote holds, in order: where there are several, the person says which one is meant."""
    found = kind_of(said.field).find(said.field, said.quote, said.context)
    return tuple(dict.fromkeys(r.data for r in sorted(found, key=lambda r: r.start)))


def _ground(said: Quotation) -> Ground:
    kind = kind_of(said.field)
    if kind.searchable:
        return _query(said)
    return RULES[kind.grounding](said)


def _readings(field: Field, quote: str, context: Context) -> set[Data]:
    kind = kind_of(field)
    whole = kind.whole(field, quote, context)
    return {r.data for r in kind.find(field, quote, context)} | ({whole} if whole is not None else set())


def _query(said: Quotation) -> Ground:
    """Words to search for: they stand in the quote, and can be a name."""
    stands = holds_quote(said.quote, str(said.data)) or said.data in _readings(said.field, said.quote, said.context)
    return Ground.YIELDS if stands and not no_answer(str(said.data), said.context) else Ground.NOTHING


def _reading(said: Quotation) -> Ground:
    """A value that a parser finds in the quote: taken where code gives the field the same from the whole line."""
    found = _readings(said.field, said.quote, said.context)
    if said.data not in found:
        return _doubtful(said, contradicted=bool(found))
    told = given(said)
    mine = next((t for t in told if t.field == said.field), None)
    if said.is_spent or (mine is not None and mine.data != said.data):
        return Ground.NOTHING
    if (
        mine is not None
        and not is_clear(mine, asked := said.form.fields.get(said.asked), said.form)
        and _is_said_to(asked, said)
    ):
        return Ground.NOTHING
    if mine is not None or _whole_answer(said) == said.data:
        return Ground.SUPPORTS if mine is not None and _may_be_anothers(said, mine) else Ground.YIELDS
    return Ground.NOTHING if any(_goes_to(t, said) for t in told) else Ground.SUPPORTS


def _doubtful(said: Quotation, *, contradicted: bool) -> Ground:
    """Words that code cannot read as this value: what they lean to, or the choice that a reader sees in a short answer to its question."""
    lean = kind_of(said.field).leans(said.field, said.quote, said.context)
    if lean is not None:
        return Ground.SUPPORTS if lean == said.data else Ground.NOTHING
    chosen = said.field.choices and said.is_asked and len(said.line.text.split()) <= FEW
    return Ground.SUPPORTS if chosen and not contradicted and not _is_something_else(said) else Ground.NOTHING


def _is_something_else(said: Quotation) -> bool:
    """Whether the line is no answer at all, or was the answer to another question."""
    text = said.line.text
    return is_asking(text, said.context) or bool(no_answer(text, said.context)) or bool(said.spent.starts)


def _whole_answer(said: Quotation) -> Data | None:
    """What the line says as the plain answer to this field's own question."""
    return kind_of(said.field).whole(said.field, said.line.text, said.context) if said.is_asked else None


def _is_said_to(asked: Field | None, said: Quotation) -> bool:
    """Return True if the line leans to an answer to its question, so that it is proposed for that."""
    if asked is None or asked == said.field or kind_of(asked).verbatim:
        return False
    return kind_of(asked).leans(asked, said.line.text, said.context) is not None


def _may_be_anothers(said: Quotation, take: Assignment) -> bool:
    """Return True if an open field was neither asked nor named: a bare figure may be anything, a choice that of an answered twin."""
    if said.field.name not in said.draft.values and not is_clear(take, said.form.fields.get(said.asked), said.form):
        return True
    bare = not take.named and not said.is_asked and kind_of(said.field).common_words
    answered = (said.form.fields.get(n) for n in said.draft.values if n != said.field.name)
    return bare and any(f is not None and f.choices == said.field.choices for f in answered)


def _goes_to(take: Assignment, said: Quotation) -> bool:
    """Whether another field has the better claim on the words: by its own name, or because it was asked."""
    kin = take.field != said.field and kind_of(take.field).family == kind_of(said.field).family
    better = take.named or take.field.name == said.asked
    return kin and better and any(take.start < end and start < take.end for start, end in said.places)


def _answer(said: Quotation) -> Ground:
    """Yes or no: to the question that stood, a line that says just that; for any other field, words that name it.

    A declaration with a worse answer takes the better one from a plain answer to its own question alone.
    """
    plain = _whole_answer(said)
    if plain is not None:
        return Ground.YIELDS if plain == said.data else Ground.NOTHING
    guarded = said.field.worse is not None and said.data != said.field.worse
    named = {r.data for r in kind_of(said.field).find(said.field, said.line.text, said.context)}
    if named:
        return Ground.NOTHING if named != {said.data} else Ground.SUPPORTS if guarded else Ground.YIELDS
    if said.data == said.field.worse and any(disclosures(said.field, said.line.text, said.context)):
        return Ground.SUPPORTS
    if said.is_asked:
        return _to_its_question(said, guarded=guarded)
    softly = _is_named(said) and kind_of(said.field).leans(said.field, said.quote, said.context) == said.data
    return Ground.SUPPORTS if softly or (said.data is True and _agrees(said)) else Ground.NOTHING


def _is_named(said: Quotation) -> bool:
    """Whether the quote names the field."""
    return names(said.field, said.context).holds(tokens(masked(said.quote), said.context.language))


def _to_its_question(said: Quotation, *, guarded: bool) -> Ground:
    """A line that is more than a plain answer: a clause of it that is one, then what all of it leans to."""
    clause = _answering_clause(said)
    if clause is not None:
        turned = guarded or _turns(said)
        return Ground.NOTHING if clause != said.data else Ground.SUPPORTS if turned else Ground.YIELDS
    lean = kind_of(said.field).leans(said.field, said.line.text, said.context)
    if lean is not None:
        return Ground.SUPPORTS if lean == said.data else Ground.NOTHING
    if said.data is True and _agrees(said):
        return Ground.SUPPORTS
    silent = not kind_of(said.field).polar or _is_something_else(said) or _turns(said)
    return Ground.NOTHING if silent else Ground.SUPPORTS


def _turns(said: Quotation) -> bool:
    """Whether something in the line takes part of it back ("no, except what my brother told me")."""
    language = said.context.language
    return listed(language, "exceptions").holds(tokens(masked(said.line.text), language))


def _answering_clause(said: Quotation) -> Data | None:
    """What the quoted clause answers, where it stands by itself in the line."""
    every = _clauses(said.context.language).split(said.line.text)
    quoted = [c for c in every if c and holds_quote(said.quote, c)] or [said.quote]
    stated = {normalized(c) for c in (*every, said.line.text)}
    alone = all(normalized(c) in stated for c in quoted)
    return kind_of(said.field).whole(said.field, quoted[0], said.context) if alone else None


def _agrees(said: Quotation) -> bool:
    """Whether the line is fine with what was asked, or with what it names; of a declaration never."""
    field, line = said.field, said.line
    if not kind_of(field).polar or field.worse is not None:
        return False
    text = line.text if field.name == said.asked else ""
    return leans_to(names(field, said.context), text, line.text, said.context.locale, wish=field.suggest)


@cache
def _clauses(language: Language) -> re.Pattern[str]:
    """What parts clauses: punctuation, "and" and "but"."""
    joins = (word for spoken in understood(language) for word in (*spoken.and_words, *spoken.but_words))
    return re.compile(rf"{STOPS}|\s(?:{'|'.join(map(re.escape, joins))})\s", re.IGNORECASE)


def _text(said: Quotation) -> Ground:
    """A text is the quote, or the quote after the words that lead to it; one that is near it may be confirmed."""
    stands = text_stands(said)
    if stands is None or (_answers_what_was_asked(said) and not is_led_to(said)):
        return Ground.NOTHING
    return Ground.YIELDS if stands else Ground.SUPPORTS


def _answers_what_was_asked(said: Quotation) -> bool:
    """Whether the line says yes or no to its own question, and so is no text for another one."""
    asked = said.form.fields.get(said.asked)
    other = asked is not None and asked != said.field and kind_of(asked).polar
    return bool(other and asked and kind_of(asked).leans(asked, said.line.text, said.context) is not None)


RULES: Mapping[str, Callable[[Quotation], Ground]] = {"reading": _reading, "answer": _answer, "words": _text}
