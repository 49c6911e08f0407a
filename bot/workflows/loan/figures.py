"""The figures by which a pre-qualification is judged, each with its source and its dates, and the arithmetic on them.

Exact decimals, rounded half up to the cent where money is told. A figure is used on the days on which it holds, else Stale is raised."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from enum import StrEnum
from itertools import pairwise

from pydantic import Field

from state.form.field import Part
from state.form.files import Files, contradiction, disorder, falls
from state.form.source import FormError, meant
from state.form.validation import read_as

FILE = "figures.toml"
NAMES = (
    "assignable_share", "delegable_share", "cumulation_share", "broker_share", "minimum_pension", "shortest_term",
    "longest_term", "renewal_share", "dti_green", "dti_yellow", "dti_orange", "dti_red", "personal_loan_income",
    "personal_loan_dti", "mortgage_income", "mortgage_dti", "consolidation_debts", "consolidation_dti", "private_staff",
    "severance_advance", "usury_factor", "usury_margin", "usury_distance",
)  # fmt: skip
RISING = (("shortest_term", "longest_term"), ("dti_green", "dti_yellow", "dti_orange", "dti_red"))
"""Figures of which none is above the next one."""
CATEGORIES: Mapping[str, str] = {
    "assignment_small": "cessione del quinto fino a €15.000",
    "assignment_large": "cessione del quinto oltre €15.000",
    "mortgage_fixed": "mutuo a tasso fisso",
    "mortgage_variable": "mutuo a tasso variabile",
    "personal_loan": "prestito personale",
}
"""What an average rate is of, and how a person reads it; all but the last one stand in every quarter."""
MOST = 100
"""Percent that no average rate reaches: above it a comma was lost."""


class Stale(Exception):
    """A figure that does not hold on the day it is asked for: not yet in force, or past the day it had to be read again."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Dated(Part):
    """The source and the day of an entry."""

    source: str = Field(min_length=1)
    effective: date
    stale_after: date

    def holds(self, day: date) -> bool:
        """Return True if it may be used on that day."""
        return self.effective <= day <= self.stale_after


class Rule(Dated):
    """One figure, exact."""

    value: Decimal = Field(ge=0)
    unit: str


class AverageRate(Dated):
    """A quarter's average rate (TEGM) of one category, in percent."""

    category: str
    label: str
    percent: Decimal = Field(gt=0)


class Quarter(Dated):
    """A quarter's average rates (TEGM), in percent."""

    assignment_small: Decimal = Field(gt=0, lt=MOST)
    assignment_large: Decimal = Field(gt=0, lt=MOST)
    mortgage_fixed: Decimal = Field(gt=0, lt=MOST)
    mortgage_variable: Decimal = Field(gt=0, lt=MOST)
    personal_loan: Decimal | None = Field(default=None, gt=0, lt=MOST)

    @property
    def rates(self) -> Iterator[AverageRate]:
        """Each category by itself."""
        for name, label in CATEGORIES.items():
            if (percent := getattr(self, name)) is not None:
                yield AverageRate(
                    category=name, label=label, percent=percent,
                    source=self.source, effective=self.effective, stale_after=self.stale_after,
                )  # fmt: skip


class Written(Part):
    """figures.toml as it is written."""

    version: str
    rules: Mapping[str, Rule]
    average_rates: tuple[AverageRate, ...] = ()
    quarters: tuple[Quarter, ...] = ()

    @property
    def rates(self) -> tuple[AverageRate, ...]:
        """Every rate there is, those that are written one by one included."""
        return (*self.average_rates, *(rate for quarter in self.quarters for rate in quarter.rates))


@dataclass(frozen=True)
class Figures:
    """The figures of one day."""

    written: Written
    day: date

    def __getitem__(self, name: str) -> Decimal:
        """Return a figure in its own unit. Raises Stale."""
        rule = self.written.rules[name]
        if not rule.holds(self.day):
            raise Stale(name)
        return rule.value

    def average_rate(self, category: str) -> AverageRate:
        """Return the quarter's rate of a category. Raises Stale where the table has no quarter for the day."""
        found = (r for r in self.written.rates if r.category == category and r.holds(self.day))
        rate = next(found, None)
        if rate is None:
            raise Stale(f"average_rate {category}")
        return rate


@dataclass(frozen=True)
class Table:
    """The whole table, complete: every figure that the rules use is in it."""

    written: Written

    @property
    def version(self) -> str:
        """What records name."""
        return self.written.version

    def on(self, day: date) -> Figures:
        """Return the figures as of a day."""
        return Figures(self.written, day)


def read_figures(files: Files) -> Table:
    """Read and check figures.toml. Raises FormError with the lines to mend."""
    source = files.toml(FILE)
    written = read_as(Written, source, {"rules": Rule, "average_rates": AverageRate, "quarters": Quarter})
    problems = [
        source.problem(keys, text)
        for keys, text in (*_wrong(written), *_contradicting(written), *disorder(source.data))
    ]
    if problems:
        raise FormError(problems)
    return Table(written)


def _wrong(written: Written) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for name in NAMES:
        if name not in written.rules:
            yield ("rules",), f"[rules.{name}] is missing. Add it."
    for name in written.rules:
        if name not in NAMES:
            yield (
                ("rules", name),
                f"No rule reads [rules.{name}]. Correct its name, or take it out.{meant(name, NAMES)}",
            )
    for n, rate in enumerate(written.average_rates):
        yield from ((("average_rates", n, key), text) for key, text in _wrong_rate(written, n, rate))
    in_order = sorted(enumerate(written.quarters), key=lambda one: one[1].effective)
    for n, quarter in in_order:
        yield from ((("quarters", n, key), text) for key, text in _wrong_days(quarter))
    for (_, before), (n, quarter) in pairwise(in_order):
        after = before.stale_after + timedelta(days=1)
        if quarter.effective < after:
            told = f"Two quarters overlap: the one before ends on {before.stale_after}. Correct the days of the copy."
            yield ("quarters", n, "effective"), told
        elif quarter.effective > after:
            gap = f"No quarter holds from {after} to {quarter.effective - timedelta(days=1)}."
            yield ("quarters", n, "effective"), f"{gap} Add it, or correct these days."


