"""Verify, don't interpret: judge a proposed value by the person's own words. One rule, whoever proposes.

*Taken*: the field's own parser gets the value from the quoted words, these are unspent, the field was asked or its name or mark stands
beside them, and nothing around them is left unexplained. *Put back*: anything else that has support, for one click of the person's.
*Refused*: no support, contradicted, spent. No list says what negates, hedges, excludes or compares: what is not explained is not taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from state.draft.draft import ChatLine, Draft
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.disclosing import disclosures, tells
from state.fields.naming import Spans, is_denied, is_of_each, names, nouns, place
from state.fields.text import looks_like_name, unframed
from state.fields.values.numerals import counted, spoken
from state.form import Field, Form
from state.form.field import Data
from state.language import Language
from state.language.table import Clause, Table, all_of, listed, listed_everywhere, phrases, sentences, words_of
from state.language.tokens import asks, keys_of, masked, tokens
from state.understanding.corrections import begins_with_correction, names_of
from state.understanding.evidence import as_written, asked_then, bursts, fresh_lines, holds_quote, normalized, place_of
from state.understanding.plain_answers import is_of_another_time, opens_another, read_whole, tells_another, tells_others

Span = tuple[int, int]
FEW = 12
"""Words of the longest answer in which a reader may see a choice that no parser does."""

LIMITS = re.compile(r"[~≈∼<>≤≥±+]")
SHORT = 3
"""Letters of a word that may stand anywhere."""


class End(StrEnum):
    """The verdict on a proposed value."""

    TAKEN = "taken"
    PUT_BACK = "put back"
    REFUSED = "refused"


@dataclass(frozen=True)
class Quotation:
    """The claim that `quote`, in a line of the person's, says `data` of a field. `beside`: values of the same reply for other fields."""

    form: Form
    draft: Draft
    field: Field
    data: Data
    quote: str
    line: ChatLine
    context: Context
    beside: Mapping[str, Data]
    correcting: bool = False

    @property
    def asked(self) -> str:
        """Return the field that was asked when the line was typed."""
        return asked_then(self.line, self.draft)

    @cached_property
    def is_asked(self) -> bool:
        """Return True if the line was typed to this field's own question and is read now for the first time."""
        fresh = {line.message for line in (*fresh_lines(self.draft), *bursts(self.draft))}
        return self.line.message in fresh and not self.line.before and self.asked == self.field.name

    @cached_property
    def plain(self) -> Data | None:
        """Return the whole line's plain answer to this field's own question; None where it says anything else."""
        data = read_whole(self.field, self.line.text, self.context) if self.is_asked else None
        open_ = kind_of(self.field).verbatim and data not in self.field.known
        return (
            None
            if open_
            and (self.belongs_elsewhere or self._is_vague or self._speaks_of_another() or self._may_be_anothers)
            else data
        )

    @cached_property
    def belongs_elsewhere(self) -> bool:
        """Return True if the line begins as the answer to another question alone does, or tells values of other fields and nothing else."""
        form, draft, text = self.form, self.draft, self.line.text
        other = opens_another(form, draft, self.asked, text, self.context) is not None
        return other or tells_others(form, draft, form.fields.get(self.asked), text, self.context)

    @property
    def is_whole_text(self) -> bool:
        """Return True if the text is the whole line, but for a cue of the field's before it, said to its own question and fit for it."""
        text, given = self.line.text.strip(" .!"), normalized(str(self.data)).strip(" .!")
        row = tokens(masked(text), self.context.language)
        cue = phrases(self.field.before, self.context.language).at(row, 0)
        behind = text[row[cue[0]].start :] if cue and len(row) > cue[0] else text
        whole = self.is_asked and given in (normalized(text), normalized(behind))
        like = not self.field.short or (
            not self._is_vague and looks_like_name(text) and unframed(text, self.context) == text
        )
        return whole and like and not asks(text) and not (self._speaks_of_another() or self._may_be_anothers)

    @property
    def _is_vague(self) -> bool:
        """Return True if a name was asked for, and the line begins with a word for no one in particular, names two, or is one of the language's own
        ("something Persian", "Quillbrook or Loomcraft", "Siguiente")."""
        row, language = tokens(masked(self.line.text), self.context.language), self.context.language
        either = listed(language, "or_words").holds(row[1:-1]) or (len(row) == 1 and row[0].key in words_of(language))
        return self.field.short and (either or listed(language, "vague").at(row, 0) is not None)

    @cached_property
    def _may_be_anothers(self) -> bool:
        """Return True if the line alone tells what another field lacks, where many words were asked for: only the person can say which it is."""
        long = kind_of(self.field).verbatim and not self.field.short
        return long and tells_another(self.form, self.draft, self.field.name, self.line.text, self.context)

    @property
    def is_another_answer(self) -> bool:
        """Return True if the text is the whole line, and another open text was asked for: it answers that, unless it names this one."""
        asked = self.form.fields.get(self.asked)
        whole = normalized(str(self.data)).strip(" .!") == normalized(self.line.text).strip(" .!")
        row = tokens(masked(self.line.text), self.context.language)
        other = (
            asked is not None
            and asked != self.field
            and asked.name not in self.draft.values
            and kind_of(asked).verbatim
        )
        return bool(other) and whole and not self.belongs_elsewhere and not names(self.field, self.context).holds(row)

    @property
    def is_another_name(self) -> bool:
        """Return True if it is the whole answer to a question for a name, which may as well be this field's."""
        return self.is_another_answer and self.form.fields[self.asked].short

    @cached_property
    def readings(self) -> tuple[Candidate, ...]:
        """Return the places where the field's parser gets this very value from the quoted words."""
        at = place_of(self.line.text, self.quote)
        found = [r for r in kind_of(self.field).find(self.field, self.line.text, self.context) if r.data == self.data]
        within = tuple(r for r in found if at is None or (at[0] <= r.start and r.end <= at[1]))
        return within or tuple(found)

    @property
    def own_words(self) -> str:
        """Return the text in the person's own words, however a model copied it."""
        return as_written(self.line.text, str(self.data)) or self.line.text.strip()

    @cached_property
    def spent(self) -> Spans:
        """Return the words of the line that have set other fields; they say nothing of this one any more."""
        return Spans(
            span for name, data in self._held.items() if (f := self._other(name)) for span in self._spans(f, data)
        )

    @property
    def is_spent(self) -> bool:
        """Return True if every place that says the value has set another field."""
        return bool(self.places) and all(self.spent.hits(*span) for span in self.places)

    @property
    def is_looked_up(self) -> bool:
        """Return True if the same reply looks the very words up for another field."""
        others = ((self.form.fields.get(name), data) for name, data in self.beside.items() if name != self.field.name)
        return any(f and kind_of(f).searchable and normalized(str(d)) == normalized(str(self.data)) for f, d in others)

    @cached_property
    def places(self) -> tuple[Span, ...]:
        """Return the places where the line says the value."""
        return self._spans(self.field, self.data) or tuple(s for s in [place_of(self.line.text, self.quote)] if s)

    @cached_property
    def is_explained(self) -> bool:
        """Return True if the field was asked or is named where the value stands, and no word there is left over."""
        scope = [clause for place in self.places for clause in self._around(place)]
        own, single = names(self.field, self.context), nouns(self.field, self.context.language)
        called = any(own.holds(clause) or any(t.key in single for t in clause) for clause in scope)
        meant = self.is_asked or any(r.named for r in self.readings) or called
        rough = any(r.rough for r in self.readings)
        left = rough or self._is_limited or self._has_rival or any(self._left(clause) for clause in scope)
        return bool(scope and (meant or self._looks_like_no_other)) and not left

    @property
    def _is_limited(self) -> bool:
        """Return True if a sign makes a limit or an estimate of the value ("> 200"), or an article behind it a price of each ("3.60 a share")."""
        row = tokens(masked(self.line.text), self.context.language)
        each = listed(self.context.language, "one_article").rows
        behind = (t for _, end in self.places for t in row[place(row, end) : place(row, end) + 2])
        return bool(LIMITS.search(self.line.text)) or any(t.key in each for t in behind)

    @property
    def _has_rival(self) -> bool:
        """Return True if the line says another value that could be this field's ("70 shares... no wait, 75")."""
        found = kind_of(self.field).find(self.field, self.line.text, self.context)
        return any(r.data != self.data and not self._explained.hits(r.start, r.end) for r in found)

    @property
    def _looks_like_no_other(self) -> bool:
        """Return True if no other field of the form takes a value of this shape: a day is a cue by itself, a number is not."""
        kind, text = kind_of(self.field), self.line.text
        others = [f for f in self.form.fields.values() if f != self.field]
        if self.field.choices:
            choosing = (f for f in others if f.choices)
            return not any(
                r.start < b and a < r.end
                for f in choosing
                for r in kind_of(f).find(f, text, self.context)
                for a, b in self.places
            )
        return not kind.kin and all(kind_of(f).family != kind.family for f in others)

    @property
    def _held(self) -> Mapping[str, Data]:
        """Return the values that the line has set by now."""
        values, message = self.draft.values, self.line.message
        return {n: v.data for n, v in values.items() if message and v.provenance.message == message}

    def _speaks_of_another(self) -> bool:
        """Return True if the line corrects something or names another field, so that only the person can say that it answers this one."""
        return begins_with_correction(self.line.text, self.context) or self._names_another()

    def _names_another(self) -> bool:
        """Return True if the line speaks of another field: of a few words any mention of its name does, of more a name and "is" behind it."""
        row = tokens(masked(self.line.text), self.context.language)
        others = (f for n, f in self.form.fields.items() if n != self.field.name)
        spans = (span for f in others for span in names(f, self.context).spans(row))
        being = phrases(self.context.language.naming[:1], self.context.language)
        return any(self.field.short or being.at(row, after) is not None for _, after, _ in spans)

    def _other(self, name: str) -> Field | None:
        """Return another field, unless both read the same words: an amount and its currency, a statement and a fact within it."""
        field = self.form.fields.get(name)
        if field is None or name == self.field.name or kind_of(field).polar:
            return None
        halves = {kind_of(field).money, kind_of(self.field).money}
        return None if halves == {"amount", "currency"} or (kind_of(field).verbatim and not field.short) else field

    def _spans(self, field: Field, data: Data) -> tuple[Span, ...]:
        if kind_of(field).verbatim or kind_of(field).searchable:
            at = place_of(self.line.text, str(data))
            return (at,) if at else ()
        found = kind_of(field).find(field, self.line.text, self.context)
        return tuple((r.start, r.end) for r in found if r.data == data)

    @cached_property
    def _explained(self) -> Spans:
        """Return the places of all values of this reply that their fields' parsers read, or the words hold."""
        told = {**self._held, **self.beside, self.field.name: self.data}
        fields = ((self.form.fields.get(name), data) for name, data in told.items())
        return Spans(span for f, data in fields if f for span in self._spans(f, data))

    def _around(self, place: Span) -> Iterator[Clause]:
        """Yield the clause in which a value stands, and those beside it in its sentence that say nothing that is known."""
        for sentence in sentences(masked(self.line.text), self.context.language):
            if not sentence.clauses or not (sentence.clauses[0][0].start <= place[0] < sentence.clauses[-1][-1].end):
                continue
            for clause in sentence.clauses if not sentence.asks else ():
                start, end = clause[0].start, clause[-1].end
                if start <= place[0] < end or not self._explained.hits(start, end):
                    yield clause

    def _left(self, clause: Clause) -> bool:
        known = _known(self._told_fields, self.form.title, self.context, self.correcting)
        covered = {i for first, after, _ in known.spans(clause) for i in range(first, after)}
        return any(i not in covered and not self._explained.hits(t.start, t.end) for i, t in enumerate(clause))

    @cached_property
    def _told_fields(self) -> tuple[Field, ...]:
        told = (*self._held, *self.beside, self.field.name)
        return tuple(f for n in dict.fromkeys(told) if (f := self.form.fields.get(n)))


