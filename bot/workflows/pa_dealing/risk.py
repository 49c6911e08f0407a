"""How much risk a request carries, and why: each concern is a sentence with its level."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from state.draft.draft import Draft

from .facts import Facts, answer, fact, on, says_yes
from .holding import holding_until, last_buy, spoken
from .policy import Policy

PENNY = Decimal("0.01")
KINDS = {
    "cfd": "a CFD", "spread_bet": "a spread bet", "future": "a future", "option": "an option",
    "leveraged_etf": "a leveraged ETF", "etf": "an ETF", "bond": "a bond",
}  # fmt: skip
TWO = 2


class Level(StrEnum):
    """The firm's scale."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


@dataclass(frozen=True)
class Concern:
    """One reason for care."""

    level: Level
    text: str
    theirs: bool = False
    """True if the person may read it: it says nothing that only those who decide know."""
    origin: str = ""
    """Of which list, in which version, or of which policy it is."""

    @property
    def whole(self) -> str:
        """As those who decide read it."""
        return f"{self.text} ({self.origin})"


def overall(concerns: Iterable[Concern]) -> Level:
    """Any HIGH is HIGH, two MEDIUM are MEDIUM, else LOW."""
    levels = [c.level for c in concerns]
    if Level.HIGH in levels:
        return Level.HIGH
    return Level.MEDIUM if levels.count(Level.MEDIUM) >= TWO else Level.LOW


def concerns(draft: Draft, facts: Facts, policy: Policy) -> tuple[Concern, ...]:
    """Everything about a request that raises its risk."""
    limits = (_value(draft, facts, policy), _firm(draft, facts, policy), _sale(draft, facts, policy))
    plain = (_person(draft), *_instrument(draft, policy))
    return (
        *(replace(c, origin=policy.origin("thresholds")) for c in limits if c),
        *(replace(c, origin=policy.origin()) for c in plain if c),
    )


def pounds(draft: Draft, facts: Facts, policy: Policy) -> Decimal | None:
    """Return the trade's value in GBP, to the penny, half up; None where no rate of the currency is fresh enough."""
    rate = facts["rate"]
    if rate is None or _age(rate["day"], facts) > timedelta(days=policy.number("rate_valid_for")):
        return None
    return (Decimal(answer(draft, "value")) * Decimal(rate["gbp"])).quantize(PENNY, ROUND_HALF_UP)


def amount(value: Decimal) -> str:
    """As people read it: "GBP 1,000.00"."""
    return f"GBP {value:,.2f}"


def kind_of(draft: Draft) -> str:
    """Return the instrument's kind in a sentence."""
    kind = fact(draft, "kind")
    return KINDS.get(kind, f"of the kind “{kind.replace('_', ' ')}”")


def _value(draft: Draft, facts: Facts, policy: Policy) -> Concern | None:
    value = pounds(draft, facts, policy)
    if value is None:
        return Concern(Level.HIGH, f"No current exchange rate for {answer(draft, 'currency')} is on record.")
    if value > policy.amount("high_above"):
        return Concern(Level.HIGH, f"The trade is worth over {amount(policy.amount('high_above'))}.")
    if value >= policy.amount("medium_from"):
        return Concern(Level.MEDIUM, f"The trade is worth {amount(policy.amount('medium_from'))} or more.")
    return None


def _firm(draft: Draft, facts: Facts, policy: Policy) -> Concern | None:
    days = policy.number("firm_traded_within")
    recent = [day for day in facts["firm_trades"] if timedelta(0) <= _age(day, facts) <= timedelta(days=days)]
    if not recent:
        return None
    return Concern(
        Level.HIGH, f"The firm itself traded {fact(draft, 'name')} on {on(max(recent))}, within {days} days."
    )


def _person(draft: Draft) -> Concern | None:
    connected = says_yes(draft, "is_related_party")
    return Concern(Level.HIGH, "The trade is for a connected person.") if connected else None


def _sale(draft: Draft, facts: Facts, policy: Policy) -> Concern | None:
    """A sale inside the holding period is no hard block: compliance may allow it in hardship, and sees it as HIGH."""
    until = held_until(draft, facts, policy)
    if until is None or answer(draft, "direction") != "sell":
        return None
    return Concern(Level.HIGH, f"This is a sale inside the holding period, which ends on {spoken(until)}.", theirs=True)


def held_until(draft: Draft, facts: Facts, policy: Policy) -> date | None:
    """Return the first day on which what was bought earlier may be sold; None where no holding period runs."""
    today = date.fromisoformat(facts["today"])
    bought = last_buy(facts["requests"], answer(draft, "security"), today)
    return holding_until(bought, policy.number("holding_period"), today)


def _instrument(draft: Draft, policy: Policy) -> Iterator[Concern]:
    if fact(draft, "kind") in policy.words("medium_kinds"):
        yield Concern(Level.MEDIUM, f"{fact(draft, 'name')} is {kind_of(draft)}.")
    if answer(draft, "is_derivative") is True:
        yield Concern(Level.MEDIUM, "The instrument was declared to be a derivative.")


def _age(day: str, facts: Facts) -> timedelta:
    return date.fromisoformat(facts["today"]) - date.fromisoformat(day)
