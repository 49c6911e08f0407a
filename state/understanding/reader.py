"""The rule-based reader: what open words propose without any model. Same calls as a model's, judged by the same guards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from state.draft.draft import Data, Draft
from state.draft.reply import Reply, ToolCall
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, PERSON, scope
from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.positions import position
from state.fields.values.reach import YEAR
from state.fields.values.spans import Spans
from state.fields.words.disclosing import disclosures
from state.fields.words.leading import asks_thing, led_names
from state.fields.words.naming import names
from state.form import Field, Form
from state.language.clauses import clauses, sentences
from state.language.small_talk import requests_something
from state.language.table import listed_widely
from state.language.tokens import masked, tokens
from state.understanding import search_terms
from state.understanding.acceptance import Stance, stance
from state.understanding.additions import additions
from state.understanding.assignment import Assignment, compete, family, is_clear, takes
from state.understanding.blanket import counting, without_blankets
from state.understanding.commands import read_command
from state.understanding.corrections import corrections, disclosed, is_announced, put_right
from state.understanding.explanations import is_asking, to_explain
from state.understanding.form_commands import read_form_command
from state.understanding.named_texts import named_texts
from state.understanding.operations import read_operations
from state.understanding.plain_answers import read_whole
from state.understanding.text_answers import whole_text


@dataclass(frozen=True)
class OpenMessage:
    """A message on its way: form, draft, text, and the tools that may set something."""

    form: Form
    draft: Draft
    text: str
    context: Context
    message: str = ""

    @cached_property
    def tools(self) -> Mapping[str, str]:
        """Field name to the tool that sets it now."""
        return {f.name: tool for tool, fields in scope(self.form, self.draft).setters.items() for f in fields}

    @cached_property
    def open_fields(self) -> list[Field]:
        """Fields that may be set now, in the form's order."""
        return [f for name, f in self.form.fields.items() if name in self.tools]

    @cached_property
    def row(self) -> tuple[Assignment, ...]:
        """Short texts that stand in the message each behind its name, those of answered fields included."""
        answered = [
            f for n, f in self.form.fields.items() if n in self.draft.values and n not in self.tools and f.short
        ]
        near = [f for f in answered if self.asked is None or set(f.stage) & set(self.asked.stage)]
        return named_texts([*self.open_fields, *near], self.text, self.context, self.asked)

    @property
    def asked(self) -> Field | None:
        """The field that was asked, if it may be set."""
        return self.form.fields.get(self.draft.asked) if self.draft.asked in self.tools else None


def read_open(form: Form, draft: Draft, text: str, message: str, context: Context) -> Reply:
    """What the words of one message (its id: `message`) propose; no calls where nothing is understood. Never two values for one field."""
    if read_command(text, context.locale) or read_form_command(form, text):
        return Reply(model="rules")
    if form.conversational:
        return read_operations(form, draft, text[:LONGEST], message, context)
    asked = form.fields.get(draft.asked)
    clean = without_blankets(text, counting(form, draft, asked, text))
    heard = OpenMessage(form, draft, clean[:LONGEST], context, message)
    told = tuple(disclosed(form, draft, heard.text, context))
    sure = any(take.named for take in told)
    found = [*_disclosures(heard, told), *_person(heard)]
    found += [] if found and (sure or not told) else list(_answers(heard))
    calls = tuple(ToolCall(f"rules-{message}-{i}", tool, arguments) for i, (tool, arguments) in enumerate(found, 1))
    return Reply(calls=calls, stop="calls" if calls else "end", model="rules")


def tells_others(form: Form, draft: Draft, text: str, context: Context) -> bool:
    """Return True if the message holds answers to other questions: then it is no single short text."""
    heard = OpenMessage(form, draft, text, context)
    whole = read_whole(heard.asked, text, context) if heard.asked else None
    told = [t for t in _found(heard) if t.field != heard.asked and not kind_of(t.field).polar]
    apart = [t for t in told if t.named or (is_clear(t, heard.asked, form) and _words(heard, t) != whole)]
    return bool(apart) or bool(heard.row)


LONGEST = 4000
"""Characters of a message that are read; no answer is longer, and what is stored for grounding is shorter."""
Proposal = tuple[str, dict[str, Data]]


def _disclosures(heard: OpenMessage, told: tuple[Assignment, ...]) -> Iterator[Proposal]:
    """Worse answers; what only may be one leaves the rest of the message to be read."""
    for take in told:
        yield DISCLOSE, {"field": take.field.name, "words": _words(heard, take)}


