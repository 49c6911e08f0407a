"""Days of the calendar. Canonical: ISO 8601 ("2026-11-20")."""

from collections.abc import Iterator
from datetime import date

from babel.dates import format_date

from state.fields.base import Candidate, Context, Kind, Unreadable, described
from state.fields.values.days import days
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
    return (Candidate(d.date, d.start, d.end) for d in days(text, context, short=short) if not context.is_wrong(d.date))


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the day. Raises Unreadable: not_a_date, not_behind, not_ahead."""
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


def _shown(day: date, context: Context) -> str:
    return str(format_date(day, context.language.written_day, locale=context.babel))


def fits(_field: Field, value: object) -> bool:
    """Return True if an author wrote a day in quotes."""
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


KIND = Kind(
    beside=("day_leads",),
    name="date", whole=whole, find=find, parse=parse, show=show, schema=described("YYYY-MM-DD"),
    fits=fits, wanted='must be a date in quotes, like "2026-11-20"', element="date_picker",
    takes=frozenset({"lies"}), claims=True, usual=lambda context, _: context.today,
    measure=str,
    on_day=True,
)  # fmt: skip
