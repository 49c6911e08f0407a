"""Nothing left unexplained: the words of a line beside an operation, its arguments and plain fillers.

No list says what narrows, denies or doubts: what is not explained stops what would only tell, and makes a click of what would write.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter

from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.naming import Spans
from state.form import Field, Form
from state.form.field import Data
from state.form.schema import Operation
from state.language import LANGUAGES, Language
from state.language.table import Table, phrases
from state.language.tokens import masked, tokens
from state.understanding.arguments import places, said
from state.understanding.wishes import names_of


def left_over(form: Form, operation: Operation, given: Mapping[str, Data], text: str, context: Context) -> str:
    """Return the words of a line that nothing explains, from the first to the last of them."""
    clean, spans = masked(text), []
    for name, data in given.items():
        field = operation.fields[name]
        found = (*places(operation, field, data, clean, context), *_ranges(field, clean, context))
        own = said(clean, str(data)) if kind_of(field).verbatim else []
        spans += own or [(r.start, r.end) for r in found if r.data == data]
    row, taken = tokens(clean, context.language), Spans(spans)
    known = explained(form, operation, context.language)
    covered = {i for first, after, _ in known.spans(row) for i in range(first, after)}
    left = [t for i, t in enumerate(row) if i not in covered and not taken.hits(t.start, t.end)]
    return text[left[0].start : left[-1].end] if left else ""


def explained(form: Form, operation: Operation, language: Language, *entries: str) -> Table[str]:
    """Return the words that say nothing beside an operation: its own, the form's names, those of its fields, fillers, further entries."""
    fields = (w for f in operation.fields.values() for w in (f.label, *f.words))
    return _known((*names_of(form), *operation.words, *fields), language, entries)


def said_ranges(operation: Operation, text: str, context: Context) -> Mapping[str, Data]:
    """Return the one range that a line says for each field whose days lie on one side of today, in whichever language."""
    found = {f.name: {r.data for r in _ranges(f, text, context)} for f in operation.fields.values()}
    return {name: next(iter(some)) for name, some in found.items() if len(some) == 1}


def wrong_days(operation: Operation, text: str, context: Context) -> Iterator[tuple[Field, str]]:
    """Yield the days that a line says for a field and that lie on the wrong side of today, with their words."""
    for field in (f for f in operation.fields.values() if f.lies and kind_of(f).on_day):
        anyhow = kind_of(field).find(field.model_copy(update={"lies": ""}), text, replace(context, lies=""))
        if not kind_of(field).find(field, text, context):
            yield from ((field, text[r.start : r.end]) for r in anyhow if context.facing(field).is_wrong(str(r.data)))


def _ranges(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return what a field for a stretch of days finds in the form's language, else in another: people write in theirs."""
    if not field.lies or kind_of(field).on_day:
        return ()
    spoken = (context, *(replace(context, locale=language.example) for language in LANGUAGES.values()))
    return next((found for other in spoken if (found := kind_of(field).find(field, text, other))), ())


@cache
def _known(own: tuple[str, ...], language: Language, entries: tuple[str, ...]) -> Table[str]:
    return phrases(
        (*own, *(w for entry in ("orders.fillers", "small", "polite", *entries) for w in attrgetter(entry)(language))),
        language,
    )