def _answers(heard: OpenMessage) -> Iterator[Proposal]:
    more = tuple(additions(heard.form, heard.draft, heard.text, heard.context))
    longer = [t.field.name for t in more]
    put_right = corrections(heard.form, heard.draft, heard.text, heard.open_fields, heard.context)
    changed = (
        *more,
        *(t for t in put_right if t.field.name not in longer),
        *(t for t in heard.row if t.field.name not in heard.tools and heard.draft.values[t.field.name].data != t.data),
    )
    for take in changed:
        yield CORRECT, {"field": take.field.name, "value": take.data, "words": _words(heard, take)}
    yield from _setters(heard, changed)
    field = to_explain(heard.form, heard.draft, heard.text, heard.context)
    if field is not None and not changed and not heard.form.conversational:
        yield EXPLAIN, {"field": field.name}


def _acceptances(heard: OpenMessage, taken: set[str]) -> Iterator[Proposal]:
    """What was offered just before and a clause of the message takes, for fields that it says nothing else about."""
    fields = [o.field for o in heard.draft.offers if o.heard]
    if not fields or stance(heard.text, heard.context.locale) is not Stance.ACCEPTS:
        return
    for offer in heard.draft.offers:
        one = fields.count(offer.field) == 1 and offer.heard == heard.message and not offer.said
        if one and offer.field in heard.tools and offer.field not in taken:
            yield heard.tools[offer.field], {offer.field: offer.data, "words": heard.text}


def _setters(heard: OpenMessage, before: tuple[Assignment, ...]) -> Iterator[Proposal]:
    found = [t for t in _found(heard) if not any(compete(t, other) for other in before)]
    righted = put_right(heard.asked, heard.draft, heard.text, heard.context)
    found = [*(t for t in found if t.field != righted.field), righted] if righted else found
    if is_announced(heard.text, heard.context):
        found = [t for t in found if t.named or t.field == heard.asked or not _may_correct(heard, t)]
    found += [] if before else _led(heard, found)
    found = _asked_first(heard, found)
    text = None if before or heard.row else whole_text(heard.asked, heard.form, heard.text, found, heard.context)
    if text is not None:
        found = [*(t for t in found if kind_of(t.field).polar), text]
    yield from _acceptances(heard, {t.field.name for t in (*before, *found)})
    for take in (*found, *_leanings(heard, (*before, *found))):
        yield heard.tools[take.field.name], {take.field.name: take.data, "words": _words(heard, take)}


def _asked_first(heard: OpenMessage, found: list[Assignment]) -> list[Assignment]:
    """Without bare figures for other fields that were said to the question: it leans to them, or asks for such a figure and got none.

    A year said to a question for a day is such a figure, and one behind a capital at a question for words ("Room 12").
    """
    asked = heard.asked
    if asked is None or asked in [t.field for t in found]:
        return found
    leant = Spans((t.start, t.end) for t in _leaning_to(heard, asked, Spans(())))
    kind = kind_of(asked)

    def is_its_own(take: Assignment) -> bool:
        year = kind.on_day and YEAR.fullmatch(_words(heard, take)) is not None
        in_name = (
            kind.verbatim
            and heard.text[: take.start].split()[-1:]
            and heard.text[: take.start].split()[-1][0].isupper()
        )
        return bool(in_name) or year or family(take.field) == family(asked) or leant.hits(take.start, take.end)

    return [t for t in found if is_clear(t, asked, heard.form) or not is_its_own(t)]


def _led(heard: OpenMessage, found: list[Assignment]) -> list[Assignment]:
    """The name or place that was asked for, where a small word leads to it ("I'm leaving from Leeds")."""
    asked, language = heard.asked, heard.context.language
    if asked is None or not kind_of(asked).verbatim or not asks_thing(asked, language):
        return []
    if asked in [t.field for t in found] or requests_something(heard.text, language):
        return []
    verbatim = [f for f in heard.form.fields.values() if kind_of(f).verbatim and f != asked]
    others = [f for f in verbatim if asks_thing(f, language)]
    spans = tuple(led_names(asked, others, heard.text, heard.context))
    return [Assignment(asked, heard.text[a:b], a, b, named=True) for a, b in spans] if len(spans) == 1 else []


def _leanings(heard: OpenMessage, found: tuple[Assignment, ...]) -> Iterator[Assignment]:
    """What the message, or a clause that names a field, may mean for a field that nothing was read for: to be put back."""
    asks = is_asking(heard.text, heard.context)
    aside = asks or is_announced(heard.text, heard.context)
    open_to = heard.asked is not None and (kind_of(heard.asked).polar or (heard.asked.short and not asks))
    if aside and (found or not open_to):
        return
    taken = {t.field.name for t in found}
    may_lean = [heard.asked] if aside and heard.asked else heard.open_fields
    for field in (f for f in may_lean if f.name not in taken and not kind_of(f).searchable):
        told = next(disclosures(field, heard.text, heard.context), None) if kind_of(field).polar else None
        if told and field.worse is not None:
            yield Assignment(field, field.worse, told.start, told.end)
        else:
            yield from islice(_leaning_to(heard, field, _told_of(field, found)), 1)


