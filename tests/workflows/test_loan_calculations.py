"""The arithmetic of loans, against the figures of the law and of the broker."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.workflows.loan import figures as sums
from bot.workflows.loan.figures import Band, Stale, Table, read_figures
from state.form.files import Files
from state.form.source import FormError
from state.workflow.tables import outdated
from tests.thoroughness import examples
from tests.workflows.loan_cases import EMPLOYEE, FIGURES, FIRST_QUARTER, FOLDER, TABLE, matches

D = Decimal
euros = st.decimals(0, 20_000, places=2)
HALF_A_CENT = D("0.005")


@pytest.mark.parametrize(
    ("net", "quota"), [("1750", "350.00"), ("1234.56", "246.91"), ("1751.03", "350.21"), ("0", "0.00")]
)
def test_an_assignment_takes_a_fifth_of_the_net(net: str, quota: str) -> None:
    """Cessione del quinto: net / 5, rounded half up to the cent."""
    assert sums.assignable(D(net), FIGURES) == D(quota)


@settings(max_examples=examples(50))
@given(euros)
def test_an_assignment_is_never_more_than_a_fifth(net: Decimal) -> None:
    """The instalment stays within half a cent of net / 5."""
    assert abs(sums.assignable(net, FIGURES) - net / 5) <= HALF_A_CENT


def test_a_delegation_is_another_fifth() -> None:
    """Beside a full assignment of a net 1,750 there is room for a delegation of 350, and together they are two fifths."""
    assert sums.delegable(D(1750), D(350), D(0), FIGURES) == D("350.00")
    assert sums.together(D(1750), FIGURES) == D("700.00")


@settings(max_examples=examples(50))
@given(euros, euros, euros)
def test_both_stay_under_the_cap_and_under_half(net: Decimal, assigned: Decimal, delegated: Decimal) -> None:
    """A new delegation never takes assignment and delegation beyond the broker's two fifths, nor beyond half of the net."""
    room = sums.delegable(net, assigned, delegated, FIGURES)
    assert room >= 0
    if room > 0:
        assert assigned + delegated + room <= net * 2 / 5 + HALF_A_CENT
        assert assigned + delegated + room <= net / 2 + HALF_A_CENT
        assert delegated + room <= net / 5 + HALF_A_CENT


def test_the_law_holds_where_a_broker_would_go_further() -> None:
    """A broker's cap above half of the net changes nothing: article 70 stays the limit."""
    rules = {**TABLE.written.rules}
    rules["broker_share"] = rules["broker_share"].model_copy(update={"value": D("0.9")})
    generous = replace(FIGURES, written=TABLE.written.model_copy(update={"rules": rules}))
    assert sums.together(D(1000), generous) == D("500.00")


@pytest.mark.parametrize(
    ("net", "quota"),
    [("700", "88.15"), ("600", "0.00"), ("611.85", "0.00"), ("611.86", "0.01"), ("764.81", "152.96"), ("764.82", "152.96"), ("1200", "240.00")],
)  # fmt: skip
def test_a_pension_keeps_the_minimum(net: str, quota: str) -> None:
    """Pension: the smaller of a fifth and of what lies above the minimum pension of 611.85."""
    assert sums.assignable_pension(D(net), FIGURES) == D(quota)


@settings(max_examples=examples(50))
@given(euros)
def test_what_is_left_of_a_pension_is_the_minimum_or_all_of_it(net: Decimal) -> None:
    """After the largest instalment at least 611.85 is left, or the whole pension where it was less."""
    quota = sums.assignable_pension(net, FIGURES)
    assert net - quota >= min(net, D("611.85"))
    assert quota <= net / 5 + HALF_A_CENT


def test_an_assignment_runs_from_two_to_ten_years() -> None:
    """The term is 24 to 120 months, and is told with the instalment."""
    assert "durata da 24 a 120 mesi" in matches(EMPLOYEE)["cessione_stipendio"].reasons[0]


@pytest.mark.parametrize(
    ("whole", "first", "needed"), [(60, False, 24), (120, False, 48), (72, False, 29), (60, True, 0), (120, True, 48)]
)
def test_an_assignment_is_renewed_after_two_years_of_five_or_four_of_ten(whole: int, first: bool, needed: int) -> None:
    """Article 39: 24 months of 60, 48 of 120; a first ten-year assignment may take a five-year one's place at any time."""
    assert sums.months_before_renewal(whole, FIGURES, first_decennial=first) == needed