def verdict(said: Quotation) -> End:
    """Decide if a proposed value is taken, put back or refused."""
    kind = kind_of(said.field)
    if kind.searchable:
        return End.TAKEN if holds_quote(said.quote, str(said.data)) or said.readings else End.REFUSED
    if said.plain is not None and (kind.closed or said.plain == said.data):
        return End.REFUSED if said.plain != said.data else End.PUT_BACK if said.line.before else End.TAKEN
    if kind.verbatim and said.is_asked and said.belongs_elsewhere:
        return End.REFUSED
    if said.is_spent or not _is_supported(said):
        return End.REFUSED
    if kind.verbatim and said.is_whole_text:
        return End.TAKEN
    another_time = is_of_another_time(said.field, said.line.text, said.context)
    by_itself = kind.grounding == "reading" and not said.line.before and not another_time
    return End.TAKEN if by_itself and said.readings and said.is_explained else End.PUT_BACK


def _is_supported(said: Quotation) -> bool:
    """Return True if the person could have meant this: the parser reads it, the words hold it, or a figure that it cannot read."""
    kind = kind_of(said.field)
    if kind.grounding == "words":
        if said.is_another_answer:
            return False
        near = place_of(said.line.text, str(said.data)) or (
            said.is_asked and as_written(said.line.text, str(said.data))
        )
        return bool(near) and not _is_small(str(said.data), said.context) and not said.is_looked_up
    if kind.grounding == "answer":
        return _is_answered(said)
    if _is_asked_ones(said):
        return False
    if said.readings or _is_small(said.quote, said.context):
        return bool(said.readings)
    if said.field.choices:
        if not kind.several and kind.find(said.field, said.quote, said.context):
            return False
        few = len(said.line.text.split()) <= FEW or _names_all_listed(said)
        return (said.is_asked and few) or _shares_word(said)
    others = {r.data for r in kind.find(said.field, said.quote, said.context)}
    figure = any(c.isdigit() for c in said.quote) or bool(spoken(said.quote, said.context.language))
    text, figures = said.line.text, counted(said.line.text, said.context)
    each = [format(n.value, ".2f") for n in figures if is_of_each(said.field, text, n.start, n.end, said.context)]
    return figure and kind.money != "currency" and str(said.data) not in each and (not others or not kind.kin)


