"""The arithmetic of a pre-qualification: exact decimals, rounded half up to the cent where money is told.

Every function takes the day's figures and raises Stale where one that it needs does not hold on that day.
"""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from enum import StrEnum

from .figures import Figures

CENT = Decimal("0.01")
HUNDREDTH = Decimal("0.0001")
ZERO = Decimal(0)
QUINQUENNIAL, DECENNIAL = 60, 120
"""Months of a five-year and of a ten-year assignment (DPR 180/1950, art. 39)."""


class Band(StrEnum):
    """How much of the income goes into instalments."""

    GREEN = "green"
    YELLOW = "yellow"
    ORANGE = "orange"
    RED = "red"
    CRITICAL = "critical"


def cents(amount: Decimal) -> Decimal:
    """Rounded half up to the cent."""
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


def term(months: int, figures: Figures) -> bool:
    """Return True if an assignment may run for so many months."""
    return figures["shortest_term"] <= months <= figures["longest_term"]


def months_before_renewal(whole: int, figures: Figures, *, first_decennial: bool = False) -> int:
    """Months that an assignment of `whole` months must have run before another replaces it (DPR 180/1950, art. 39).

    Two fifths of it, counted up to a whole month: two years of five, four of ten. A first ten-year assignment may take a
    five-year one's place at any time.
    """
    if first_decennial and whole <= QUINQUENNIAL:
        return 0
    return int((whole * figures["renewal_share"]).to_integral_value(ROUND_CEILING))


def dti(instalments: Iterable[Decimal], net: Decimal) -> Decimal:
    """Instalments over net income in percent, exact as far as decimals go. The net must be above nothing."""
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
    """Whole years on a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
