"""Answers that words change: a further choice, another value by its field's name, words that announce it, or in the place of what they deny."""

from collections.abc import Iterator

from state.draft.scope import scope
from state.fields import kind_of
from state.fields.disclosing import disclosures, tells
from state.fields.naming import Spans, is_denied, names
from state.form import Field
from state.language.table import all_of, joined, listed, listed_everywhere, phrases
from state.understanding.commands import asks_change, without_leads
from state.understanding.corrections import Assignment, additions, adds_to, is_announced, names_of
from state.understanding.evidence import normalized, place_of
from state.understanding.message import MessageInContext
from state.understanding.things import FEW, left_of
from state.understanding.verification import first_word

SHORT, NEAR = 3, 2
"""Words of a name that does not begin with a capital, and those behind a denial within which a figure is what it denies."""


def changes(heard: MessageInContext) -> Iterator[Assignment]:
    """Yield answers that the words may change: a further choice of a list, or another value behind the field's name or words that announce it."""
    more = tuple(additions(heard.form, heard.draft, heard.text, heard.context))
    yield from more
    if heard.asking:
        return
    announced = is_announced(heard.text, heard.context) or heard.elsewhere or asks_change(heard.text, heard.context)
    filled = [f for f in scope(heard.form, heard.draft).correctable if f.name not in heard.tools]
    fit = [f for f in filled if kind_of(f).find(f, heard.text, heard.context)]
    for field in (f for f in filled if f not in [t.field for t in more] and not adds_to(f, heard.text, heard.context)):
        first = next((f for f in fit if kind_of(f).family == kind_of(field).family), None) == field
        yield from _change(heard, field, announced=announced, first=first)


def _behind_name(heard: MessageInContext, field: Field) -> Iterator[tuple[int, int]]:
    """Yield the words behind those that lead to a text, or behind its own name."""
    leading, own = phrases(field.before, heard.context.language), names(field, heard.context)
    for clause in heard.clauses:
        lead = next(leading.spans(clause), None) or next(own.spans(clause), None)
        span = left_of(heard, clause[lead[1] :], Spans(())) if lead else None
        if span is not None:
            yield span


JUDGED = ("review.right", "review.wrong", "review.beside", "small_talk.approvals", "small", "polite", "hesitating")
"""Words that say how an answer is, and give none."""


def _stated(heard: MessageInContext, field: Field) -> tuple[int, int] | None:
    """Return what the words say that the text is, by its name or beside the denial of what it was, where no question waits for a text
    ("the account is my SIPP", "reason: diversifying", "me llamo Marta, no Ana").
    """
    asked = kind_of(heard.asked) if heard.asked else None
    answers = asked and asked.polar and first_word(heard.text, heard.context) is not None  # "no, their firm is …"
    if heard.asking or answers or (asked is not None and asked.grounding == "words"):
        return None
    if (instead := _in_its_place(heard, field)) is not None:
        return instead
    language, own = heard.context.language, names(field, heard.context)
    leads = listed_everywhere(language, "corrections.cues", "polite", "hesitating", "small", "ties.own", "no")
    says = listed_everywhere(language, "orders.stating", "corrections.cues", "hesitating", "offers.pointing")
    for clause in heard.clauses:
        row = without_leads(clause, leads)
        led, called = phrases(field.before, language).at(row, 0), own.at(row, 0)
        rest = row[max(hit[0] for hit in (led, called) if hit) :] if led or called else ()
        told = without_leads(rest, joined(says, own) if led else says)
        if told and (led or len(told) < len(rest) or ":" in heard.text[rest[0].start - 2 : rest[0].start]):
            judged = listed_everywhere(language, *JUDGED)  # "the reason is fine"
            span = None if all_of(told, judged) else left_of(heard, tuple(told), Spans(()), field)
            capital = heard.text[told[0].start].isupper()  # "la calle es Calle del Olmo 6"
            whole = capital or (not field.short and len(told) > FEW)
            start = told[0].start if whole or span is None else span[0]
            return span and (start, span[1] if field.short else heard.row[-1].end)
    return None


def _in_its_place(heard: MessageInContext, field: Field) -> tuple[int, int] | None:
    """Return the one name or text in the words beside the denial of what it was ("me llamo Marta, no Ana", "SIPP not ISA")."""
    was = place_of(heard.text, str(heard.draft.values[field.name].data))
    whole = was is not None and {was[0], -was[1]} <= {n for t in heard.row for n in (t.start, -t.end)}
    before = [t for t in heard.row if was and whole and t.end <= was[0]]
    small, denials = (
        listed_everywhere(heard.context.language, *e) for e in (("small", "ties.own"), ("no", "negators"))
    )
    while before and not denials.at(before, len(before) - 1) and small.at(before, len(before) - 1):
        before.pop()
    if was is None or not before or not denials.at(before, len(before) - 1):
        return None
    but = listed_everywhere(heard.context.language, "but_words").spans(heard.row)  # "not ISA but SIPP"
    denied = Spans([(before[-1].start, was[1]), *((heard.row[a].start, heard.row[b - 1].end) for a, b, _ in but)])
    found = [s for c in heard.clauses if (s := left_of(heard, c, denied, field))]
    called = found and (heard.text[found[0][0]].isupper() or len(heard.text[slice(*found[0])].split()) <= SHORT)
    return found[0] if len(found) == 1 and (called or not field.short) else None


