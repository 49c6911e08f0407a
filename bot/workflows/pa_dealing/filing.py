"""What a submission becomes: blocked, approved by rule, or put before the manager, by how much risk it carries and why."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Any

from state.draft.draft import Draft
from state.draft.missing import holds
from state.rules import Filer, Filing, answer

from .facts import Facts, approval_until, fact, holding_until, last_buy, on, says_yes, spoken, traded
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
    """True if the person may read it: it says nothing that only reviewers know."""
    origin: str = ""
    """Of which list, in which version, or of which policy it is."""

    @property
    def whole(self) -> str:
        """As reviewers read it."""
        return f"{self.text} ({self.origin})"


def overall(concerns: Iterable[Concern]) -> Level:
    """Return HIGH for any HIGH, MEDIUM for two MEDIUM, else LOW."""
    levels = [c.level for c in concerns]
    if Level.HIGH in levels:
        return Level.HIGH
    return Level.MEDIUM if levels.count(Level.MEDIUM) >= TWO else Level.LOW


def concerns(draft: Draft, facts: Facts, policy: Policy) -> tuple[Concern, ...]:
    """Return everything about a request that raises its risk."""
    return (
        *(replace(c, origin=policy.origin("thresholds")) for c in _past_limits(draft, facts, policy)),
        *(replace(c, origin=policy.origin()) for c in _declared(draft, facts, policy)),
    )


def pounds(draft: Draft, facts: Facts, policy: Policy) -> Decimal | None:
    """Return the trade's value in GBP, to the penny, half up; None where no rate of the currency is fresh enough."""
    rate = facts["rate"]
    if rate is None or _age(rate["day"], facts) > timedelta(days=policy.number("rate_valid_for")):
        return None
    return (Decimal(answer(draft, "value")) * Decimal(rate["gbp"])).quantize(PENNY, ROUND_HALF_UP)


def amount(value: Decimal) -> str:
    """Return it as people read it: "GBP 1,000.00"."""
    return f"GBP {value:,.2f}"


def kind_of(draft: Draft) -> str:
    """Return the instrument's kind in a sentence."""
    kind = fact(draft, "kind")
    return KINDS.get(kind, f"of the kind “{kind.replace('_', ' ')}”")


def _past_limits(draft: Draft, facts: Facts, policy: Policy) -> Iterator[Concern]:
    """Yield what is over a limit: value, the firm's own trades, a holding period. Compliance may still allow it, and sees HIGH."""
    value, days = pounds(draft, facts, policy), policy.number("firm_traded_within")
    if value is None:
        yield Concern(Level.HIGH, f"There is no current exchange rate for {answer(draft, 'currency')}.")
    elif value > policy.amount("high_above"):
        yield Concern(Level.HIGH, f"The trade is worth over {amount(policy.amount('high_above'))}.")
    elif value >= policy.amount("medium_from"):
        yield Concern(Level.MEDIUM, f"The trade is worth {amount(policy.amount('medium_from'))} or more.")
    recent = [day for day in facts["firm_trades"] if timedelta(0) <= _age(day, facts) <= timedelta(days=days)]
    if recent:
        traded = f"The firm itself traded {fact(draft, 'name')} on {on(max(recent))}, within {days} days."
        yield Concern(Level.HIGH, traded)
    until = held_until(draft, facts, policy)
    if until is not None and answer(draft, "direction") == "sell":
        ends = f"This is a sale within the holding period, which ends on {spoken(until)}."
        yield Concern(Level.HIGH, ends, theirs=True)


def _declared(draft: Draft, facts: Facts, policy: Policy) -> Iterator[Concern]:
    """Yield what the answers and the instrument's kind say."""
    if facts.get("unlisted"):
        told = f"{fact(draft, 'name')} ({fact(draft, 'isin')}) {facts['unlisted']} in the list of securities"
        yield Concern(Level.HIGH, f"{told}: compliance checks its kind and its exchange.", theirs=True)
    if says_yes(draft, "is_related_party"):
        yield Concern(Level.HIGH, "The trade is for a connected person.")
    if fact(draft, "kind") in policy.words("medium_kinds"):
        yield Concern(Level.MEDIUM, f"{fact(draft, 'name')} is {kind_of(draft)}.")
    if answer(draft, "is_derivative") is True:
        yield Concern(Level.MEDIUM, "The instrument was declared as a derivative.")


