"""Charts as people see them: values behind bars, nothing over anything, each currency by itself, in the form's language."""

import re
from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.operations.charts import BAR, DARK, DASHED, LIGHT, Box, Limit, Look, Panel, Row, draw_card
from bot.workflows.expenses.chart import Bar, Month, draw, panels
from state.fields.base import Context

HAIR = 0.5
"""Pixels by which neighbours may touch."""
AMOUNTS = st.floats(-1e15, 1e15, allow_nan=False) | st.sampled_from([0.0, 1.0, 1e-9, 5.0])
LABELS = st.text("abcdefgh ilmÄß$_^{}", min_size=1, max_size=90)
ROWS = st.builds(
    Row, LABELS, AMOUNTS, st.text("0123456789,.€ %", min_size=1, max_size=22), st.text("+−0123456789 %", max_size=8),
    st.none() | AMOUNTS, st.booleans(),
)  # fmt: skip
PANELS = st.builds(
    Panel, LABELS, st.lists(ROWS, max_size=8), st.text("total 0123", max_size=120),
    st.lists(st.builds(Limit, st.floats(0, 1e15), st.just("alert above")), max_size=2),
)  # fmt: skip


def meet(one: Box, other: Box) -> bool:
    """Return True if two places have more than a hair in common."""
    wide, high = (min(one[n + 2], other[n + 2]) - max(one[n], other[n]) for n in (0, 1))
    return wide > HAIR and high > HAIR


@given(st.lists(PANELS, max_size=3), st.sampled_from([LIGHT, DARK]), LABELS)
def test_no_word_stands_on_a_bar_or_beyond_the_card(drawn: Sequence[Panel], look: Look, title: str) -> None:
    """Whatever names, values, notes, limits and figures there are: words lie on no bar, cross no line's value, and end on the card."""
    canvas = draw_card(title, ("now", "before"), drawn, look)
    for word in canvas.words:
        left, top, right, bottom = word.box
        assert not any(meet(word.box, shape.box) for shape in canvas.shapes if shape.kind == BAR)
        assert min(left, top) >= 0 and right <= canvas.width and bottom <= canvas.height


def test_a_value_is_behind_its_limit() -> None:
    """No limit's line goes through a value that stands behind its bar."""
    rows = [Row(f"r{n}", float(n), f"{n}.0 %") for n in range(25)]
    canvas = draw_card("Shares", (), [Panel("Share", rows, limits=[Limit(5, "5 %"), Limit(20, "20 %")])])
    lines = [shape.box for shape in canvas.shapes if shape.kind == DASHED]
    assert len(lines) == 2
    values = [word.box for word in canvas.words if word.text.endswith(".0 %")]
    assert len(values) == 25 and not any(
        v[0] + HAIR < line[0] and line[2] < v[2] - HAIR for line in lines for v in values
    )


EURO, POUND = "EUR", "GBP"


def month(*drawn: Bar, then: str = "October") -> Month:
    """A month of expenses."""
    return Month("Expenses", "November", then, drawn, lambda n: f"{n} more", "new", whole=lambda sums: f"Total: {sums}")


def spent(label: str, now: str, before: str = "0", code: str = EURO) -> Bar:
    """What was spent on something."""
    return Bar(label, {code: (Decimal(now), Decimal(before))})


IN_WORDS = [
    ("en-GB", "EUR · Euro", "€1,234.50", "+25%", "GBP · British Pound"),
    ("it-IT", "EUR · Euro", "1.234,50\N{NO-BREAK SPACE}€", "+25%", "GBP · Sterlina britannica"),
    ("es-ES", "EUR · Euro", "1.234,50\N{NO-BREAK SPACE}€", "+25\N{NO-BREAK SPACE}%", "GBP · Libra esterlina"),
    ("de-DE", "EUR · Euro", "1.234,50\N{NO-BREAK SPACE}€", "+25\N{NO-BREAK SPACE}%", "GBP · Britisches Pfund"),
]


