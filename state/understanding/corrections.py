"""Corrections of answers that stand, and disclosures of a worse one."""

from collections.abc import Iterable, Iterator, Sequence

from state.draft.draft import Draft
from state.draft.scope import scope
from state.fields import kind_of
from state.fields.base import Context
from state.fields.words.naming import names
from state.form import Field, Form
from state.language.small_talk import idle_clauses
from state.language.table import listed, listed_widely, phrases
from state.language.tokens import Token, masked, tokens
from state.understanding.admissions import worse_told
from state.understanding.assignment import Assignment, takes
from state.understanding.explanations import is_asking
from state.understanding.plain_answers import stated
from state.understanding.search_terms import query

SHORT = 5
"""Words of the longest correction that is a name and no more ("no, Barclays instead")."""


def disclosed(form: Form, draft: Draft, text: str, context: Context) -> Iterator[Assignment]:
    """Worse answers, told for fields that hold a better one (`named`: for sure). Nothing that else is in the message takes them back."""
    for field in scope(form, draft).disclosable:
        told = next(worse_told(field, text, context, draft), None)
        if told and field.worse is not None and draft.values[field.name].data != field.worse:
            yield Assignment(field, field.worse, told.start, told.end, named=told.sure)


def corrections(
    form: Form, draft: Draft, text: str, open_fields: Sequence[Field], context: Context
) -> tuple[Assignment, ...]:
    """Answers that the text changes: named yes or no, or after words that announce a correction; one field for one value."""
    language = context.language
    row = tokens(masked(text), language)
    if is_asking(text, context):
        return ()
    announced = is_announced(text, context)
    names_open = {f.name for f in open_fields}
    filled = [f for f in scope(form, draft).correctable if not kind_of(f).searchable and f.name not in names_open]
    standing = {f.name: draft.values[f.name].data for f in filled}
    found = takes([*filled, *open_fields], text, draft.asked, context, standing)
    changed = [t for t in found if t.field.name in standing]
    wanted = [t for t in changed if t.named or not _is_shared(t, changed)]
    wanted = [t for t in wanted if announced or _speaks_for_itself(t, draft, text, row, context)]
    called = [t for t in wanted if names(t.field, context).holds(row)]
    best = tuple(called if called and _orders_change(row, context) else wanted)
    return best or (tuple(_looked_up(form, draft, text, row, context)) if announced else ())


def _is_shared(take: Assignment, others: Sequence[Assignment]) -> bool:
    """Return True if another field has a choice of the same name: the words do not say which answer they put right."""
    twins = (o for o in others if o.field != take.field and o.field.choices and take.field.choices)
    return any(o.start < take.end and take.start < o.end for o in twins)


def is_announced(text: str, context: Context) -> bool:
    """Whether the message says that something said before was not right."""
    row = tokens(masked(text), context.language)
    return listed_widely(context.language, "corrections.cues").holds(row) or says_no_first(row, context)


def announcing(text: str, context: Context) -> str:
    """The words at the beginning that say that something was not right, and small ones beside them; empty where none do."""
    row = tokens(masked(text), context.language)
    leads = listed_widely(context.language, "corrections.cues", "no", "polite", "filler", "small_talk.holds", "doubts")
    i = 0
    while i < len(row) and (hit := leads.at(row, i)):
        i += hit[0]
    return text[: row[i - 1].end] if i and is_announced(text, context) else ""


def put_right(asked: Field | None, draft: Draft, text: str, context: Context) -> Assignment | None:
    """ "no wait, 1,742": after words that announce it, the plain answer to the question for which another one is put back."""
    lead = announcing(text, context)
    if (
        asked is None
        or kind_of(asked).polar
        or not lead
        or not any(o.said and o.field == asked.name for o in draft.offers)
    ):
        return None
    rest = text[len(lead) :].lstrip(" ,:;–—-")
    data = kind_of(asked).whole(asked, rest, context) if rest else None
    return Assignment(asked, data, len(text) - len(rest), len(text), named=True) if data is not None else None


def _speaks_for_itself(take: Assignment, draft: Draft, text: str, row: Sequence[Token], context: Context) -> bool:
    """A value that needs no announcement: a named yes or no, a named value and nothing else, the old value put aside."""
    if kind_of(take.field).polar:
        return True
    told = stated(take.field, text, context) == take.data
    return told or _is_all_told(take, row, context) or _puts_aside(take.field, draft, row, context)


def _is_all_told(take: Assignment, row: Sequence[Token], context: Context) -> bool:
    """Whether a named value stands among small words alone ("oh and it's 250 shares")."""
    language = context.language
    own = listed(language, "filler", "conjunctions", "polite", "subjects", "be", "units", "have").rows
    beside = listed_widely(language, "small_talk.small").rows
    rest = (t.key for t in row if not take.start <= t.start < take.end)
    return take.named and all(key in own or key in beside or key == take.field.unit.casefold() for key in rest)


def _looked_up(form: Form, draft: Draft, text: str, row: Sequence[Token], context: Context) -> Iterator[Assignment]:
    """Another thing to look up: named after the field's own name, or alone after the announcement."""
    filled = [f for f in scope(form, draft).correctable if kind_of(f).searchable]
    if len(filled) != 1 or listed(context.language, "doubts").holds(row):
        return
    field, language = filled[0], context.language
    called = names(field, context).holds(row)
    told = _without(masked(text), idle_clauses(text, language), _put_aside(field, draft, text, row, context))
    if called or len(tokens(told, language)) <= SHORT:
        span = next((s for alone in (False, True) if (s := query(form, field, told, context, alone=alone))), None)
        if span is not None:
            yield Assignment(field, text[span[0] : span[1]], *span)


def _put_aside(
    field: Field, draft: Draft, text: str, row: Sequence[Token], context: Context
) -> Iterator[tuple[int, int]]:
    """Where the thing that stands is named to be put aside ("not Tesco")."""
    shown = draft.values[field.name].label or str(draft.values[field.name].data)
    name = {t.key for t in tokens(masked(shown), context.language)}
    for first, after, _ in listed(context.language, "rejected").spans(row):
        end = after
        while end < len(row) and row[end].key in name:
            end += 1
        if end > after:
            yield row[first].start, row[end - 1].end


def _without(text: str, *stretches: Iterable[tuple[int, int]]) -> str:
    """The text with blanks where these stretches stand, so that places in it remain."""
    for start, end in (s for some in stretches for s in some):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def begins_with_no(text: str, context: Context) -> bool:
    """Whether the first word is a no, and not all of the message."""
    row = tokens(masked(text), context.language)
    hit = listed(context.language, "no").at(row, 0)
    return hit is not None and hit[0] < len(row)


def says_no_first(row: Sequence[Token], context: Context) -> bool:
    """ "no, sell": a refusal of what stands, then the new value."""
    hit = listed(context.language, "no").at(row, 0)
    return hit is not None and hit[0] < len(row) and row[hit[0]].stop > 0


def _puts_aside(field: Field, draft: Draft, row: Sequence[Token], context: Context) -> bool:
    """ "EUR, not GBP": the value that stands is named and rejected."""
    shown = kind_of(field).show(field, draft.values[field.name].data, context)
    rejected = tuple(f"{word} {shown}" for word in context.language.rejected)
    return phrases(rejected, context.language).holds(row)


def _orders_change(row: Sequence[Token], context: Context) -> bool:
    return listed_widely(context.language, "corrections.changes").holds(row)
