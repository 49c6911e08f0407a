"""What is wrong with a trade that was made: worth more than was approved, or a sale within the holding period."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from state.draft.draft import Draft

from .facts import answer, fact
from .holding import bought_on, spoken
from .policy import Policy
from .risk import PENNY
from .tables import Tables

Judge = Callable[[Draft, Mapping[str, Any]], tuple[str, ...]]
HUNDRED = 100


def judge_of_trades(policy: Policy, tables: Tables) -> Judge:
    """Judges the newest report of a draft, by the person's own requests as they are gathered with it."""

    def judge(draft: Draft, facts: Mapping[str, Any]) -> tuple[str, ...]:
        figures, then = draft.filed.reports[-1].figures, policy.as_of(facts)
        return (
            *_worth(draft, figures, draft.filed.reports[-1].tolerance, tables),
            *_held(draft, figures, facts, then),
        )

    return judge


def _worth(draft: Draft, figures: Mapping[str, Any], most: int, tables: Tables) -> Iterator[str]:
    """By as many percent more as a contract note may differ, in pounds where the currency is another one."""
    told, approved = (
        (str(figures["traded_value"]), str(figures["traded_currency"])),
        (str(answer(draft, "value")), str(answer(draft, "currency"))),
    )
    amounts = (
        [_pounds(*one, tables) for one in (told, approved)] if told[1] != approved[1] else [_own(told), _own(approved)]
    )
    now, was = amounts
    shown, allowed = (f"{currency} {Decimal(value):,.2f}" for value, currency in (told, approved))
    if now is None or was is None:
        yield f"The trade came to {shown}, and {allowed} was approved: there is no exchange rate by which to compare them."
    elif now > was * (HUNDRED + most) / HUNDRED:
        yield f"The trade came to {shown}, over {most} % more than the {allowed} that was approved."


def _own(sum_: tuple[str, str]) -> Decimal | None:
    return Decimal(sum_[0])


def _pounds(value: str, currency: str, tables: Tables) -> Decimal | None:
    rate = tables.rates.get(currency)
    return (Decimal(value) * rate.gbp).quantize(PENNY, ROUND_HALF_UP) if rate else None


def _held(draft: Draft, figures: Mapping[str, Any], facts: Mapping[str, Any], policy: Policy) -> Iterator[str]:
    """A sale counts from the last purchase that was executed by its own day; what was bought later restarts nothing for it."""
    if answer(draft, "direction") != "sell":
        return
    day, isin = date.fromisoformat(str(figures["traded_on"])), answer(draft, "security")
    others = (r for r in facts.get("requests", ()) if r["number"] != draft.filed.number and r["traded_on"])
    bought = (bought_on(r, day) for r in others if r["security"] == isin and r["direction"] == "buy")
    last = max((d for d in bought if d is not None and d <= day), default=None)
    free = last + timedelta(days=policy.number("holding_period")) if last else None
    if last and free and day < free:
        yield (
            f"Sold on {spoken(day)} within the holding period: {fact(draft, 'name')} was bought on {spoken(last)}, "
            f"and had to be held until {spoken(free)}."
        )
