"""What a form wants to hear once something is approved, as data: the report, the note that bears it out, and who closes breaches."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field as Limits
from pydantic import model_validator

from state.form.field import Field, Name, Part

Figure = Annotated[int, Limits(ge=0, le=3660)] | str
"""A number, or the name of one that rules.py gives (`limits`)."""


class ReportTable(Part):
    """The few fields in which the person says what they did."""

    fields: Mapping[Name, Field] = {}
    day: str
    """The one of them that says on which day; a day on which nothing was approved is a breach."""
    approved: Mapping[str, str] = {}
    """Fields of the report, and the answer with which each is filled in."""
    most: tuple[str, ...] = ()
    """Those that may not be above that answer: more is a breach."""
    same: tuple[str, ...] = ()
    """Those that have to be that answer: anything else is a breach."""
    count: str = ""
    """The number by which an amount is multiplied that was told as the price of one."""

    @model_validator(mode="before")
    @classmethod
    def _with_names(cls, given: Any) -> Any:
        """Every field learns its name."""
        fields = given.get("fields") if isinstance(given, Mapping) else None
        if not isinstance(fields, Mapping):
            return given
        return {**given, "fields": {n: {**f, "name": n} if isinstance(f, Mapping) else f for n, f in fields.items()}}


class NoteTable(Part):
    """The file that has to bear the report out."""

    days: Figure = 30
    """Within how many days of the reported one it has to come; later is a breach."""
    tolerance: Annotated[int, Limits(ge=0, lt=100)] = 0
    """By how many percent an amount of money in it may differ from the report's; everything else has to be the same."""
    remind: Annotated[int, Limits(ge=1, le=60)] = 5
    """How many days before the end the person is reminded."""
    figures: tuple[str, ...] = ()
    """Fields of the report and of the form that have to be in it."""
    labels: Mapping[Name, tuple[str, ...]] = {}
    """What it calls each figure, as a whole; and `price` (of one), `total` (a row of sums) and `aside` (what is beside the trade)."""
    words: Mapping[Name, Mapping[str, tuple[str, ...]]] = {}
    """Of a figure that is a choice, the words that say each answer, wherever they are."""
    units: tuple[str, ...] = ()
    """What may be behind a number: "shares"."""


class BreachTable(Part):
    """What is not as it has to be."""

    by: str
    """The role that closes it, and judges what code cannot read."""
