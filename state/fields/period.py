"""Stretches of days. Canonical: ISO 8601's interval, both days within it ("2026-11-01/2026-11-30")."""

import re
from datetime import date

from babel.dates import format_date

from state.fields import date as a_day
from state.fields.base import Candidate, Context, Kind, Unreadable, described
from state.fields.values.periods import Period, periods, whole_month
from state.fields.values.quantities import one_answer
from state.form import Field
from state.form.field import Data
from state.language.tokens import trimmed

INTERVAL = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\s*(?:/|\.\.|–|—| to | - )\s*([0-9]{4}-[0-9]{2}-[0-9]{2})")


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one stretch of a message that says nothing else."""
    interval = _interval(trimmed(text))
    if interval:
        return None if _is_wrong(interval, context.facing(field)) else interval.data
    return one_answer(field, text, find(field, text, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Stretches by their name, from a day to a day, by month or year; a single day is one too."""
    context = context.facing(field)
    return tuple(Candidate(p.data, p.start, p.end) for p in periods(text, context) if not _is_wrong(p, context))


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the interval. Raises Unreadable: not_a_period, not_behind, not_ahead."""
    context = context.facing(field)
    text = trimmed(given) if isinstance(given, str) else ""
    found = _interval(text) or next((p for p in periods(text, context) if (p.start, p.end) == (0, len(text))), None)
    if found is None:
        raise Unreadable("not_a_period", {"example": context.today[:7]})
    if _is_wrong(found, context):
        raise Unreadable(f"not_{field.lies}")
    return found.data


def _is_wrong(period: Period, context: Context) -> bool:
    """Return True if all of it lies on the other side of today than it should."""
    return context.is_wrong(period.first) and context.is_wrong(period.last)


def show(_field: Field, data: Data, context: Context) -> str:
    """Return a month by its name, else both days; `parse` takes either back."""
    first, _, last = str(data).partition("/")
    if whole_month(str(data)):
        return first[:7]
    if first == last:
        return str(format_date(date.fromisoformat(first), "d MMM y", locale=context.babel))
    return f"{first} – {last}"


def _interval(text: str) -> Period | None:
    match = INTERVAL.fullmatch(text)
    try:
        days = sorted(date.fromisoformat(part) for part in match.groups()) if match else []
    except ValueError:
        return None
    return Period(days[0].isoformat(), days[1].isoformat(), 0, len(text)) if days else None


def fits(field: Field, value: object) -> bool:
    """Return True if an author wrote two days, the earlier one first."""
    first, _, last = str(value).partition("/")
    return a_day.fits(field, first) and a_day.fits(field, last) and first <= last


KIND = Kind(
    name="period", whole=whole, find=find, parse=parse, show=show, schema=described("YYYY-MM, or YYYY-MM-DD/YYYY-MM-DD"),
    fits=fits, wanted='must be two dates in quotes, like "2026-11-01/2026-11-30"', listing="", takes=frozenset({"lies"}),
)  # fmt: skip
