"""A worse answer in a form's own words for it: "I heard something from their CFO"."""

from collections.abc import Iterator

from state.fields.base import Context
from state.form import Field
from state.language.clauses import Clause, Sentence, sentences
from state.language.polarity import is_question
from state.language.table import listed, phrases
from state.language.tokens import masked


def disclosures(field: Field, text: str, context: Context) -> Iterator[tuple[int, int]]:
    """Where the text discloses. Doubt does not make a disclosure less of one; a denial, a condition or a question does."""
    for sentence in sentences(masked(text), context.language):
        if not sentence.asks:
            yield from _in_sentence(field, sentence, context)


def _in_sentence(field: Field, sentence: Sentence, context: Context) -> Iterator[tuple[int, int]]:
    telling = phrases(field.disclosure, context.language)
    for clause in sentence.clauses:
        for first, after, _ in telling.spans(clause):
            if not is_question(clause[:after], context.language) and not _is_denied(clause[:first], context):
                yield clause[first].start, clause[after - 1].end


def _is_denied(before: Clause, context: Context) -> bool:
    return listed(context.language, "negators", "conditions", "rejected").holds(before)
