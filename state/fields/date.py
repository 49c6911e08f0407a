"""Days of the calendar (ISO 8601, "2026-11-20") and stretches of them (its interval, both days within it: "2026-11-01/2026-11-30")."""

import re
from collections.abc import Iterator
from datetime import date

from babel.dates import format_date

from state.fields.base import Candidate, Context, Kind, Unreadable, described, text_of, the_whole
from state.fields.naming import Spans
from state.fields.values.days import days
from state.fields.values.periods import Period, periods, whole_month
from state.fields.values.quantities import named_first, one_answer
from state.form import Field
from state.form.field import Data
from state.language.tokens import trimmed


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one day of a message that says nothing else; "3/12" is one too."""
    return one_answer(field, text, _readings(field, text, context, short=True), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the days in digits, by name or counted from today; those with the field's name beside them first."""
    return named_first(field, text, _readings(field, text, context), context)


def _readings(field: Field, text: str, context: Context, *, short: bool = False) -> Iterator[Candidate]:
    context = context.facing(field)
    return (day for day in days(text, context, short=short) if not context.is_wrong(str(day.data)))


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the day. Raises Unreadable: not_a_date, not_behind, not_ahead."""
    context = context.facing(field)
    text = text_of(given)
    read = [day for day in days(text, context) if (day.start, day.end) == (0, len(text))]
    found = read[0] if len(read) == 1 else None
    if found is None:
        raise Unreadable("not_a_date", {"example": _shown(date.fromisoformat(context.today), context)})
    if context.is_wrong(str(found.data)):
        raise Unreadable(f"not_{field.lies}")
    return found.data


def show(_field: Field, data: Data, context: Context) -> str:
    """Return it as the language writes days: "20 Nov 2026", "20/11/2026"."""
    return _shown(date.fromisoformat(str(data)), context)


def _shown(day: date, context: Context) -> str:
    return str(format_date(day, context.language.written_day, locale=context.babel))


def fits(_field: Field, value: object) -> bool:
    """Return True if an author wrote a day in quotes."""
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


DATE = Kind(
    name="date",
    about="A day: “3 March”, “3/3/2026” in the language's order, “tomorrow”, “Monday”.",
    whole=whole, find=find, parse=parse, show=show, schema=described("YYYY-MM-DD"),
    fits=fits, wanted='must be a date in quotes, like "2026-11-20"', element="date_picker",
    takes=frozenset({"lies"}), beside=("day_leads",), usual=lambda context, _: context.today,
    measure=str, on_day=True,
)  # fmt: skip


INTERVAL = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\s*(?:/|\.\.|–|—| to | - )\s*([0-9]{4}-[0-9]{2}-[0-9]{2})")


def whole_period(field: Field, text: str, context: Context) -> Data | None:
    """Return the one stretch of a message that says nothing else."""
    interval = _as_interval(trimmed(text))
    if interval:
        return None if _is_wrong(interval, context.facing(field)) else interval.data
    return one_answer(field, text, find_period(field, text, context), context)


def find_period(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return stretches by their name, from a day to a day, by month or year; a single day is one too."""
    context = context.facing(field)
    rough = Spans((d.start, d.end) for d in days(text, context) if d.rough)
    fit = (p for p in periods(text, context) if not _is_wrong(p, context))
    return tuple(Candidate(p.data, p.start, p.end, rough=rough.hits(p.start, p.end)) for p in fit)


def parse_period(field: Field, given: object, context: Context) -> Data:
    """Return the interval. Raises Unreadable: not_a_period, not_behind, not_ahead."""
    context = context.facing(field)
    text = text_of(given)
    found = _as_interval(text) or the_whole(text, periods(text, context))
    if found is None:
        raise Unreadable("not_a_period", {"example": context.today[:7]})
    if _is_wrong(found, context):
        raise Unreadable(f"not_{field.lies}")
    return found.data


def _is_wrong(period: Period, context: Context) -> bool:
    """Return True if all of it lies on the other side of today than it should."""
    return context.is_wrong(period.first) and context.is_wrong(period.last)


def show_period(_field: Field, data: Data, context: Context) -> str:
    """Return a month by its name, else both days; `parse` takes either back."""
    first, _, last = str(data).partition("/")
    if whole_month(str(data)):
        return first[:7]
    if first == last:
        return str(format_date(date.fromisoformat(first), "d MMM y", locale=context.babel))
    return f"{first} – {last}"


def _as_interval(text: str) -> Period | None:
    match = INTERVAL.fullmatch(text)
    try:
        first, last = sorted(date.fromisoformat(part).isoformat() for part in match.groups()) if match else ("", "")
    except ValueError:
        return None
    return Period(first, last, 0, len(text)) if match else None


def fits_period(field: Field, value: object) -> bool:
    """Return True if an author wrote two days, the earlier one first."""
    first, _, last = str(value).partition("/")
    return fits(field, first) and fits(field, last) and first <= last


PERIOD = Kind(
    name="period",
    about="A stretch of days: “last month”, “since Monday”, “from 3 March to 10 March”.",
    whole=whole_period, find=find_period, parse=parse_period, show=show_period, schema=described("YYYY-MM, or YYYY-MM-DD/YYYY-MM-DD"),
    fits=fits_period, wanted='must be two dates in quotes, like "2026-11-01/2026-11-30"', listing="", takes=frozenset({"lies"}),
)  # fmt: skip
