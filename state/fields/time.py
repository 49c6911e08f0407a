"""Times of day. Canonical: HH:MM of the 24-hour clock."""

from datetime import time
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.approximation import is_rough
from state.fields.values.hours import Hour, hours, likely_hours
from state.fields.values.quantities import one_answer, one_leaning
from state.fields.values.reach import is_rejected
from state.fields.words.direction import directed
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.tokens import Token, masked, tokens, trimmed


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one time of a message that says nothing else; "at 5" could be morning or afternoon and is none."""
    return one_answer(field, text, find(field, text, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Times that are beyond doubt and no estimates; those with the field's name beside them first."""
    row = tokens(masked(text), context.language)
    found = [h for h in hours(text, context) if not _is_put_aside(field, row, h, context)]
    return directed(field, text, (Candidate(h.time, h.start, h.end) for h in found), context)


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one time that a message names roughly, or without the half of the day: then the one by day."""
    row = tokens(masked(text), context.language)
    found = [h for h in likely_hours(text, context) if not is_rejected(row, h.start, context)]
    told = directed(field, text, (Candidate(h.time, h.start, h.end) for h in found), context)
    return one_leaning(field, text, told, context)


def _is_put_aside(field: Field, row: tuple[Token, ...], found: Hour, context: Context) -> bool:
    rough = not field.estimate and is_rough(row, found.start, found.end, context)
    return rough or is_rejected(row, found.start, context)


def parse(_field: Field, given: object, context: Context) -> Data:
    """The time. Raises Unreadable: not_a_time."""
    text = trimmed(given) if isinstance(given, str) else ""
    found = next((h for h in hours(text, context) if (h.start, h.end) == (0, len(text))), None)
    if found is None:
        raise Unreadable("not_a_time")
    return found.time


def show(_field: Field, data: Data, _context: Context) -> str:
    """As it is stored."""
    return str(data)


def schema(_field: Field) -> dict[str, Any]:
    """A string."""
    return {"type": "string", "description": "HH:MM"}


def fits(_field: Field, value: object) -> bool:
    """Whether an author wrote a time of the 24-hour clock."""
    try:
        return isinstance(value, str) and time.fromisoformat(value).strftime("%H:%M") == value
    except ValueError:
        return False


KIND = Kind(
    beside=("hour_marks", "hour_marks_after"),
    name="time", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted='must be a time in quotes, like "14:30"', takes=frozenset({"estimate"}), leans=leans, claims=True,
    measure=str,
    called=frozenset({"clock", "hour"}),
)  # fmt: skip
