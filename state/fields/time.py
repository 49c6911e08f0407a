"""Times of day. Canonical: HH:MM of the 24-hour clock."""

import re
from datetime import time

from state.fields.base import Candidate, Context, Kind, Unreadable, described, text_of
from state.fields.values.hours import bare_hours, hours
from state.fields.values.quantities import bare_numbers, named_first, one_answer
from state.form import Field
from state.form.field import Data

HOUR = re.compile(r"(1[0-9]|2[0-3])(?:\.?([0-5][0-9]))?")


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the times, both halves of the day where that is open; those with the field's name beside them first."""
    return named_first(field, text, hours(text, context), context)


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one time of a message that says nothing else, an hour of two digits by itself among them ("15", "15.30", "1530", "eleven")."""
    told = one_answer(field, text, find(field, text, context), context)
    bare = bare_numbers(text, context)
    alone = ((n, m) for n in bare if (m := HOUR.fullmatch(str(n.value) if n.words else n.digits)))
    hour = (Candidate(f"{m[1]}:{m[2] or '00'}", n.start, n.end) for n, m in alone)
    return told if told is not None else one_answer(field, text, hour, context)


def parse(_field: Field, given: object, context: Context) -> Data:
    """Return the time. Raises Unreadable: not_a_time."""
    text = text_of(given)
    found = [h.data for h in hours(text, context) if (h.start, h.end) == (0, len(text))]
    if len(found) != 1:
        raise Unreadable("not_a_time")
    return found[0]


def fits(_field: Field, value: object) -> bool:
    """Return True if an author wrote a time of the 24-hour clock."""
    try:
        return isinstance(value, str) and time.fromisoformat(value).strftime("%H:%M") == value
    except ValueError:
        return False


KIND = Kind(
    name="time",
    about="A time of day: “14:30”, “2 pm”, “noon”.",
    whole=whole, find=find, near=lambda _, text, context: bare_hours(text, context), parse=parse, schema=described("HH:MM"),
    fits=fits, wanted='must be a time in quotes, like "14:30"',
    beside=("hour_marks", "hour_marks_after"), measure=str,
)  # fmt: skip
