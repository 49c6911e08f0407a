"""Yes or no. Canonical: a bool. In open words it counts only for a field that they name, and only where nothing makes it uncertain."""

from collections.abc import Iterator, Sequence
from typing import Any

from state.draft import Data
from state.form import Field
from state.kinds.base import Context, Kind, Reading, Unreadable
from state.kinds.words.answer import plain_answer
from state.kinds.words.clauses import Clause, Sentence, sentences
from state.kinds.words.naming import names
from state.kinds.words.polarity import Grammar, grammar, is_question, said_of
from state.kinds.words.table import phrases
from state.kinds.words.tokens import Token, masked, trimmed

SHOWN = {"en": ("Yes", "No"), "it": ("Sì", "No"), "es": ("Sí", "No")}
CODED = {"true": True, "false": False}


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The answer of a message that says yes or no and nothing else but the field's own words."""
    return plain_answer(field, text, context)


def find(field: Field, text: str, context: Context) -> tuple[Reading, ...]:
    """Answers to this field by name ("it's not leveraged"), and words that disclose its worse answer."""
    found: list[Reading] = []
    for sentence in sentences(masked(text), context.language):
        found += [*_disclosed(field, sentence, context), *_named(field, sentence, context)]
    return tuple(sorted(found, key=lambda r: r.start))


def parse(field: Field, given: object, context: Context) -> Data:
    """True or False. Raises Unreadable: not_yes_no."""
    if isinstance(given, bool):
        return given
    text = trimmed(given) if isinstance(given, str) else ""
    coded = CODED.get(text.casefold())
    answer = coded if coded is not None else plain_answer(field, text, context)
    if answer is None:
        raise Unreadable("not_yes_no")
    return answer


def show(_field: Field, data: Data, context: Context) -> str:
    """In the form's language."""
    yes, no = SHOWN[context.language.code]
    return yes if data else no


def schema(_field: Field) -> dict[str, Any]:
    """A boolean."""
    return {"type": "boolean"}


def _named(field: Field, sentence: Sentence, context: Context) -> Iterator[Reading]:
    language = context.language
    row = [t for clause in sentence.clauses for t in clause]
    if sentence.asks or phrases(language.doubts, language).holds(row):
        return
    called, rules = names(field, context), grammar(language)
    for clause in sentence.clauses:
        if phrases(language.hedges, language).holds(clause) or is_question(clause, language):
            continue
        for first, after, _ in called.spans(clause):
            rest = [t for t in row if t.start >= clause[after - 1].end]
            reading = _reading(clause, first, after, rules)
            if reading and not phrases(language.exceptions, language).holds(rest):
                yield reading


def _reading(clause: Clause, first: int, after: int, rules: Grammar) -> Reading | None:
    said = said_of(clause, first, after, rules)
    return Reading(said[0], clause[said[1]].start, clause[said[2] - 1].end, named=True) if said else None


def _disclosed(field: Field, sentence: Sentence, context: Context) -> Iterator[Reading]:
    """The worse answer by the form's own words for it; doubt does not make a disclosure less of one, a denial or a condition does."""
    language = context.language
    if not isinstance(field.worse, bool) or sentence.asks:
        return
    for clause in sentence.clauses:
        for first, after, _ in phrases(field.disclosure, language).spans(clause):
            if not is_question(clause, language) and not _is_denied(clause[:first], context):
                yield Reading(field.worse, clause[first].start, clause[after - 1].end, named=True)


def _is_denied(before: Sequence[Token], context: Context) -> bool:
    language = context.language
    denying = phrases((*language.negators, *language.conditions, *language.rejected), language)
    return denying.holds(before)


KIND = Kind(whole, find, parse, show, schema)
