"""Days of the calendar. Canonical: ISO 8601 ("2026-11-20")."""

from datetime import date
from typing import Any

from babel.dates import format_date

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.approximation import is_rough
from state.fields.values.days import LOOSE, SHORT, SURE, How, days, may_be_short
from state.fields.values.quantities import one_answer, one_leaning
from state.fields.values.reach import is_rejected
from state.fields.values.spans import Spans
from state.fields.words.direction import directed
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.tokens import Token, masked, tokens, trimmed


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one day of a message that says nothing else."""
    return one_answer(field, text, _readings(field, text, context, SHORT), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Days in digits, by name or counted from today; those with the field's name beside them first. "3/12" is one beside the name alone."""
    sure = _readings(field, text, context, SURE)
    if not may_be_short(text):
        return sure
    taken = Spans((r.start, r.end) for r in sure)
    short = (r for r in _readings(field, text, context, SHORT) if r.named and not taken.hits(r.start, r.end))
    return tuple(sorted((*sure, *short), key=lambda r: not r.named))


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one day that a message names roughly, or without its year or month: then the next one, or the last where it lies behind."""
    return one_leaning(field, text, _readings(field, text, context, LOOSE), context)


def _readings(field: Field, text: str, context: Context, how: How) -> tuple[Candidate, ...]:
    context = context.facing(field)
    row = tokens(masked(text), context.language)
    loose = field.estimate or how == LOOSE
    found = (Candidate(d.date, d.start, d.end) for d in days(text, context, how) if not context.is_wrong(d.date))
    left = [
        r
        for r in found
        if not (loose and is_rejected(row, r.start, context)) and (loose or not _is_rough(row, r, context))
    ]
    return directed(field, text, left, context)


def _is_rough(row: tuple[Token, ...], r: Candidate, context: Context) -> bool:
    return is_rejected(row, r.start, context) or is_rough(row, r.start, r.end, context)


def parse(field: Field, given: object, context: Context) -> Data:
    """The day. Raises Unreadable: not_a_date, not_behind, not_ahead."""
    context = context.facing(field)
    text = trimmed(given) if isinstance(given, str) else ""
    found = next((d for d in days(text, context) if (d.start, d.end) == (0, len(text))), None)
    if found is None:
        raise Unreadable("not_a_date", {"example": _shown(date.fromisoformat(context.today), context)})
    if context.is_wrong(found.date):
        raise Unreadable(f"not_{field.lies}")
    return found.date


def show(_field: Field, data: Data, context: Context) -> str:
    """As the language writes days: "20 Nov 2026", "20/11/2026"."""
    return _shown(date.fromisoformat(str(data)), context)


def schema(_field: Field) -> dict[str, Any]:
    """A string."""
    return {"type": "string", "description": "YYYY-MM-DD"}


def _shown(day: date, context: Context) -> str:
    return str(format_date(day, context.language.written_day, locale=context.babel))


def fits(_field: Field, value: object) -> bool:
    """Whether an author wrote a day in quotes."""
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


KIND = Kind(
    beside=("day_leads",),
    name="date", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted='must be a date in quotes, like "2026-11-20"', element="date_picker",
    leans=leans, takes=frozenset({"estimate", "lies"}), claims=True, usual=lambda context, _: context.today,
    measure=str,
    on_day=True,
    called=frozenset({"calendar", "datetime", "day"}),
)  # fmt: skip