def _is_answered(said: Quotation) -> bool:
    """Return True if the words may give this yes or no: what they begin with, or what they speak of."""
    own, first = names(said.field, said.context), first_word(said.line.text, said.context)
    if said.data == said.field.worse and any(
        disclosures(said.field, said.quote, said.context, names_of(said.draft, said.context))
    ):
        return True
    row = tokens(masked(said.quote), said.context.language)
    if (thing := tells(row, said.field, said.context.language)) is not None:
        return thing[0] is said.data
    if first is not None and said.is_asked and first is not said.data:
        return False
    corrects = begins_with_correction(said.line.text, said.context)
    polar = listed(said.context.language, "yes", "no", "negators")
    return own.holds(row) or (said.is_asked and (not corrects or polar.holds(row)))


def first_word(text: str, context: Context) -> bool | None:
    """Return the yes or no with which a line begins."""
    row, language = tokens(masked(text), context.language), context.language
    lists = listed_everywhere if row and len(row[0].key) > 1 else listed  # a letter is one only in the form's language
    yes, no = ((lists(language, entry).at(row, 0) or (0,))[0] for entry in ("yes", "no"))
    return yes > no if yes or no else None


def _is_asked_ones(said: Quotation) -> bool:
    """Return True if a bare figure was said to another question that a figure answers: then it is that one's."""
    asked = said.form.fields.get(said.asked)
    if asked is None or asked == said.field or not kind_of(said.field).kin or any(r.named for r in said.readings):
        return False
    row, single = tokens(masked(said.line.text), said.context.language), nouns(said.field, said.context.language)
    called = names(said.field, said.context).holds(row) or any(t.key in single for t in row)
    same = kind_of(asked).family == kind_of(said.field).family
    return same and not called and bool(kind_of(asked).find(asked, said.line.text, said.context))