@pytest.mark.parametrize(("locale", "euro", "amount", "change", "pound"), IN_WORDS)
def test_sums_are_written_as_the_form_speaks(locale: str, euro: str, amount: str, change: str, pound: str) -> None:
    """Amounts, shares and the names of currencies are those of the form's language; no sum is of two currencies."""
    drawn = month(spent("Food", "1234.50", "987.60"), spent("Taxi", "9", "3", POUND))
    first, second = panels(drawn, Context(locale, "2026-11-20"))
    assert (first.heading, second.heading) == (euro, pound)
    assert [(row.label, row.shown, row.note) for row in first.rows] == [("Food", amount, change)]
    assert first.beside == f"Total: {amount} {change}" and len(second.rows) == 1


def test_the_largest_stand_first_and_the_rest_is_one_bar() -> None:
    """Twelve categories in their order, then one bar for all that are left: nothing is lost from the sum."""
    drawn = month(*(spent(f"c{n:02}", str(n + 1), "1") for n in range(20)))
    (panel,) = panels(drawn, Context("en-GB", "2026-11-20"))
    assert [row.label for row in panel.rows] == [*(f"c{n:02}" for n in range(19, 7, -1)), "8 more"]
    assert panel.rows[-1].value == sum(range(1, 9)) and panel.beside.startswith("Total: €210.00")
    (all_of_them,) = panels(month(*drawn.bars[:13]), Context("en-GB", "2026-11-20"))
    assert len(all_of_them.rows) == 13 and all_of_them.rows[-1].label == "c00"


@pytest.mark.parametrize(
    ("now", "before", "shown", "note"),
    [
        ("0", "0", "€0.00", ""),
        ("5", "0", "€5.00", "new"),
        ("0", "5", "€0.00", "−100%"),
        ("-5", "5", "−€5.00", ""),
        ("5", "-5", "€5.00", ""),
        ("5", "5", "€5.00", "±0%"),
        ("600", "50", "€600.00", "× 12"),
    ],
)
def test_a_change_is_told_where_it_means_something(now: str, before: str, shown: str, note: str) -> None:
    """Nothing, something new and a refund each have words that one can read."""
    (panel,) = panels(month(spent("Food", now, before)), Context("en-GB", "2026-11-20"))
    assert (panel.rows[0].shown, panel.rows[0].note) == (shown, note)


def test_a_huge_sum_fits_its_bar() -> None:
    """A sum with more digits than a bar has room for is rounded, with the language's own word for so many."""
    (panel,) = panels(month(spent("Food", "1234567890123456", "5")), Context("en-GB", "2026-11-20"))
    assert re.fullmatch(r"€1234\.6\D{1,3}", panel.rows[0].shown)


def test_without_a_month_before_there_is_nothing_to_compare() -> None:
    """No slim bar and no share stand where there was nothing to compare with."""
    (panel,) = panels(month(spent("Food", "5"), then=""), Context("en-GB", "2026-11-20"))
    assert (panel.rows[0].note, panel.rows[0].before, panel.beside) == ("", None, "Total: €5.00")


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_a_card_brings_its_own_ground(look: Look) -> None:
    """A picture is 1600 dots wide, nothing of it lets the page through, and words stand out from it by 4.5 to 1."""
    picture = Image.open(BytesIO(draw(month(spent("Food", "5")), Context("en-GB", "2026-11-20"), look)))
    assert picture.width == 1600
    assert picture.convert("RGBA").getextrema()[3] == (255, 255)
    for colour in (look.text, look.quiet, look.loud, look.limit):
        assert contrast(colour, look.card) >= 4.5
    for colour in (look.bar, look.before):
        assert contrast(colour, look.card) >= 2.8


def contrast(one: str, other: str) -> float:
    """How far two colours are from each other, as WCAG counts it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """How light a colour is."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
