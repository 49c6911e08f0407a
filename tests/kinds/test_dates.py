"""Days and hours: by locale, by name, counted from today, and never where two could be meant. Today is Friday, 20 November 2026."""

import pytest

from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field
from tests.kinds.fields import AMERICAN, DAY, ENGLISH, HOUR, ITALIAN, SPANISH, found, parsed, refused, shown, whole


@pytest.mark.parametrize(
    ("text", "day"),
    [("2026-03-03", "2026-03-03"), ("2026/03/03", "2026-03-03"), ("3/4/2026", "2026-04-03"), ("13.04.2026", "2026-04-13"),
     ("04/13/2026", "2026-04-13"), ("3 March 2026", "2026-03-03"), ("March 3rd, 2026", "2026-03-03"), ("the 3rd of March 2026", "2026-03-03"),
     ("3-Mar-26", "2026-03-03"), ("3/4/85", "1985-04-03"), ("3/4/30", "2030-04-03"), ("25 December", "2026-12-25"), ("1 Jan", "2027-01-01"),
     ("Sept 3 2026", "2026-09-03"), ("Friday 20 November 2026", "2026-11-20"), ("today", "2026-11-20"), ("yesterday", "2026-11-19"),
     ("tomorrow please", "2026-11-21"), ("the day after tomorrow", "2026-11-22"), ("next Tuesday", "2026-11-24"), ("on Tuesday", "2026-11-24"),
     ("last Friday", "2026-11-13"), ("Friday", "2026-11-27"), ("in 3 days", "2026-11-23"), ("3 days ago", "2026-11-17"),
     ("a week ago", "2026-11-13"), ("in two weeks", "2026-12-04"), ("3 days from now", "2026-11-23")],
)  # fmt: skip
def test_plain_days(text: str, day: str) -> None:
    """A message that is a day, however it is written, is that day."""
    assert whole(DAY, text) == day


@pytest.mark.parametrize(
    "text",
    ["31/02/2026", "2026-13-01", "0001-01-01", "3/4", "5 May", "3 March 26", "Monday 20 November 2026", "next week", "tomorrow?",
     "not today, tomorrow",
     "2 may be too few", "by tomorrow", "maybe tomorrow", "1.750,00", "from 3 March 2027 to 5 March 2027", "soon", "30 February 2027",
     "in 99999 days"],
)  # fmt: skip
def test_what_is_no_plain_day(text: str) -> None:
    """A day that is none, a far day without its year, a weekday that does not fit, a doubt or a span is no plain day."""
    assert whole(DAY, text) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [("the 25th", "2026-11-25"), ("on the 1st", None), ("the 3rd of this month", "2026-11-03"), ("12th of this month", "2026-11-12"),
     ("the 8th", None), ("the 31st", None), ("8", None), ("the 8th floor", None), ("Monday next week", "2026-11-23"),
     ("Sunday this week", "2026-11-22"),
     ("Friday next week", "2026-11-27"), ("ten days, from today", None)],
)  # fmt: skip
def test_days_of_this_month_and_week(text: str, day: str | None) -> None:
    """A day of the month is the one to come this month, else one clearly nearer than the other; weeks begin on Monday."""
    assert whole(DAY, text) == day


def test_days_of_the_month_in_other_languages() -> None:
    """A bare number after an article is no day in Italian and Spanish; a named one is."""
    assert [whole(DAY, t, ITALIAN) for t in ("il giorno 25", "il 25", "il 12 di questo mese")] == [
        "2026-11-25",
        None,
        "2026-11-12",
    ]
    assert [whole(DAY, t, SPANISH) for t in ("el día 25", "el 25", "el lunes de la próxima semana")] == [
        "2026-11-25",
        None,
        "2026-11-23",
    ]


def test_the_turn_of_the_year() -> None:
    """At the end of December the first of the month is in January, and the last days are just gone."""
    assert whole(DAY, "the 1st", Context("en-GB", "2026-12-30")) == "2027-01-01"
    assert whole(DAY, "the 29th", Context("en-GB", "2026-12-30")) == "2026-12-29"


def test_a_numeric_date_follows_the_locale() -> None:
    """ "3/4/2026" is in April in Britain and in March in the United States; one that has a single reading is taken anywhere."""
    assert whole(DAY, "3/4/2026", ENGLISH) == "2026-04-03"
    assert whole(DAY, "3/4/2026", AMERICAN) == "2026-03-04"
    assert whole(DAY, "13/4/2026", AMERICAN) == whole(DAY, "13/4/2026", ENGLISH) == "2026-04-13"


@pytest.mark.parametrize(
    ("text", "day"),
    [("oggi", "2026-11-20"), ("domani", "2026-11-21"), ("dopodomani", "2026-11-22"), ("l'altro ieri", "2026-11-18"),
     ("martedì prossimo", "2026-11-24"),
     ("lunedì scorso", "2026-11-16"), ("il 3 marzo 2027", "2027-03-03"), ("1º marzo 2027", "2027-03-01"), ("03/04/2026", "2026-04-03"),
     ("fra 3 giorni", "2026-11-23"), ("una settimana fa", "2026-11-13")],
)  # fmt: skip
def test_italian_days(text: str, day: str) -> None:
    """Days are read in Italian."""
    assert whole(DAY, text, ITALIAN) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [("hoy", "2026-11-20"), ("mañana", "2026-11-21"), ("pasado mañana", "2026-11-22"), ("el lunes", "2026-11-23"),
     ("el próximo martes", "2026-11-24"),
     ("el lunes pasado", "2026-11-16"), ("el lunes que viene", "2026-11-23"), ("3 de marzo de 2027", "2027-03-03"), ("hace 3 días", "2026-11-17"),
     ("dentro de una semana", "2026-11-27")],
)  # fmt: skip
def test_spanish_days(text: str, day: str) -> None:
    """Days are read in Spanish."""
    assert whole(DAY, text, SPANISH) == day