def _names_filled(heard: MessageInContext, field: Field) -> bool:
    """Return True if the words call another answered field by its name, and not this one."""
    filled = (f for f in scope(heard.form, heard.draft).correctable if f != field)
    own = names(field, heard.context).holds(heard.row)
    return not own and any(names(f, heard.context).holds(heard.row) for f in filled)


def _change(heard: MessageInContext, field: Field, *, announced: bool, first: bool) -> Iterator[Assignment]:
    standing, kind = heard.draft.values[field.name].data, kind_of(field)
    if kind.polar:
        told = named_answer(heard, field)
        yield from [told] if told and told.data != standing else ()
    elif kind.verbatim or kind.searchable:
        span = _stated(heard, field) or _announced(heard, field, announced=announced)
        yield from [Assignment(field, heard.text[slice(*span)], *span)] if span else ()
    else:
        yield from _figure(heard, field, announced=announced, first=first and not _names_filled(heard, field))


def _announced(heard: MessageInContext, field: Field, *, announced: bool) -> tuple[int, int] | None:
    """Return the words for a text that say that what was said of it was not right."""
    polar = heard.asked is not None and kind_of(heard.asked).polar
    if not announced or not (heard.elsewhere or is_announced(heard.text, heard.context, polar=polar)):
        return None
    known = [(r.start, r.end) for r in kind_of(field).find(field, heard.text, heard.context) if r.named]
    spans = known or [*_behind_name(heard, field)]
    named = not spans and names(field, heard.context).holds(heard.row)
    spans = spans or [s for c in heard.clauses if named and (s := left_of(heard, c, Spans(()), field))]
    amiss = listed_everywhere(heard.context.language, "review.wrong", "small")  # "the title is wrong"
    standing = normalized(str(heard.draft.values[field.name].data))
    said = [(a, b) for a, b in spans if not all_of([t for t in heard.row if a <= t.start < b], amiss)]
    return said[0] if len(spans) == len(said) == 1 and normalized(heard.text[slice(*said[0])]) != standing else None


def _figure(heard: MessageInContext, field: Field, *, announced: bool, first: bool) -> Iterator[Assignment]:
    standing, kind = heard.draft.values[field.name].data, kind_of(field)
    found = kind.find(field, heard.text, heard.context)
    denied = [r for r in found if is_denied(heard.row, r.start, r.end, heard.context.language)]
    other = [r for r in found if r.data != standing and r not in denied]
    left = any(r.data == standing for r in denied)  # "200 not 300"
    asked = heard.asked if heard.asked and kind_of(heard.asked).family == kind.family else None
    answers = kind_of(asked).find(asked, heard.text, heard.context) if asked else ()
    fit = (r for r in other if not (r.named and r.start in [a.start for a in answers]))
    sums = [f for f in heard.form.fields.values() if kind_of(f).money == kind.money]
    marked = not kind.money or len(sums) == 1  # of several sums, a currency beside one does not say which
    coded = kind.slip_shows and [kind_of(f).family for f in heard.form.fields.values()].count(kind.family) == 1
    meant = [r for r in other if heard.names(field, r.start)]
    meant = meant or [r for r in fit if (r.named and marked) or (announced and first) or left or coded]
    if meant and len({r.data for r in other}) == 1:
        yield Assignment(field, meant[0].data, meant[0].start, meant[0].end)


def named_answer(heard: MessageInContext, field: Field) -> Assignment | None:
    """Return yes or no to a question that a clause names, or the worse answer that words disclose: a guess, shown with the words."""
    told = next(disclosures(field, heard.text, heard.context, names_of(heard.draft, heard.context)), None)
    if told is not None and field.worse is not None:
        return Assignment(field, field.worse, told.start, told.end)
    own, language = names(field, heard.context), heard.context.language
    clause = next((c for c in heard.clauses if own.holds(c)), None)
    excepting = listed_everywhere(language, "excepting")  # "no loans besides the car"
    if clause is None or excepting.holds(clause) or heard.asking or heard.defines(clause[0].start):
        return None
    if (told_by := tells(clause, field, language)) is not None:
        return Assignment(field, told_by[0], clause[0].start, clause[-1].end)
    denials = listed(language, "no").spans(clause), listed_everywhere(language, "negators").spans(clause)
    after = [clause[b : b + NEAR] for spans in denials for _, b, _ in spans]
    denies_it = any(not any(t.key[:1].isdigit() for t in some) for some in after)  # "18, not 24", "non è 150 ma 180"
    return Assignment(field, not denies_it, clause[0].start, clause[-1].end)
