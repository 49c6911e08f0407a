"""Days of the calendar. Canonical: ISO 8601 ("2026-11-20")."""

from datetime import date
from typing import Any

from babel.dates import format_date

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.days import days
from state.fields.values.quantities import one_answer
from state.fields.values.reach import is_rejected, place
from state.fields.words.naming import is_named
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.tokens import masked, tokens, trimmed


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one day of a message that says nothing else."""
    return one_answer(field, text, find(field, text, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Days in digits, by name or counted from today; those with the field's name beside them first."""
    row = tokens(masked(text), context.language)
    found = [d for d in days(text, context) if not is_rejected(row, d.start, context)]
    told = [(d, is_named(field, row, place(row, d.start), place(row, d.end), context)) for d in found]
    return tuple(sorted((Candidate(d.date, d.start, d.end, n) for d, n in told), key=lambda r: not r.named))


def parse(_field: Field, given: object, context: Context) -> Data:
    """The day. Raises Unreadable: not_a_date."""
    text = trimmed(given) if isinstance(given, str) else ""
    found = next((d for d in days(text, context) if (d.start, d.end) == (0, len(text))), None)
    if found is None:
        raise Unreadable("not_a_date", {"example": _shown(date.fromisoformat(context.today), context)})
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
    name="date", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted='must be a date in quotes, like "2026-11-20"', element="date_picker",
    claims=True, usual=lambda context, _: context.today,
)  # fmt: skip