def test_the_spanish_morning_is_not_tomorrow() -> None:
    """ "por la mañana" names no day, and "mañana por la mañana" names one."""
    assert found(DAY, "por la mañana", SPANISH) == []
    assert found(DAY, "mañana por la mañana", SPANISH) == ["2026-11-21"]


def test_days_in_open_words() -> None:
    """A named day comes before the others, a rejected one not at all."""
    assert found(DAY, "bought yesterday, trade date 3 March 2027") == ["2027-03-03", "2026-11-19"]
    assert found(DAY, "not today but tomorrow") == ["2026-11-21"]
    assert found(DAY, "it was Monday 20 November 2026") == []


@pytest.mark.parametrize("given", ["", "soon", "31/02/2026", "5 May", None, 20261120, True])
def test_refused_days(given: object) -> None:
    """What is no day is refused."""
    assert refused(DAY, given) == "not_a_date"


def test_shown() -> None:
    """A day is shown as the language writes it: with a short month, or in digits."""
    assert shown(DAY, "2026-11-20", ENGLISH) == "20 Nov 2026"
    assert shown(DAY, "2026-11-20", ITALIAN) == "20/11/2026"
    assert shown(DAY, "2026-09-03", Context("en-GB", "2026-01-01")) == "3 Sept 2026"


@pytest.mark.parametrize(
    ("text", "hour"),
    [("14:30", "14:30"), ("2:30 pm", "14:30"), ("2pm", "14:00"), ("10:30", "10:30"), ("02:30", "02:30"), ("noon", "12:00"), ("midnight", "00:00"),
     ("12am", "00:00"), ("12 pm", "12:00"), ("at 14", "14:00"), ("14h30", "14:30"), ("5 in the afternoon", "17:00"), ("at 5 p.m.", "17:00"),
     ("half past two in the afternoon", "14:30"), ("quarter to 5 pm", "16:45"), ("quarter to 12 in the morning", "11:45"),
     ("six in the evening", "18:00"), ('6 o"clock in the evening', "18:00"), ("6 o clock in the morning", "06:00"),
     ("one pm", "13:00"), ("afternoon 3:45", "15:45"), ("1 o'clock in the afternoon", "13:00")],
)  # fmt: skip
def test_plain_hours(text: str, hour: str) -> None:
    """A message that is a time of day beyond doubt is that time."""
    assert whole(HOUR, text) == hour


@pytest.mark.parametrize(
    "text",
    [
        "at 5",
        "2:30",
        "25:00",
        "10:61",
        "13 am",
        "half past two",
        "10:30?",
        "not 10:30",
        "5",
        "at £14",
        "10.30",
        "six",
        "half past two",
        "at 5 or 6 pm",
    ],
)
def test_what_is_no_plain_hour(text: str) -> None:
    """What could be morning or afternoon, or is no time, is no plain time."""
    assert whole(HOUR, text) is None


def test_hours_in_other_languages() -> None:
    """In Italian and Spanish the clock has 24 hours, and a dot may part hours from minutes."""
    assert [whole(HOUR, t, ITALIAN) for t in ("9:30", "alle 14.30", "ore 15", "le tre e mezza del pomeriggio", "alle 9")] == [
        "09:30", "14:30", "15:00", "15:30", None,
    ]  # fmt: skip
    assert [whole(HOUR, t, SPANISH) for t in ("a las 14:30", "a las 5 de la tarde", "mediodía")] == [
        "14:30",
        "17:00",
        "12:00",
    ]


def test_hours_of_entries() -> None:
    """A time is taken in its usual spellings, or refused."""
    assert parsed(HOUR, "2:30 pm") == "14:30"
    assert refused(HOUR, "soon") == refused(HOUR, "2:30") == refused(HOUR, None) == "not_a_time"


@pytest.mark.parametrize(
    ("locale", "text", "behind", "ahead"),
    [
        ("en-GB", "Monday", "2026-11-16", "2026-11-23"), ("it-IT", "lunedì", "2026-11-16", "2026-11-23"),
        ("de-DE", "Montag", "2026-11-16", "2026-11-23"), ("es-ES", "lunes", "2026-11-16", "2026-11-23"),
        ("en-GB", "25 November", "", "2026-11-25"), ("en-GB", "the 3rd", "2026-11-03", "2026-12-03"),
        ("en-GB", "tomorrow", "", "2026-11-21"), ("de-DE", "gestern", "2026-11-19", ""), ("it-IT", "1/1/44", "1944-01-01", "2044-01-01"),
        ("en-GB", "today", "2026-11-20", "2026-11-20"),
    ],
)  # fmt: skip
def test_a_form_says_on_which_side_of_today_a_day_lies(locale: str, text: str, behind: str, ahead: str) -> None:
    """ "Monday" is the last one or the next; a day on the other side is not taken, in words or in a box."""
    context = Context(locale, "2026-11-20")
    for lies, wanted in (("behind", behind), ("ahead", ahead)):
        field = Field(name="day", kind="date", label="Day", ask="When?", lies=lies)
        assert [r.data for r in kind_of(field).find(field, text, context)] == ([wanted] if wanted else [])
        if not wanted:
            with pytest.raises(Unreadable):
                kind_of(field).parse(field, text, context)
