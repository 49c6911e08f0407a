"""Changes of answers: corrections, further choices of a list, and disclosures of a worse answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from state.draft.draft import Draft
from state.draft.scope import scope
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.choice import as_list
from state.fields.disclosing import Admission, Names, disclosures
from state.fields.naming import names
from state.fields.text import LEGAL_FORMS
from state.fields.values.numerals import position
from state.form import Field, Form
from state.form.field import Data
from state.language import LANGUAGES
from state.language.table import all_of, clauses, joined, listed, listed_everywhere, listed_widely
from state.language.tokens import asks, keys_of, masked, tokens
from state.understanding.commands import is_defined, without_leads


@dataclass(frozen=True)
class Assignment:
    """A field, the value that the words from `start` up to `end` give it, and whether they name it."""

    field: Field
    data: Data
    start: int
    end: int
    named: bool = False


def disclosed(form: Form, draft: Draft, text: str, context: Context) -> Iterator[Assignment]:
    """Yield worse answers for fields that hold a better one (`named`: for certain); nothing else in the message retracts them.

    Who asks what a thing is, or counts as, tells none.
    """
    parts = [*clauses(masked(text), context.language)]
    for field in scope(form, draft).disclosable:
        found = worse_told(field, text, context, draft)
        told = next((t for t in found if not is_defined(parts, t.start, text, context.language)), None)
        if told and field.worse is not None and draft.values[field.name].data != field.worse:
            yield Assignment(field, field.worse, told.start, told.end, named=told.sure)


def is_announced(text: str, context: Context, *, polar: bool = False) -> bool:
    """Return True if the message says that something said before was not right. `polar`: a no before the rest answers what was asked."""
    row = tokens(masked(text), context.language)
    if listed_everywhere(context.language, "corrections.cues").holds(row):
        return True
    hit = None if polar else listed_everywhere(context.language, "no").at(row, 0)
    return hit is not None and hit[0] < len(row) and row[hit[0]].stop > 0  # "no, sell"


def states(text: str, context: Context) -> bool:
    """Return True if a line says in any language what something was ("the taxi was 14", "eran 14"), and does not deny it."""
    language = context.language
    row = without_leads(
        tokens(masked(text), language),
        listed_everywhere(language, "corrections.cues", "no", "polite", "small_talk.holds"),
    )
    first = next(listed_everywhere(language, "orders.stating").spans(row), None)
    if first is None or first[1] == len(row) or asks(text):
        return False
    before = row[: first[1] + 1]
    denials = listed_everywhere(language, "negators", "conditions").spans(before)
    return all(after < len(row) and row[after].key[0].isdigit() for _, after, _ in denials)  # "it wasn't 18, it was 28"


def announcing(text: str, context: Context) -> str:
    """Return the words at the beginning that say that something was not right, and small ones beside them; empty where none do."""
    row = tokens(masked(text), context.language)
    leads = listed_everywhere(context.language, "corrections.cues", "no", "polite", "small", "small_talk.holds")
    i = 0
    while i < len(row) and (hit := leads.at(row, i)):
        i += hit[0]
    return text[: row[i - 1].end] if i and is_announced(text, context) else ""


def put_right(field: Field, found: Sequence[Candidate], text: str, context: Context) -> list[Candidate]:
    """Return readings without those that the next one puts right, with no other thing between them ("23, sorry 25")."""
    language = context.language
    cues = listed_everywhere(language, "corrections.cues", "no")
    small = listed_everywhere(language, "small", "polite", "day_leads", "orders.fillers", "small_talk.holds")
    known = joined(joined(cues, small), names(field, context))

    def corrects(one: Candidate, other: Candidate) -> bool:
        between = tokens(text[one.end : other.start], language)
        return cues.holds(between) and all_of(between, known)

    every = sorted(found, key=lambda r: r.start)
    return [*(one for one, other in pairwise(every) if not corrects(one, other)), *every[-1:]]


def dropped(text: str, names_: Sequence[str], context: Context, *, placed: bool = True) -> int | None:
    """Return which of several things the words take away, by its name, or its place if they are `placed` ("togli il treno", "scratch the second")."""
    language = context.language
    leads = listed_everywhere(language, "corrections.cues", "no", "polite", "small")
    row = without_leads(tokens(masked(text), language), leads)
    hit = listed_everywhere(language, "corrections.dropping").at(row, 0)
    if not names_ or not hit or hit[0] == len(row):
        return None
    rest = text[row[hit[0]].start :]
    small = listed_everywhere(language, "small")
    said = {t.key for i, t in enumerate(row) if i >= hit[0] and not small.at(row, i)}
    named = [i for i, name in enumerate(names_) if said & set(keys_of(name, language))]
    at = next((p for one in LANGUAGES.values() if (p := position(rest, len(names_), one))), None)
    return named[0] if len(named) == 1 else at - 1 if placed and at and not named else None


def begins_with_correction(text: str, context: Context) -> bool:
    """Return True if the first words say that something said before was not right."""
    row = tokens(masked(text), context.language)
    return listed_everywhere(context.language, "corrections.cues").at(row, 0) is not None


LEAST = 4
"""Letters of a word that names a thing by itself ("Tesco" for Tesco PLC)."""
CHANGING = ("corrections.changes", "corrections.dropping", "review.wrong")
"""Words by which an answer is to be changed."""
AROUND_CHANGES = (
    "small", "polite", "hesitating", "orders.wishing", "orders.fillers", "orders.stating", "option_words", "breaks", "and_words",
    "asking.verbs", "corrections.cues", "negators", "review.beside", "review.right",
)  # fmt: skip
"""Words that stand beside them."""
IN_BRACKETS = re.compile(r"\([^)]*\)")
SHORT_NAMES = ("ticker", "symbol")
"""Facts of a thing by which people call it."""


def worse_told(field: Field, text: str, context: Context, draft: Draft) -> Iterator[Admission]:
    """Yield where the text tells the worse answer, certain ones first."""
    by_words = sorted(disclosures(field, text, context, names_of(draft, context)), key=lambda told: not told.sure)
    yield from by_words
    if kind_of(field).polar:
        beside = {(told.start, told.end) for told in by_words}
        denying = listed(context.language, "negators", "no")
        rows = (row for row in clauses(masked(text), context.language) if not denying.holds(row))
        found = ((row[a].start, row[b - 1].end) for row in rows for a, b, _ in names(field, context).spans(row))
        yield from (Admission(*span, sure=False) for span in found if span not in beside)


def names_of(draft: Draft, context: Context) -> Names:
    """Return the names of things that were looked up: "Tesco", "Tesco PLC", "TSCO"."""
    looked_up = {name: value for name, value in draft.values.items() if value.facts}
    short = {n: tuple(str(v.facts[f]) for f in SHORT_NAMES if v.facts.get(f)) for n, v in looked_up.items()}
    return {name: (*_called(value.label, context), *short[name]) for name, value in looked_up.items()}


def _called(label: str, context: Context) -> tuple[str, ...]:
    """Return the name without its legal form, and its first word where that tells enough, else the first two."""
    name = IN_BRACKETS.sub(" ", label)
    row = [t for t in tokens(name, context.language) if t.key not in LEGAL_FORMS]
    if not row:
        return ()
    first = row[0] if len(row[0].key) >= LEAST or len(row) == 1 else row[1]
    return tuple(dict.fromkeys((name[row[0].start : row[-1].end], name[row[0].start : first.end])))


def additions(form: Form, draft: Draft, text: str, context: Context) -> Iterator[Assignment]:
    """Yield answered fields of several choices, with their choices and those that the text adds."""
    for field in scope(form, draft).correctable:
        found = added(field, draft.values[field.name].data, text, context, alone=not draft.asked)
        if found is not None:
            yield found


def added(field: Field, standing: Data, text: str, context: Context, *, alone: bool = False) -> Assignment | None:
    """Return the chosen values with those that the text adds, or without those that it takes off; None where it does neither.

    `alone`: no question waits, so that choices and nothing else are further ones.
    """
    if not takes_more(field) or not isinstance(standing, tuple):
        return None
    if (off := taken_off(field, text, context)) is not None:
        left = tuple(one for one in standing if one not in as_list(field, off))
        return Assignment(field, left, 0, len(text), named=True) if left and left != standing else None
    if not adds_to(field, text, context) and not _goes_on(field, text, context, alone=alone):
        return None
    named = next((r for r in kind_of(field).find(field, text, context) if isinstance(r.data, tuple)), None)
    if named is None or not isinstance(named.data, tuple) or set(named.data) <= set(standing):
        return None
    return Assignment(field, as_list(field, standing, named.data), named.start, named.end, named=True)


def adds_to(field: Field, text: str, context: Context) -> bool:
    """Return True if words of adding are about a list of choices: what it holds is left as it is."""
    return takes_more(field) and _wants(text, context, "adding", "also")


def _goes_on(field: Field, text: str, context: Context, *, alone: bool) -> bool:
    """Return True if the whole message goes on with the list ("and an awning")."""
    language = context.language
    row = without_leads(tokens(masked(text), language), listed(language, "hesitating"))
    lead = listed_widely(language, "and_words").at(row, 0)
    rest = row[lead[0] if lead else 0 :]
    return bool(rest and (lead or alone)) and kind_of(field).whole(field, text[rest[0].start :], context) is not None


def takes_off(field: Field, text: str, context: Context) -> bool:
    """Return True if the message takes choices off a list and says nothing else ("remove the bed", "no bed")."""
    return taken_off(field, text, context) is not None


def taken_off(field: Field, text: str, context: Context) -> Data | None:
    """Return the choices that the whole message takes off."""
    language = context.language
    row = without_leads(tokens(masked(text), language), listed(language, "polite", "hesitating"))
    if not takes_more(field) or not row:
        return None
    orders, denials = listed_everywhere(language, "corrections.dropping"), listed_everywhere(language, "negators", "no")
    lead = (orders.at(row, 0) or denials.at(row, 0) or (0,))[0]
    tail = (joined(orders, denials).ending(row, len(row)) or (0,))[0]
    rest = row[lead : len(row) - tail]
    paused = bool(rest) and rest[0].stop > 0  # "no, the bed" chooses it
    if not (lead or tail) or not rest or paused:
        return None
    return kind_of(field).whole(field, text[rest[0].start : rest[-1].end], context)


def wanted_longer(form: Form, draft: Draft, text: str, context: Context) -> Field | None:
    """Return the answered field of several choices to which something not yet named is to be added ("quiero añadir otro elemento")."""
    row = tokens(masked(text), context.language)
    if not _wants(text, context, "adding"):
        return None
    lists = (f for f in scope(form, draft).correctable if takes_more(f))
    return next((f for f in lists if names(f, context).holds(row)), None)


def wanted_anew(form: Form, draft: Draft, text: str, context: Context) -> tuple[Field, ...]:
    """Return the answered fields that are to be changed, where the message says nothing else ("change the direction", "wrong account").

    To a question for a text, which the words may be, it has to be an order.
    """
    row, language = tokens(masked(text), context.language), context.language
    asked, orders = form.fields.get(draft.asked), listed_everywhere(language, "corrections.changes")
    wishing = listed_everywhere(language, "polite", "hesitating", "commands.leads", "afterwards.wants", "asides.leads")
    if asked is not None and kind_of(asked).verbatim and not orders.at(without_leads(row, wishing), 0):
        return ()
    called = tuple(f for f in scope(form, draft).correctable if names(f, context).holds(row))
    own = reduce(joined, (names(f, context) for f in called), listed_everywhere(language, *CHANGING, *AROUND_CHANGES))
    changing = listed_everywhere(language, *CHANGING).holds(row)
    said = row[listed_everywhere(language, "no").at(row, 0) is not None :]
    amiss = (listed_everywhere(language, entry).holds(said) for entry in ("negators", "review.right"))  # "isn't right"
    denied = all(amiss) and not any(kind_of(f).polar for f in called)
    return called if (changing or denied) and all_of(row, own) else ()


def takes_more(field: Field) -> bool:
    """Return True if several of its choices may be chosen."""
    return kind_of(field).several and not kind_of(field).by_file


def _wants(text: str, context: Context, *entries: str) -> bool:
    """Return True if one of these words stands in a message that neither asks nor denies."""
    row = tokens(masked(text), context.language)
    denied = asks(text) or listed(context.language, "negators").holds(row)
    return not denied and listed_widely(context.language, *entries).holds(row)
