"""Which field takes which reading: one value for one field, one field for one stretch of text, nothing where that is not clear."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from state.draft.draft import Data
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.values.reach import place
from state.fields.values.spans import Spans
from state.fields.words.naming import is_named
from state.form import Field, Form
from state.language.clauses import sentences
from state.language.table import listed, listed_widely
from state.language.tokens import Token, masked, tokens
from state.understanding.repairs import repaired


@dataclass(frozen=True)
class Assignment:
    """A field, the value that the words from `start` to `end` give it, and whether they name it."""

    field: Field
    data: Data
    start: int
    end: int
    named: bool = False


def takes(
    fields: Iterable[Field], text: str, asked: str, context: Context, standing: Mapping[str, Data] | None = None
) -> tuple[Assignment, ...]:
    """What each field takes from the text, in the fields' order: named readings first, then bare ones on words that are left.

    `standing`: values that are no news for their fields.
    """
    doubtful, old = Spans(_uncertain(text, context)), standing or {}
    read = repaired([(f, _readings(f, text, doubtful, context)) for f in fields], text, context)
    news = [(f, [r for r in some if f.name not in old or r.data != old[f.name]]) for f, some in read]
    found = {f.name: (f, [r for r in some if not _within_text(f, r, news)]) for f, some in news}
    named = [(f, _by_own_name(f, [r for r in some if r.named], text, context)) for f, some in found.values()]
    first = _settle(text, asked, named, context)
    claimed = _claimed(named)
    bare = [
        (f, [r for r in some if not claimed[family(f)].hits(r.start, r.end)])
        for f, some in found.values()
        if not any(r.named for r in some)
    ]
    by_name = {t.field.name: t for t in (*first, *_settle(text, asked, bare, context))}
    return tuple(by_name[name] for name in found if name in by_name)


def _within_text(field: Field, reading: Candidate, news: list[tuple[Field, list[Candidate]]]) -> bool:
    """Whether a value is only a word of a longer text: "because I am spreading my pension" names no account."""
    texts = (r for f, some in news if kind_of(f).verbatim and f != field for r in some if r.named)
    longer = (r for r in texts if r.end - r.start > reading.end - reading.start)
    return not kind_of(field).declaration and any(r.start <= reading.start and reading.end <= r.end for r in longer)


def family(field: Field) -> str:
    """What readings of this field compete with."""
    return kind_of(field).family


def _readings(field: Field, text: str, doubtful: Spans, context: Context) -> list[Candidate]:
    kind = kind_of(field)
    return [r for r in kind.find(field, text, context) if kind.declaration or not doubtful.hits(r.start, r.end)]


def _by_own_name(field: Field, readings: list[Candidate], text: str, context: Context) -> list[Candidate]:
    """Those beside the field's own name, where there are any: of two sums, each goes to the field that it is named for."""
    row = tokens(masked(text), context.language)
    own = [r for r in readings if is_named(field, row, place(row, r.start), place(row, r.end), context)]
    return own or readings


def _claimed(offers: list[tuple[Field, list[Candidate]]]) -> dict[str, Spans]:
    families: dict[str, list[tuple[int, int]]] = {}
    for field, readings in offers:
        families.setdefault(family(field), []).extend((r.start, r.end) for r in readings)
    return {name: Spans(spans) for name, spans in families.items()}


def _uncertain(text: str, context: Context) -> Iterator[tuple[int, int]]:
    """Clauses that doubt or suppose, and sentences that ask about something rather than for it, or about the world beside the form."""
    language = context.language
    doubts = listed(language, "doubts", "conditions")
    for sentence in sentences(masked(text), language):
        row = [t for clause in sentence.clauses for t in clause]
        if (sentence.asks and asks_about(row, context)) or listed(language, "cues.elsewhere").holds(row):
            yield row[0].start, row[-1].end
        yield from ((c[0].start, c[-1].end) for c in sentence.clauses if doubts.holds(c))


def asks_about(row: list[Token], context: Context) -> bool:
    """Whether a sentence with a question mark asks about something: "can you book the 5th?" asks for it."""
    return listed(context.language, "question_words").holds(_without_request(row, context))


def _without_request(row: list[Token], context: Context) -> list[Token]:
    """Without words that ask for something to be done."""
    leads = listed_widely(context.language, "commands.leads", "cues.proposing")
    asked_for = {i for first, after, _ in leads.spans(row) for i in range(first, after)}
    return [t for i, t in enumerate(row) if i not in asked_for]


def is_clear(take: Assignment, asked: Field | None, form: Form) -> bool:
    """Return True if words give a field its value unasked: they name it, look like nothing else, or count the thing that was asked for.

    A bare number never looks like nothing else, a day or a time where the form has one field for it.
    """
    kind = kind_of(take.field)
    if asked is None or take.named or take.field == asked or kind.measure is None:
        return True
    counts = kind.leads_to_name and kind_of(asked).searchable
    return counts or (not kind.kin and [family(f) for f in form.fields.values()].count(family(take.field)) == 1)


def compete(one: Assignment, other: Assignment) -> bool:
    """Whether two takes read the same words as the same sort of value."""
    return family(one.field) == family(other.field) and one.start < other.end and other.start < one.end


def _settle(text: str, asked: str, offers: list[tuple[Field, list[Candidate]]], context: Context) -> list[Assignment]:
    """Each field's one value, where no other field of its family has a claim as good on the same words."""
    single = [
        Assignment(f, r[0].data, r[0].start, r[0].end, r[0].named) for f, r in offers if len({x.data for x in r}) == 1
    ]
    wanted = [Assignment(f, r.data, r.start, r.end) for f, some in offers for r in some]
    return [
        t for t in single if _wins(t, [w for w in wanted if w.field != t.field and compete(t, w)], text, asked, context)
    ]


def _wins(take: Assignment, others: list[Assignment], text: str, asked: str, context: Context) -> bool:
    if not others:
        return True
    row = tokens(masked(text), context.language)
    first, after = place(row, take.start), place(row, take.end)
    called = {f.name for f in (take.field, *(o.field for o in others)) if is_named(f, row, first, after, context)}
    return called == {take.field.name} or (not called and asked == take.field.name)