@pytest.mark.parametrize(
    ("instalments", "band"),
    [
        ("0", Band.GREEN), ("300", Band.GREEN), ("300.01", Band.YELLOW), ("350", Band.YELLOW), ("350.01", Band.ORANGE),
        ("400", Band.ORANGE), ("400.01", Band.RED), ("500", Band.RED), ("500.01", Band.CRITICAL),
    ],
)  # fmt: skip
def test_the_ratio_has_five_bands(instalments: str, band: Band) -> None:
    """Up to 30 percent green, 35 yellow, 40 orange, 50 red, above that critical; each limit belongs to its own band."""
    assert sums.band(sums.dti([D(instalments)], D(1000)), FIGURES) is band


@settings(max_examples=examples(50))
@given(st.lists(euros, max_size=4), euros.filter(lambda net: net > 0), euros)
def test_a_further_instalment_never_betters_the_band(instalments: list[Decimal], net: Decimal, more: Decimal) -> None:
    """The ratio grows with every instalment, and the band with it."""
    order = list(Band)
    before, after = sums.dti(instalments, net), sums.dti([*instalments, more], net)
    assert order.index(sums.band(before, FIGURES)) <= order.index(sums.band(after, FIGURES))


@pytest.mark.parametrize(
    ("category", "ceiling"),
    [
        ("assignment_small", "21.1625"),
        ("assignment_large", "15.8250"),
        ("mortgage_fixed", "8.9500"),
        ("mortgage_variable", "9.1625"),
    ],
)
def test_the_usury_ceiling_is_the_decrees(category: str, ceiling: str) -> None:
    """In the first quarter of 2026 the ceilings come out as the decree of 23 December 2025 prints them."""
    assert sums.usury_ceiling(category, TABLE.on(FIRST_QUARTER)) == D(ceiling)


def test_the_usury_ceiling_is_at_most_eight_points_above_the_average() -> None:
    """From an average of 16 percent on, TEGM + 8 is the lower of the two."""
    names = ("assignment_small", "assignment_large", "mortgage_fixed", "mortgage_variable")
    rates = {name: D(p) for name, p in zip(names, ("16", "20", "15.99", "1"), strict=True)}
    quarter = TABLE.written.quarters[0].model_copy(update=rates)
    figures = replace(TABLE.on(FIRST_QUARTER), written=TABLE.written.model_copy(update={"quarters": (quarter,)}))
    assert [sums.usury_ceiling(n, figures) for n in names] == [D("24"), D("28"), D("23.9875"), D("5.25")]


@pytest.mark.parametrize("day", [date(2025, 12, 31), date(2026, 4, 1)])
def test_a_quarter_that_is_not_in_the_table_has_no_ceiling(day: date) -> None:
    """The day before a quarter and the day after it have no ceiling, rather than the neighbour's."""
    with pytest.raises(Stale):
        sums.usury_ceiling("assignment_small", TABLE.on(day))


@pytest.mark.parametrize(("certified", "most"), [("44999.99", "44999.99"), ("45000", "45000"), ("80000", "45000")])
def test_an_advance_on_severance_is_at_most_45_000(certified: str, most: str) -> None:
    """Anticipo TFS: what INPS certified, and at most 45,000 euro."""
    assert sums.severance_advance(D(certified), FIGURES) == D(most)


@pytest.mark.parametrize("name", sorted(TABLE.written.rules))
def test_no_figure_is_used_outside_its_dates(name: str) -> None:
    """Every figure says where it comes from and refuses the day before it holds and the day after its review."""
    rule = TABLE.written.rules[name]
    assert rule.source.strip()
    assert TABLE.on(rule.effective)[name] == TABLE.on(rule.stale_after)[name] == rule.value
    for day in (rule.effective - timedelta(days=1), rule.stale_after + timedelta(days=1)):
        with pytest.raises(Stale, match=name):
            _ = TABLE.on(day)[name]


@pytest.mark.parametrize(
    ("born", "years"), [(date(1966, 11, 20), 60), (date(1966, 11, 21), 59), (date(2008, 2, 29), 18)]
)
def test_a_year_is_complete_on_the_birthday(born: date, years: int) -> None:
    """Age in whole years on 20 November 2026."""
    assert sums.age(born, date(2026, 11, 20)) == years


