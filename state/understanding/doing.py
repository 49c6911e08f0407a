"""What people tell of a thing that was approved: that they have done it, with its figures, or that they have not and will not."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from state.draft.draft import Draft
from state.draft.reporting import approved_figures, report_draft, report_form, table_of
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.fields.values.days import days
from state.fields.values.marks import marks
from state.fields.values.numerals import Numeral, may_be_article, numerals
from state.fields.values.reach import is_after
from state.fields.values.spans import Spans
from state.form import Form
from state.form.data import Data
from state.language.language import Language
from state.language.table import listed
from state.language.tokens import Token, asks, masked, tokens
from state.understanding.reader import read_open

Told = Literal["done", "unused"]
LONGEST = 400
"""Characters of a line that tells it."""
WEEK, PENNY = timedelta(days=7), Decimal("0.01")
ANY_DAY = "2026-01-01"
"""Whether a day is named does not hang on which day it is."""


def told_of(text: str, language: Language) -> Told | None:
    """Whether the line says that what was approved was done, or was not and will not be; None for anything else."""
    if len(text) > LONGEST or asks(text):
        return None
    row = tokens(masked(text), language)
    if _whole(row[: next((i for i, t in enumerate(row) if i and t.stop), len(row))], language):
        return "done"
    if listed(language, "doing.undone").holds(row) or _denied(row, language):
        return None if listed(language, "doing.not_yet").holds(row) else "unused"
    aside = _negated(row, language) or _asking(row, language) or listed(language, "doing.unreal").holds(row)
    return "done" if not aside and _tells(text, row, language) else None


def _tells(text: str, row: Sequence[Token], language: Language) -> bool:
    """Whether a word tells of having done it; some do only beside a number or a day."""
    if listed(language, "doing.verbs").holds(row):
        return True
    weak = listed(language, "doing.weakly").holds(row) or listed(language, "doing.whole").at(row, 0) is not None
    anyhow = Context(language.example, ANY_DAY)
    return weak and bool(any(c.isdigit() for c in text) or days(masked(text), anyhow))


def _whole(row: Sequence[Token], language: Language) -> bool:
    """Whether these words are one of the whole utterances, courtesies aside."""
    leads, tails = listed(language, "commands.leads", "polite"), listed(language, "commands.tails", "polite")
    while row and (lead := leads.at(row, 0)):
        row = row[lead[0] :]
    while row and (tail := tails.ending(row, len(row))):
        row = row[: len(row) - tail[0]]
    hit = listed(language, "doing.whole").at(row, 0)
    return hit is not None and hit[0] == len(row)


def _denied(row: Sequence[Token], language: Language) -> bool:
    """Whether a negation stands before what may be done, in the same clause."""
    acts = [start for start, _, _ in listed(language, "doing.acts").spans(row)]
    return any(_negated(_clause(row, start), language) for start in acts)


def _clause(row: Sequence[Token], at: int) -> Sequence[Token]:
    """What stands before a place, from the last stop on."""
    first = max((i for i in range(at + 1) if row[i].stop), default=0)
    return row[first:at]


def _negated(row: Sequence[Token], language: Language) -> bool:
    return listed(language, "negators").holds(row)


def _asking(row: Sequence[Token], language: Language) -> bool:
    first = listed(language, "question_words", "small_talk.question_starts").at(row, 0)
    return first is not None


def read_doing(form: Form, draft: Draft, text: str, message: str, context: Context) -> dict[str, Data]:
    """The figures of the report that the words tell. A day that is named without its date is the last one that was so."""
    mini = report_form(form)
    reply = read_open(mini, report_draft(draft, {}), text, message, context)
    given = {name: value for call in reply.calls for name, value in (call.arguments or {}).items()}
    found: dict[str, Data] = {}
    for name, field in mini.fields.items():
        try:
            found |= {name: kind_of(field).parse(field, given[name], context)} if name in given else {}
        except Unreadable:
            continue
    return _past(form, _priced(form, draft, found, text, context), context)


def tells_other_numbers(form: Form, read: Mapping[str, Data], text: str, context: Context) -> bool:
    """Whether numbers stand in the words that nobody read as any figure: then what was approved is no answer in their place."""
    table, clean = table_of(form), masked(text)
    priced = {n.start for n in _prices(text, context)}
    dated = Spans((d.start, d.end) for d in days(clean, context))
    amounts = {f.name for f in table.fields.values() if kind_of(f).money == "amount"}
    loose = [
        n
        for n in numerals(clean, context)
        if not dated.hits(n.start, n.end) and not may_be_article(n) and n.start not in priced
    ]
    told = set() if priced else amounts & set(read)
    return table.count not in read and len(loose) > len(told)


def _past(form: Form, found: dict[str, Data], context: Context) -> dict[str, Data]:
    """ "On Tuesday" is the one before; a day that is still to come otherwise is no day of a report."""
    name, today = table_of(form).day, date.fromisoformat(context.today)
    if name in found and (day := date.fromisoformat(str(found[name]))) > today:
        before = day - WEEK
        found = (
            {**found, name: before.isoformat()} if before <= today else {n: d for n, d in found.items() if n != name}
        )
    return found


def _priced(form: Form, draft: Draft, found: dict[str, Data], text: str, context: Context) -> dict[str, Data]:
    """The price of one, times the number that was told, or else that was approved: what the whole came to."""
    table = table_of(form)
    amount = next((f.name for f in table.fields.values() if kind_of(f).money == "amount"), "")
    price = _price(text, context)
    if not amount or not table.count or price is None:
        return found
    known = {**approved_figures(form, draft), **(draft.report.figures if draft.report else {}), **found}
    rest = {name: data for name, data in found.items() if name != amount}
    if table.count not in known or tells_other_numbers(form, found, text, context):
        return rest
    whole = (price * Decimal(str(known[table.count]))).quantize(PENNY, ROUND_HALF_UP)
    return {**rest, amount: format(whole, "f")}


def _price(text: str, context: Context) -> Decimal | None:
    """The one number that is told as a price of one ("at 3.61", "@ 3.61")."""
    found = _prices(text, context)
    return found[0].value if len(found) == 1 else None


def _prices(text: str, context: Context) -> list[Numeral]:
    """Numbers that are told as the price of one."""
    clean = masked(text)
    row, leads = tokens(clean, context.language), listed(context.language, "doing.priced")
    signs = {mark.end: mark.start for mark in marks(clean, context)}
    starts = ((n, signs.get(n.start - 1, n.start)) for n in numerals(clean, context))
    return [n for n, start in starts if is_after(leads, row, start) or clean[:start].rstrip().endswith("@")]