def _leaning_to(heard: OpenMessage, field: Field, spent: Spans) -> Iterator[Assignment]:
    """What the words that are not spent may mean for a field; of the one that was asked, else a clause that plainly answers it."""
    for start, end in _about(heard, field):
        data = _leaning(field, heard.text[start:end], heard.context)
        if data is not None and not spent.hits(start, end):
            yield Assignment(field, data, start, end)
    said = (
        c
        for s in sentences(masked(heard.text), heard.context.language)
        for c in s.clauses
        if field == heard.asked and not kind_of(field).polar and (spent.starts or not kind_of(field).verbatim)
    )
    for start, end in ((c[0].start, c[-1].end) for c in said):
        data = read_whole(field, heard.text[start:end], heard.context)
        if data is not None and not spent.hits(start, end):
            yield Assignment(field, data, start, end)


def _told_of(field: Field, found: tuple[Assignment, ...]) -> Spans:
    """Words that are spent for other fields; a sum and its currency may read the same ones."""
    money = kind_of(field).money
    return Spans((t.start, t.end) for t in found if not (money and kind_of(t.field).money))


def _about(heard: OpenMessage, field: Field) -> Iterator[tuple[int, int]]:
    """The clauses that name a field; of the one that was asked, the whole message."""
    if field == heard.asked:
        yield 0, len(heard.text)
    elif not kind_of(field).verbatim:
        called = names(field, heard.context)
        for clause in clauses(masked(heard.text), heard.context.language):
            if called.holds(clause):
                yield clause[0].start, clause[-1].end


def _leaning(field: Field, text: str, context: Context) -> Data | None:
    """What words lean to; of several values of the field's kind the first, since which one is meant is asked."""
    lean = kind_of(field).leans(field, text, context)
    if lean is not None or kind_of(field).verbatim:
        return lean
    found = sorted(kind_of(field).find(field, text, context), key=lambda r: r.start)
    return found[0].data if found else None


def _found(heard: OpenMessage) -> list[Assignment]:
    """Every open field's one value, look-ups by what the sentence names."""
    plain = [f for f in heard.open_fields if not kind_of(f).searchable]
    found = [
        t for t in takes(plain, heard.text, heard.draft.asked, heard.context) if t.named or not _only_a_place(heard, t)
    ]
    found = [t for t in found if t.named or not _repeats_another(heard, t)]
    several = [t for t in heard.row if t.field.name in heard.tools]
    found = [*(t for t in found if t.field not in [s.field for s in several]), *several]
    looked_up = [t for f in heard.open_fields if kind_of(f).searchable for t in _looked_up(heard, f)]
    said = Spans((t.start, t.end) for t in found if kind_of(t.field).declaration)
    looked_up = [t for t in looked_up if not said.hits(t.start, t.end)]
    return sorted((*found, *looked_up), key=lambda t: list(heard.form.fields).index(t.field.name))


def _repeats_another(heard: OpenMessage, take: Assignment) -> bool:
    """Whether an unasked choice may only speak of an answered field that has the same ("from my savings account")."""
    others = (f for n, f in heard.form.fields.items() if n in heard.draft.values and n not in heard.tools)
    same = any(
        kind_of(f).common_words and (heard.draft.values[f.name].data == take.data or f.choices == take.field.choices)
        for f in others
    )
    return kind_of(take.field).common_words and take.field != heard.asked and same


def _may_correct(heard: OpenMessage, take: Assignment) -> bool:
    """Whether a value of an answered field could be what the words put right."""
    return any(family(f) == family(take.field) for n, f in heard.form.fields.items() if n in heard.draft.values)


def _only_a_place(heard: OpenMessage, take: Assignment) -> bool:
    """A number alone picks from a list, unless it was a number that was asked."""
    alone = position(heard.text, 99, heard.context.language) is not None
    return alone and (heard.asked is None or family(heard.asked) != family(take.field))


def _looked_up(heard: OpenMessage, field: Field) -> Iterator[Assignment]:
    asked = field.name == heard.draft.asked and not is_asking(heard.text, heard.context)
    span = search_terms.query(heard.form, field, heard.text, heard.context, asked=asked)
    if span is not None:
        yield Assignment(field, heard.text[span[0] : span[1]], *span)


def _person(heard: OpenMessage) -> Iterator[Proposal]:
    row = tokens(masked(heard.text), heard.context.language)
    hit = next(listed_widely(heard.context.language, "commands.person").spans(row), None)
    if hit:
        yield PERSON, {"reason": heard.text[row[hit[0]].start : row[hit[1] - 1].end]}


def _words(heard: OpenMessage, take: Assignment) -> str:
    return heard.text[take.start : take.end]