def _contradicting(written: Written) -> Iterator[tuple[tuple[str | int, ...], str]]:
    values = {name: rule.value for name, rule in written.rules.items()}
    for low, high in (pair for chain in RISING for pair in falls(chain, values)):
        yield ("rules", low, "value"), contradiction(low, high, values[low])
    for name, value in values.items():
        if name.endswith("_share") and value > 1:
            yield ("rules", name, "value"), "A share is at most the whole. Write a fifth as 0.2."


def _wrong_days(quarter: Quarter) -> Iterator[tuple[str, str]]:
    first = quarter.effective.replace(month=(quarter.effective.month - 1) // 3 * 3 + 1, day=1)
    last = (first + timedelta(days=95)).replace(day=1) - timedelta(days=1)
    if quarter.effective != first:
        yield "effective", f"A quarter begins on its first day. Write {first}."
    if quarter.stale_after != last:
        yield "stale_after", f"The quarter that begins on {first} ends on {last}. Write that day."


def _wrong_rate(written: Written, n: int, rate: AverageRate) -> Iterator[tuple[str, str]]:
    if rate.category not in CATEGORIES:
        yield (
            "category",
            f'"{rate.category}" is no category. Use one of {", ".join(CATEGORIES)}.{meant(rate.category, CATEGORIES)}',
        )
    others = (r for r in written.average_rates[:n] if r.category == rate.category)
    if any(r.effective <= rate.stale_after and rate.effective <= r.stale_after for r in others):
        yield "effective", f"Two quarters of {rate.category} overlap. Correct their days."


CENT = Decimal("0.01")
HUNDREDTH = Decimal("0.0001")
ZERO = Decimal(0)
QUINQUENNIAL = 60
"""Months of a five-year assignment (DPR 180/1950, art. 39)."""


class Band(StrEnum):
    """How much of the income goes into instalments."""

    GREEN = "green"
    YELLOW = "yellow"
    ORANGE = "orange"
    RED = "red"
    CRITICAL = "critical"


def cents(amount: Decimal) -> Decimal:
    """Round half up to the cent."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def monthly(yearly: Decimal) -> Decimal:
    """Return a twelfth of a yearly income, in euro."""
    return cents(yearly / 12)


def assignable(net: Decimal, figures: Figures) -> Decimal:
    """Return the largest instalment of an assignment of salary: a fifth of the net (DPR 180/1950, art. 5), in euro a month."""
    return cents(net * figures["assignable_share"])


def assignable_pension(net: Decimal, figures: Figures) -> Decimal:
    """Return the largest instalment on a pension: a fifth of it, and never what would leave less than the minimum pension."""
    return min(assignable(net, figures), cents(max(ZERO, net - figures["minimum_pension"])))


def together(net: Decimal, figures: Figures) -> Decimal:
    """Return the most that assignment and delegation may come to: half of the net (art. 70), and the broker's own cap."""
    return cents(net * min(figures["cumulation_share"], figures["broker_share"]))


def delegable(net: Decimal, assigned: Decimal, delegated: Decimal, figures: Figures) -> Decimal:
    """Return the largest further instalment of a delegation beside what is assigned and delegated already, in euro a month."""
    share = cents(net * figures["delegable_share"]) - delegated
    return max(ZERO, min(share, together(net, figures) - assigned - delegated))


def months_before_renewal(whole: int, figures: Figures, *, first_decennial: bool = False) -> int:
    """Return the months that an assignment of `whole` months must have run before another replaces it (DPR 180/1950, art. 39).

    Two fifths of it, counted up to a whole month: two years of five, four of ten. A first ten-year assignment may take a
    five-year one's place at any time.
    """
    if first_decennial and whole <= QUINQUENNIAL:
        return 0
    return int((whole * figures["renewal_share"]).to_integral_value(ROUND_CEILING))


def dti(instalments: Iterable[Decimal], net: Decimal) -> Decimal:
    """Return instalments over net income in percent, exact as far as decimals go. The net must be above nothing."""
    return sum(instalments, ZERO) * 100 / net


def band(ratio: Decimal, figures: Figures) -> Band:
    """Return the band of a ratio in percent: up to 30 green, 35 yellow, 40 orange, 50 red, above that critical."""
    named = ((Band.GREEN, "dti_green"), (Band.YELLOW, "dti_yellow"), (Band.ORANGE, "dti_orange"), (Band.RED, "dti_red"))
    return next((kind for kind, name in named if ratio <= figures[name]), Band.CRITICAL)


def usury_ceiling(category: str, figures: Figures) -> Decimal:
    """Return the rate above which interest is usury, in percent: TEGM x 1.25 + 4, never more than TEGM + 8 (law 108/1996, art. 2)."""
    average = figures.average_rate(category).percent
    raised = average * figures["usury_factor"] + figures["usury_margin"]
    return min(raised, average + figures["usury_distance"]).quantize(HUNDREDTH, ROUND_HALF_UP)


def severance_advance(certified: Decimal, figures: Figures) -> Decimal:
    """Return the most that may be advanced on a certified end-of-service payment (DL 4/2019, art. 23), in euro."""
    return min(certified, figures["severance_advance"])


def age(born: date, day: date) -> int:
    """Return the whole years on a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
