"""Several values of one kind in one text: each goes to the field whose own words stand with it, and to none where no word decides."""

import pytest

from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from tests.kinds.fields import ENGLISH, ITALIAN, SPANISH, TODAY, found

GERMAN = Context("de-DE", TODAY)
ENDS = {
    "en-GB": (Field(name="start", kind="date", label="Start date", ask="When?"), Field(name="end", kind="date", label="End date", ask="When?")),
    "it-IT": (
        Field(name="start", kind="date", label="Data di inizio", ask="Quando?", words=("dal",)),
        Field(name="end", kind="date", label="Data di fine", ask="Quando?", words=("al",)),
    ),
    "es-ES": (Field(name="start", kind="date", label="Salida", ask="¿Cuándo?"), Field(name="end", kind="date", label="Vuelta", ask="¿Cuándo?")),
    "de-DE": (Field(name="start", kind="date", label="Beginn", ask="Wann?"), Field(name="end", kind="date", label="Ende", ask="Wann?")),
}  # fmt: skip
OPEN = Field(name="day", kind="date", label="Trade date", ask="When?")


@pytest.mark.parametrize(
    ("text", "context", "first", "last"),
    [("from the 12th until the 14th", ENGLISH, "2026-11-12", "2026-11-14"),
     ("until the 14th, starting on the 12th", ENGLISH, "2026-11-12", "2026-11-14"),
     ("12-14 November", ENGLISH, "2026-11-12", "2026-11-14"), ("12 to 14 December", ENGLISH, "2026-12-12", "2026-12-14"),
     ("from tomorrow till friday", ENGLISH, "2026-11-21", "2026-11-27"), ("12/12 - 14/12", ENGLISH, "2026-12-12", "2026-12-14"),
     ("I leave on 3 December and I'm back on 10 December", ENGLISH, "2026-12-03", "2026-12-10"),
     ("dal 12 al 14", ITALIAN, "2026-11-12", "2026-11-14"), ("dal 12 al 14 dicembre", ITALIAN, "2026-12-12", "2026-12-14"),
     ("torno il 10 dicembre e parto il 3 dicembre", ITALIAN, "2026-12-03", "2026-12-10"),
     ("del 12 al 14 de diciembre", SPANISH, "2026-12-12", "2026-12-14"), ("salgo el lunes y vuelvo el viernes", SPANISH, "2026-11-23", "2026-11-27"),
     ("hasta el 10 de diciembre desde el 3 de diciembre", SPANISH, "2026-12-03", "2026-12-10"),
     ("vom 12. bis zum 14. Dezember", GERMAN, "2026-12-12", "2026-12-14"), ("12.-14. Dezember", GERMAN, "2026-12-12", "2026-12-14"),
     ("bis 14. Dezember, ab 12. Dezember", GERMAN, "2026-12-12", "2026-12-14")],
)  # fmt: skip
def test_each_end_of_a_stretch_goes_to_the_field_that_asks_for_it(
    text: str, context: Context, first: str, last: str
) -> None:
    """By "from" and "until", by verbs of leaving and coming back, or by a dash, in whatever order: one named value for each field."""
    for field, day in zip(ENDS[context.locale], (first, last), strict=True):
        assert [(r.data, r.named) for r in kind_of(field).find(field, text, context)] == [(day, True)]


@pytest.mark.parametrize(
    "text", ["3 December and 10 December", "12 December, 14 December", "either 3 December or 10 December"]
)
def test_where_no_word_decides_nothing_is_named(text: str) -> None:
    """Two days without a word of direction belong to neither field for certain."""
    for field in ENDS["en-GB"]:
        read = kind_of(field).find(field, text, ENGLISH)
        assert len(read) == 2
        assert not any(r.named for r in read)


def test_a_field_without_an_end_keeps_both() -> None:
    """A field that asks for neither end reads both days, and what lies between two days is none."""
    assert found(OPEN, "from 3 December until 10 December") == ["2026-12-03", "2026-12-10"]
    assert found(OPEN, "between 3 December and 10 December") == []


def test_one_end_alone_is_no_value_of_the_other() -> None:
    """ "until the 14th" says nothing of the start."""
    start, end = ENDS["en-GB"]
    assert (found(start, "until 14 December"), found(end, "until 14 December")) == ([], ["2026-12-14"])


def test_the_times_of_a_stretch() -> None:
    """Hours are told apart as days are."""
    opens = Field(name="opens", kind="time", label="Start time", ask="When?")
    closes = Field(name="closes", kind="time", label="End time", ask="When?")
    assert (found(opens, "from 9:30 am to 5 pm"), found(closes, "from 9:30 am to 5 pm")) == (["09:30"], ["17:00"])