def _names_all_listed(said: Quotation) -> bool:
    """Return True if the words name every one of several choices but the one that stands for what is not listed."""
    chosen = {*said.data} if isinstance(said.data, tuple) else set()
    found = kind_of(said.field).find(said.field, said.line.text, said.context)
    told = {one for r in found for one in (r.data if isinstance(r.data, tuple) else ())}
    return bool(told) and told <= chosen and all(c.told_in for c in said.field.choices if c.value in chosen - told)


def _shares_word(said: Quotation) -> bool:
    """Return True if a word of the choice's label, of four letters or more, stands in the quote."""
    choice, language = said.field.choice(said.data), said.context.language
    label = {key for key in keys_of(choice.label, language) if len(key) > SHORT} if choice else set()
    return any(t.key in label for t in tokens(masked(said.quote), language))


def _is_small(text: str, context: Context) -> bool:
    return all_of(tokens(masked(text), context.language), listed(context.language, "small", "polite", "yes", "no"))


@lru_cache(maxsize=256)
def _known(fields: tuple[Field, ...], title: str, context: Context, correcting: bool) -> Table[str]:
    """Return words that need no explanation: the language's small ones, and the names of the form and of the fields here."""
    language: Language = context.language
    cues = (
        (*language.corrections.cues, *language.corrections.changes, *language.no, *language.adding, *language.also)
        if correcting
        else ()
    )
    own = {w for f in fields for w in (f.label, *f.words, *f.before, *nouns(f, language), *f.label.split())}
    beside = (w for f in fields for entry in kind_of(f).beside for w in getattr(language, entry))
    return phrases((*language.small, *language.polite, *language.yes, *beside, *cues, *own, *title.split()), language)