def held_until(draft: Draft, facts: Facts, policy: Policy) -> date | None:
    """Return the first day on which what was bought earlier may be sold; None where no holding period runs."""
    today = date.fromisoformat(facts["today"])
    bought = last_buy(facts["requests"], traded(draft), today)
    return holding_until(bought, policy.number("holding_period"), today)


def _age(day: str, facts: Facts) -> timedelta:
    return date.fromisoformat(facts["today"]) - date.fromisoformat(day)


SHOWN = 5
"""Earlier requests for the same security that reviewers read."""
KEPT = ("approval_validity", "contract_note")
"""Limits that hold for a request from its filing to its end."""
BLOCKED, APPROVED, PENDING = "blocked", "auto_approved", "pending_manager"


def filer(shipped: Policy) -> Filer:
    """Return the filer: by the lists that were in force when the facts were gathered, and the rest of the policy."""

    def file(draft: Draft, facts: Facts) -> Filing:
        policy = shipped.as_of(facts)
        blocks, found = tuple(hard_blocks(draft, facts, policy)), concerns(draft, facts, policy)
        level, vetoes = overall(found), tuple(_vetoes(draft, facts, policy))
        state = BLOCKED if blocks else APPROVED if level is Level.LOW and not vetoes else PENDING
        today = date.fromisoformat(facts["today"])
        days, exchange = policy.number("approval_validity"), fact(draft, "exchange")
        until = approval_until(today, days, exchange) if state == APPROVED else None
        results = {BLOCKED: blocks, PENDING: (*found, *vetoes), APPROVED: tuple(_approved(until, policy))}[state]
        # of a block one sentence, whatever its cause: another one for each would tell which it is
        blocked = state == BLOCKED
        told = (not_now(fact(draft, "name")),) if blocked else tuple(c.text for c in results if c.theirs)
        computed = {
            "risk": level.value,
            "risk_reasons": [c.text for c in found],
            "hard_blocks": [c.text for c in blocks],
            "approval_vetoes": [c.text for c in vetoes],
            "approval_until": until.isoformat() if until else None,
            "origins": [{"result": c.text, "of": c.origin} for c in dict.fromkeys((*blocks, *found, *vetoes))],
            "lists": dict(facts.get("lists", {})),
            **_figures(draft, facts, policy),
        }
        return Filing(
            state, tuple(dict.fromkeys(c.whole for c in results)), computed, told,
            until=until.isoformat() if until else "", background=tuple(background(draft, facts, level)),
            kept={name: policy.number(name) for name in KEPT},
        )  # fmt: skip

    return file


def not_now(name: str) -> str:
    """All that a person is told of a security that may not be traded."""
    return f"{name} can't be traded at the moment. Compliance can tell you more."


def approved_until(policy: Policy) -> Callable[[Draft, str, str], str]:
    """Return the last day of an approval that is given today, by the limit in force when the request was filed; nothing else ends."""

    def until(draft: Draft, state: str, today: str) -> str:
        if state not in ("approved", APPROVED):
            return ""
        days = int(draft.filed.pending.kept.get("approval_validity", policy.number("approval_validity")))
        return approval_until(date.fromisoformat(today), days, fact(draft, "exchange")).isoformat()

    return until


def background(draft: Draft, facts: Facts, level: Level) -> Iterator[str]:
    """Return what reviewers read beside the answers: the risk, and the person's own earlier requests for the same security."""
    yield f"Risk: {level.value}."
    yield from _old_rate(facts)
    same = [r for r in facts["requests"] if r["security"] == traded(draft)]
    for request in same[:SHOWN]:
        about, state = request.get("essence") or "an earlier request", request["state"].replace("_", " ")
        yield f"Earlier: {request['number']}, {about}, submitted {on(request['day'])}, {state}."
    if not same:
        yield f"They have no earlier request for {fact(draft, 'name')} on record."
    elif len(same) > SHOWN:
        yield f"Older requests: {len(same) - SHOWN}."


