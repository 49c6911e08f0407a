"""When a whole message is the open text that was asked for, and when it is something else."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from state.fields import kind_of
from state.fields.base import Context
from state.fields.text import asks_name, bared, is_few_words
from state.fields.values.days import days
from state.fields.values.hours import hours
from state.fields.values.spans import Spans
from state.fields.words.leading import asks_thing, is_title
from state.form import Field, Form
from state.language import Language
from state.language.clauses import sentences
from state.language.small_talk import introduced, reasoned, requests_something
from state.language.table import Table, joined, listed, phrases
from state.language.tokens import Token, masked, tokens, trimmed
from state.understanding.assignment import Assignment
from state.understanding.corrections import is_announced
from state.understanding.explanations import asks_plainly
from state.understanding.plain_answers import unjoined
from state.understanding.small_talk import no_answer

FEW = 2
"""Telling words beside other answers from which a message is the text that was asked for."""


def whole_text(
    asked: Field | None, form: Form, text: str, found: Sequence[Assignment], context: Context
) -> Assignment | None:
    """The message as the value of the asked text field; None where it asks, only says yes or no, or is about other fields.

    `found` is what the message gives to open fields; an answer to a yes/no question is never taken for the text.
    """
    if asked is None or not kind_of(asked).verbatim or _says_nothing(asked, text, context):
        return None
    if asked.short and (is_announced(text, context) or _is_soft(asked, text, context)):
        return None
    own = [t for t in found if t.field.name == asked.name]
    if own and _is_thing(asked, context) and not asked.short:
        return None
    others = [(t.start, t.end) for t in found if t.field.name != asked.name] + list(_answered(form, text, context))
    rest = _telling(text, Spans([*others, *((t.start, t.end) for t in own)]), asked, context)
    left = len(rest)
    enough = (left >= FEW and asked.grade) or (left and not others and not _is_apart(rest, own, text, context))
    if (own and others) or not enough or _answers_another(asked, form, text, context):
        return None
    start, end = _stretch(asked, text, context)
    if _is_thing(asked, context) and not _is_bare_name(text, start, end, context):
        return None
    return Assignment(asked, text[start:end], start, end, named=True)


def _is_soft(asked: Field, text: str, context: Context) -> bool:
    """Whether the message only leans to a short answer ("Renfo, I think"): it is put back."""
    kind = kind_of(asked)
    return kind.whole(asked, text, context) is None and kind.leans(asked, text, context) is not None


def _is_apart(rest: Sequence[Token], own: Sequence[Assignment], text: str, context: Context) -> bool:
    """Whether the answer that is led to stands in a sentence of its own, and what else is said in others ("ok back. call it Bulk invite")."""
    rows = [[t for c in s.clauses for t in c] for s in sentences(masked(text), context.language)]
    there = [row for row in rows if any(row[0].start < t.end and t.start <= row[-1].start for t in own)]
    return bool(there) and not any(row[0].start <= t.start <= row[-1].start for row in there for t in rest)


def _says_nothing(asked: Field, text: str, context: Context) -> bool:
    """Whether the message is no answer, or a person's name for a field that asks for none."""
    if no_answer(text, context) or (asks_plainly(text, context) and not reasoned(text, context.language)):
        return True
    if _is_thing(asked, context) and requests_something(text, context.language):
        return True
    return introduced(text, context.language) is not None and asked.short and not asks_name(asked, context.language)


def _is_thing(asked: Field, context: Context) -> bool:
    return asked.short or asks_thing(asked, context.language)


def _is_bare_name(text: str, start: int, end: int, context: Context) -> bool:
    """Whether the words are a name or a place and no sentence, description or figure: they can be nothing else."""
    said = text[start:end]
    figures = [*days(masked(said), context), *hours(masked(said), context)]
    return not figures and is_few_words(said, context) and is_title(said, context)


def _stretch(asked: Field, text: str, context: Context) -> tuple[int, int]:
    """The words of the answer, without what only leads to it."""
    led = None if asked.short else reasoned(text, context.language)
    apart = "," in text and asks_thing(asked, context.language)
    whole = trimmed(text[slice(*bared(text, context))] if apart else text)
    start = text.find(whole)
    return led or (start, start + len(whole))


def _answered(form: Form, text: str, context: Context) -> Iterator[tuple[int, int]]:
    """Where the message says yes or no to any field of the form by name."""
    for field in form.fields.values():
        if kind_of(field).polar:
            yield from ((r.start, r.end) for r in kind_of(field).find(field, text, context))


def _answers_another(asked: Field, form: Form, text: str, context: Context) -> bool:
    """Whether the whole message is a plain answer to some other field."""
    said = unjoined(text, context)
    others = (f for f in form.fields.values() if f != asked and not kind_of(f).verbatim)
    return any(kind_of(f).whole(f, said, context) is not None for f in others)


def _telling(text: str, taken: Spans, asked: Field, context: Context) -> list[Token]:
    """Words outside other answers that say something: no courtesy, no particle, no doubt alone, no bare number."""
    language = context.language
    row = tokens(masked(text), language)
    empty = _empty(asked.before, language)
    hollow = {i for first, after, _ in empty.spans(row) for i in range(first, after)}
    return [t for i, t in enumerate(row) if i not in hollow and not t.key.isdigit() and not taken.hits(t.start, t.end)]


@lru_cache(maxsize=64)
def _empty(before: tuple[str, ...], language: Language) -> Table[str]:
    """Words that tell nothing, those that lead to the asked answer among them."""
    small = ("filler", "polite", "yes", "no", "acknowledging", "doubts", "articles", "have", "subjects")
    return joined(listed(language, *small), phrases(before, language))
