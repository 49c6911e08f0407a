"""What is wrong with a trade that was made, and the security that its contract note is about."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from state.draft.draft import Draft
from state.fields.values.schemes import identifiers
from state.rules import answer

from .facts import bought_on, fact, spoken, traded
from .filing import PENNY
from .policy import Policy
from .tables import Tables

HUNDRED = 100


def judge_of_trades(policy: Policy, tables: Tables) -> Callable[[Draft, Mapping[str, Any]], tuple[str, ...]]:
    """Return the judge of the newest report of a draft, by the person's own requests as they are gathered with it."""

    def judge(draft: Draft, facts: Mapping[str, Any]) -> tuple[str, ...]:
        figures, then = draft.filed.reports[-1].figures, policy.as_of(facts)
        return (*_worth(draft, figures, draft.filed.reports[-1].tolerance, tables), *_held(draft, figures, facts, then))

    return judge


def _worth(draft: Draft, figures: Mapping[str, Any], most: int, tables: Tables) -> Iterator[str]:
    """Allow as many percent more as a contract note may differ, in pounds where the currency is another one."""
    told = Decimal(str(figures["traded_value"])), str(figures["traded_currency"])
    approved = Decimal(str(answer(draft, "value"))), str(answer(draft, "currency"))
    same = told[1] == approved[1]
    now, was = (amount if same else _pounds(amount, currency, tables) for amount, currency in (told, approved))
    shown, allowed = (f"{currency} {amount:,.2f}" for amount, currency in (told, approved))
    if now is None or was is None:
        yield f"The trade came to {shown}, but {allowed} was approved, and there is no exchange rate to compare them."
    elif now > was * (HUNDRED + most) / HUNDRED:
        yield f"The trade came to {shown}, over {most}% more than the approved {allowed}."


def _pounds(amount: Decimal, currency: str, tables: Tables) -> Decimal | None:
    rate = tables.rates.get(currency)
    return (amount * rate.gbp).quantize(PENNY, ROUND_HALF_UP) if rate else None


def _held(draft: Draft, figures: Mapping[str, Any], facts: Mapping[str, Any], policy: Policy) -> Iterator[str]:
    """Yield a sale within the holding period of the last purchase that was executed by its own day."""
    if answer(draft, "direction") != "sell":
        return
    day, isin = date.fromisoformat(str(figures["traded_on"])), traded(draft)
    others = (r for r in facts.get("requests", ()) if r["number"] != draft.filed.number and r["traded_on"])
    bought = (bought_on(r, day) for r in others if r["security"] == isin and r["direction"] == "buy")
    last = max((d for d in bought if d is not None and d <= day), default=None)
    free = last + timedelta(days=policy.number("holding_period")) if last else None
    if last and free and day < free:
        yield (
            f"Sold on {spoken(day)} within the holding period: {fact(draft, 'name')} was bought on {spoken(last)}, "
            f"and had to be held until {spoken(free)}."
        )


Read = Callable[[str, Draft], Mapping[str, tuple[Any, str]]]


def reader_of_notes() -> Read:
    """Read the one ISIN with a right check digit; without any, the name of the security that was approved. Nothing where there are two."""

    def read(text: str, draft: Draft) -> Mapping[str, tuple[Any, str]]:
        lines = [" ".join(line.split()) for line in text.splitlines()]
        codes = {found.code: line for line in lines for found in identifiers(line, ("isin",))}
        approved, name = (answer(draft, "security"), fact(draft, "name")) if "security" in draft.values else (None, "")
        if codes:
            code, line = next(iter(codes.items()))
            return {"security": (approved if code == traded(draft) else code, line)} if len(codes) == 1 else {}
        named = next((line for line in lines if name and name.casefold() in line.casefold()), "")
        return {"security": (approved, named)} if named else {}

    return read