def alternatives(said: Quotation, others: Iterable[Field] = ()) -> tuple[Data, ...]:
    """Return the values of this kind that the line holds, in order, but those that `others` name: of several, the person says which is meant.

    What stands in a reason ("because I'm buying a car") is none beside a value outside it.
    """
    text, context = line = said.line.text, said.context
    row, found = tokens(masked(text), context.language), kind_of(said.field).find(said.field, *line)
    theirs = Spans((r.start, r.end) for f in others if f != said.field for r in kind_of(f).find(f, *line) if r.named)
    free = [r for r in found if r.named or not theirs.hits(r.start, r.end)]
    named = [r for r in free if r.named and said.field.unit and said.asked != said.field.name]
    free = named or free  # "250, for 36 months": 250 is no term
    meant = [r for r in free if not is_denied(row, r.start, r.end, context.language)]
    leads = [w for f in said.form.fields.values() if f != said.field and not f.short for w in f.before]
    cue = next((row[first].start for first, *_ in phrases(leads, context.language).spans(row)), len(text))
    reason = text[cue:].partition("\n")[0]
    outside = [r for r in meant if not cue <= r.start < cue + len(reason)]
    return tuple(dict.fromkeys(r.data for r in sorted(outside or meant, key=lambda r: r.start)))


def document_bears(field: Field, data: Data, quote: str, text: str, context: Context) -> bool:
    """Return True if a quote from a document's text yields a value."""
    kind = kind_of(field)
    if kind.grounding == "words":
        return holds_quote(text, str(data))
    read = {r.data for r in kind.find(field, quote, context)} | {kind.whole(field, quote, context)}
    return kind.grounding == "reading" and data in read
