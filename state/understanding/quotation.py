"""A quotation: that words of a line of the person's say a value. Where the line says it, and which of its words are spent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from state.draft.draft import ChatLine, Data, Draft, Value
from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.spans import Spans
from state.form import Field, Form
from state.understanding.evidence import as_written, bursts, fresh_lines, place_of

Span = tuple[int, int]


@dataclass(frozen=True)
class Quotation:
    """That `quote`, in a line of the person's, says `data` of a field."""

    form: Form
    draft: Draft
    field: Field
    data: Data
    quote: str
    line: ChatLine
    context: Context
    beside: tuple[str, ...] = ()
    """What the same call gives to other fields: what one leaves of a clause another may take ("Ada Lind": two names)."""

    @property
    def asked(self) -> str:
        """The field that was the question when the line was typed."""
        return self.draft.asked if self.line.asked is None else self.line.asked

    @property
    def is_asked(self) -> bool:
        """Whether the line was typed to this field's own question, and no reader has judged it before."""
        fresh = (*fresh_lines(self.draft), *bursts(self.draft))
        here = any(self.line == replace(line, text=self.line.text) for line in fresh)
        return here and self.asked == self.field.name

    @cached_property
    def quoted(self) -> Span | None:
        """Where the quote stands; None where case or signs differ."""
        return place_of(self.line.text, self.quote)

    @cached_property
    def places(self) -> tuple[Span, ...]:
        """Where the line says the value, within the quote where that can be told."""
        return _places(self.field, self.data, self.line.text, self.quoted, self.context)

    @property
    def own_words(self) -> str:
        """A text in the person's own words, however a model copied it: what the field reads in the line, its stretch, or all of it."""
        text = self.line.text
        if place_of(text, str(self.data)):
            return as_written(text, str(self.data))
        read = {str(r.data) for r in kind_of(self.field).find(self.field, text, self.context)}
        return read.pop() if len(read) == 1 else as_written(text, str(self.data)) or text.strip()

    @cached_property
    def spent(self) -> Spans:
        """The words of the line that have set other fields; they say nothing of this one any more."""
        values, message = self.draft.values, self.line.message
        held = ((self.form.fields.get(n), v) for n, v in values.items() if message and v.provenance.message == message)
        others = ((f, v) for f, v in held if f is not None and f.name != self.field.name and not _share(f, self.field))
        return Spans(span for f, v in others for span in _set_by(f, v, self.line.text, self.context))

    @property
    def is_spent(self) -> bool:
        """Whether every place that says the value has set another field."""
        return bool(self.places) and all(self.spent.hits(start, end) for start, end in self.places)


def _share(one: Field, other: Field) -> bool:
    """Whether two fields read the same words: an amount and its currency, or a statement and a fact that stands in it."""
    halves = {kind_of(one).money, kind_of(other).money}
    return halves == {"amount", "currency"} or (kind_of(one).verbatim and not one.short and not kind_of(other).verbatim)


def _set_by(field: Field, value: Value, text: str, context: Context) -> Iterator[Span]:
    """The words of a line that set a field. A yes or no is told by the name beside it, so that its words are nobody else's."""
    if not kind_of(field).polar:
        yield from _places(field, value.data, text, place_of(text, value.provenance.words), context)


def _places(field: Field, data: Data, text: str, quoted: Span | None, context: Context) -> tuple[Span, ...]:
    written = place_of(text, str(data)) if kind_of(field).verbatim else None
    if written:
        return (written,)
    found = [(r.start, r.end) for r in kind_of(field).find(field, text, context) if r.data == data]
    within = [(a, b) for a, b in found if quoted is None or (quoted[0] <= a and b <= quoted[1])]
    return tuple(within or found or ([quoted] if quoted else []))
