"""Corrections of answers that stand, and disclosures of a worse one."""

from collections.abc import Iterator, Sequence

from state.draft.draft import Draft
from state.draft.scope import scope
from state.fields.base import Context
from state.form import Form
from state.language.table import listed, listed_widely
from state.language.tokens import Token, masked, tokens
from state.understanding.admissions import worse_told
from state.understanding.assignment import Assignment


def disclosed(form: Form, draft: Draft, text: str, context: Context) -> Iterator[Assignment]:
    """Worse answers, told for fields that hold a better one (`named`: for sure). Nothing that else is in the message takes them back."""
    for field in scope(form, draft).disclosable:
        told = next(worse_told(field, text, context, draft), None)
        if told and field.worse is not None and draft.values[field.name].data != field.worse:
            yield Assignment(field, field.worse, told.start, told.end, named=told.sure)


def is_announced(text: str, context: Context) -> bool:
    """Return True if the message says that something said before was not right."""
    row = tokens(masked(text), context.language)
    return listed_widely(context.language, "corrections.cues").holds(row) or says_no_first(row, context)


def announcing(text: str, context: Context) -> str:
    """Return the words at the beginning that say that something was not right, and small ones beside them; empty where none do."""
    row = tokens(masked(text), context.language)
    leads = listed_widely(context.language, "corrections.cues", "no", "polite", "small", "small_talk.holds")
    i = 0
    while i < len(row) and (hit := leads.at(row, i)):
        i += hit[0]
    return text[: row[i - 1].end] if i and is_announced(text, context) else ""


def begins_with_correction(text: str, context: Context) -> bool:
    """Return True if the first words say that something said before was not right."""
    row = tokens(masked(text), context.language)
    return listed_widely(context.language, "corrections.cues").at(row, 0) is not None


def begins_with_no(text: str, context: Context) -> bool:
    """Return True if the first word is a no, and not all of the message."""
    row = tokens(masked(text), context.language)
    hit = listed(context.language, "no").at(row, 0)
    return hit is not None and hit[0] < len(row)


def says_no_first(row: Sequence[Token], context: Context) -> bool:
    """ "no, sell": a refusal of what stands, then the new value."""
    hit = listed(context.language, "no").at(row, 0)
    return hit is not None and hit[0] < len(row) and row[hit[0]].stop > 0