def _old_rate(facts: Facts) -> Iterator[str]:
    """Yield a sentence where one currency's rate is older than the table that it is in."""
    rate, table = facts["rate"], facts.get("sources", {}).get("fx")
    if not (rate and table) or table["late"] or table["limit"] is None:
        return
    days = (date.fromisoformat(facts["today"]) - date.fromisoformat(rate["day"])).days
    if days > table["limit"]:
        yield f"The exchange rate is {days} days old ({rate['day']})."


def hard_blocks(draft: Draft, facts: Facts, policy: Policy) -> Iterator[Concern]:
    """Return what no approval can mend: the restricted list, a closed period, inside information, a prohibited kind of instrument."""
    name, closed = fact(draft, "name"), facts.get("closed")
    if facts["restricted"]:
        note = _note(facts.get("restricted_note", ""))
        yield _block(
            f"{name} has been on the restricted list since {on(facts['restricted'])}.{note}", policy, "restricted"
        )
    if closed:
        days = f"from {on(closed['from'])} until {on(closed['until'])}"
        yield _block(f"{name} is in a closed period {days}.{_note(closed['note'])}", policy, "closed_periods")
    if says_yes(draft, "has_inside_info"):
        yield _block(f"Inside information about {name} was declared.", policy)
    if fact(draft, "kind") in policy.words("prohibited_kinds"):
        yield _block(f"{name} is {kind_of(draft)}, which can't be traded.", policy, "prohibited_kinds")


def _block(text: str, policy: Policy, name: str = "") -> Concern:
    return Concern(Level.HIGH, text, origin=policy.origin(name))


def _note(note: str) -> str:
    return f" Note: {note}" if note else ""


def _vetoes(draft: Draft, facts: Facts, policy: Policy) -> Iterator[Concern]:
    """Return what keeps a request of low risk from being approved by rule alone."""
    value, most = pounds(draft, facts, policy), policy.amount("auto_approve_below")
    if value is not None and value >= most:
        text = f"{amount(value)} is not under {amount(most)}, so a person decides."
        yield Concern(Level.LOW, text, origin=policy.origin("thresholds"))
    for advisory in policy.advisories:
        if holds(advisory.when, draft):
            yield Concern(Level.LOW, advisory.text, origin=policy.origin())
    stale = policy.unusable(date.fromisoformat(facts["today"]))
    if stale:
        names = ", ".join(name.replace("_", " ") for name in stale)
        text = f"Part of the policy is not in force or is due for review ({names}), so a person decides."
        yield Concern(Level.LOW, text, origin=policy.origin("thresholds"))


def _approved(until: date | None, policy: Policy) -> Iterator[Concern]:
    if until:
        of = policy.origin("thresholds")
        text = f"The risk is low and the value is under {amount(policy.amount('auto_approve_below'))}."
        yield Concern(Level.LOW, text, theirs=True, origin=of)
        yield Concern(Level.LOW, f"The approval is valid until {spoken(until)}.", theirs=True, origin=of)


def _figures(draft: Draft, facts: Facts, policy: Policy) -> dict[str, Any]:
    """Return what the judgement rests on, as plain data."""
    value, held = pounds(draft, facts, policy), held_until(draft, facts, policy)
    bought_today = date.fromisoformat(facts["today"]) + timedelta(days=policy.number("holding_period"))
    until = bought_today if answer(draft, "direction") == "buy" else held
    return {
        "value_gbp": str(value) if value is not None else None,
        "rate": facts["rate"] if value is not None else None,
        "holding_until": until.isoformat() if until else None,
        "policy_version": policy.version,
        "limits": {name: policy.number(name) for name in KEPT},
    }