WRONG = {
    'value = "0.2"': ('value = "a fifth"', "`value` must be a number in quotes"),
    "[rules.minimum_pension]": ("[rules.minimum_pensions]", "No rule reads [rules.minimum_pensions]"),
    'value = "0.4"': ('value = "40"', "A share is at most the whole"),
    'value = "35"': ('value = "41"', "`dti_yellow` is above `dti_orange`"),
    'value = "24"': ('value = "121"', "`shortest_term` is above `longest_term`"),
    "stale_after = 2026-12-31": ("stale_after = 2025-12-31", "`effective` is after `stale_after`"),
    'assignment_large = "9.46"': ('assignment_lage = "9.46"', "`assignment_large`"),
    'mortgage_fixed = "3.96"': ('mortgage_fixed = "3,96"', "`mortgage_fixed` must be a number in quotes"),
    'mortgage_variable = "4.13"': ('mortgage_variable = "413"', "`mortgage_variable`"),
    "effective = 2026-01-01\nstale_after = 2026-03-31": ("effective = 2026-01-02\nstale_after = 2026-03-31", "Write 2026-01-01"),
    "stale_after = 2026-03-31": ("stale_after = 2026-03-30", "ends on 2026-03-31"),
}  # fmt: skip


@pytest.mark.parametrize("was", WRONG)
def test_a_figure_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, was: str) -> None:
    """A company's own figures are checked when they are read: a wrong one is told with its line."""
    now, told = WRONG[was]
    (tmp_path / "figures.toml").write_text((FOLDER / "figures.toml").read_text("utf-8").replace(was, now, 1), "utf-8")
    with pytest.raises(FormError) as raised:
        read_figures(Files((tmp_path, FOLDER)))
    problem = next(p for p in raised.value.problems if told in p.text)
    assert problem.file == tmp_path / "figures.toml"
    assert problem.line > 1


QUARTER = """
[[quarters]]
effective = {first}
stale_after = {last}
source = "INVENTED FOR THIS TEST: no decree"
assignment_small = "10.00"
assignment_large = "8.00"
mortgage_fixed = "4.00"
mortgage_variable = "4.00"
"""


def with_quarter(folder: Path, first: str, last: str) -> Table:
    """The shipped figures with one invented quarter more, laid over them."""
    shipped = (FOLDER / "figures.toml").read_text("utf-8")
    (folder / "figures.toml").write_text(shipped + QUARTER.format(first=first, last=last), "utf-8")
    return read_figures(Files((folder, FOLDER)))


def test_a_company_adds_a_quarter_by_one_block(tmp_path: Path) -> None:
    """A copied block with its days and rates is all that a further quarter takes; the ceilings of its days follow from it."""
    table = with_quarter(tmp_path, "2026-04-01", "2026-06-30")
    assert sums.usury_ceiling("assignment_small", table.on(date(2026, 6, 30))) == D("16.5000")
    assert sums.usury_ceiling("assignment_small", table.on(FIRST_QUARTER)) == D("21.1625")


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        ("2026-07-01", "2026-09-30", "No quarter holds from 2026-04-01 to 2026-06-30"),
        ("2026-01-01", "2026-03-31", "Two quarters overlap"),
        ("2026-04-01", "2026-06-29", "ends on 2026-06-30"),
    ],
)
def test_a_quarter_that_leaves_a_gap_or_overlaps_is_refused_at_its_line(
    tmp_path: Path, first: str, last: str, told: str
) -> None:
    """Quarters follow on each other day by day: what does not is told with the file, the line and what to do."""
    with pytest.raises(FormError) as raised:
        with_quarter(tmp_path, first, last)
    problem = next(p for p in raised.value.problems if told in p.text)
    lines = (tmp_path / "figures.toml").read_text("utf-8").splitlines()
    assert problem.file == tmp_path / "figures.toml"
    assert lines[problem.line - 1].startswith(("effective", "stale_after"))
    assert problem.line > len(lines) - 9


def test_the_check_reminds_of_a_quarter_that_is_over(tmp_path: Path) -> None:
    """Once the last quarter of the table is over it is named, at its line, and no more once the next one is added."""
    told = [p.text for p in outdated(Files((FOLDER,)), date(2026, 5, 1))]
    assert any("quarters" in text and "2026-03-31" in text for text in told)
    with_quarter(tmp_path, "2026-04-01", "2026-06-30")
    assert not [p for p in outdated(Files((tmp_path, FOLDER)), date(2026, 5, 1)) if "quarters" in p.text]
