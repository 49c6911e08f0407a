"""What a submission becomes: blocked, approved by rule, or put before the manager, with its reasons in sentences."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from state.draft.draft import Draft
from state.draft.missing import holds
from state.rules import Filer, Filing

from .facts import Facts, answer, fact, on, says_yes
from .holding import approval_until, spoken
from .policy import Policy
from .risk import Concern, Level, amount, concerns, held_until, kind_of, overall, pounds

SHOWN = 5
"""Earlier requests for the same security that those who decide read."""
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
        until = _approval(draft, facts, policy) if state == APPROVED else None
        results = {BLOCKED: blocks, PENDING: (*found, *vetoes), APPROVED: tuple(_approved(until, policy))}[state]
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
            state, tuple(dict.fromkeys(c.whole for c in results)), computed, tuple(_told(draft, state, results)),
            until=until.isoformat() if until else "", background=tuple(background(draft, facts, level)),
            kept={name: policy.number(name) for name in KEPT},
        )  # fmt: skip

    return file


def _told(draft: Draft, state: str, results: Iterable[Concern]) -> Iterator[str]:
    """Return what the person reads. Of a block one sentence, whatever its cause: another one for each would tell which it is."""
    if state == BLOCKED:
        yield not_now(fact(draft, "name"))
    else:
        yield from (c.text for c in results if c.theirs)


def not_now(name: str) -> str:
    """All that a person is told of a security that may not be traded."""
    return f"{name} may not be traded at the moment; compliance can tell you more."


def approved_until(policy: Policy) -> Callable[[Draft, str, str], str]:
    """Return the last day of an approval that is given today, by the limit in force when the request was filed; nothing else ends."""

    def until(draft: Draft, state: str, today: str) -> str:
        if state not in ("approved", APPROVED):
            return ""
        days = int(draft.filed.pending.kept.get("approval_validity", policy.number("approval_validity")))
        return approval_until(date.fromisoformat(today), days, fact(draft, "exchange")).isoformat()

    return until


def background(draft: Draft, facts: Facts, level: Level) -> Iterator[str]:
    """Return what those who decide read beside the answers: the risk, and the person's own earlier requests for the same security."""
    yield f"Risk: {level.value}."
    yield from _old_rate(facts)
    same = [r for r in facts["requests"] if r["security"] == answer(draft, "security")]
    yield from (_earlier(request) for request in same[:SHOWN])
    if not same:
        yield f"No earlier request of theirs for {fact(draft, 'name')} is on record."
    elif len(same) > SHOWN:
        yield f"There are {len(same) - SHOWN} older ones."


def _old_rate(facts: Facts) -> Iterator[str]:
    """One currency's rate may be older than the table that it stands in, of which the house itself says how old it is."""
    rate, table = facts["rate"], facts.get("sources", {}).get("fx")
    if not (rate and table) or table["late"] or table["limit"] is None:
        return
    days = (date.fromisoformat(facts["today"]) - date.fromisoformat(rate["day"])).days
    if days > table["limit"]:
        yield f"The exchange rate is of {days} days ago ({rate['day']})."


def _earlier(request: Mapping[str, Any]) -> str:
    about = request.get("essence") or "an earlier request"
    return f"Earlier: {request['number']}, {about}, filed {on(request['day'])}, {request['state'].replace('_', ' ')}."


def hard_blocks(draft: Draft, facts: Facts, policy: Policy) -> Iterator[Concern]:
    """Return what no approval can mend: the restricted list, a closed period, inside information, a prohibited kind of instrument."""
    name, closed = fact(draft, "name"), facts.get("closed")
    if facts["restricted"]:
        note = _note(facts.get("restricted_note", ""))
        yield _block(f"{name} is on the restricted list since {on(facts['restricted'])}.{note}", policy, "restricted")
    if closed:
        days = f"from {on(closed['from'])} until {on(closed['until'])}"
        yield _block(f"{name} is in a closed period {days}.{_note(closed['note'])}", policy, "closed_periods")
    if says_yes(draft, "has_inside_info"):
        yield _block(f"Inside information about {name} was declared.", policy)
    if fact(draft, "kind") in policy.words("prohibited_kinds"):
        yield _block(f"{name} is {kind_of(draft)}, which may not be traded.", policy, "prohibited_kinds")


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


def _approval(draft: Draft, facts: Facts, policy: Policy) -> date:
    today = date.fromisoformat(facts["today"])
    return approval_until(today, policy.number("approval_validity"), fact(draft, "exchange"))


def _approved(until: date | None, policy: Policy) -> Iterator[Concern]:
    if until:
        of = policy.origin("thresholds")
        text = f"The risk is low and the value is under {amount(policy.amount('auto_approve_below'))}."
        yield Concern(Level.LOW, text, theirs=True, origin=of)
        yield Concern(Level.LOW, f"The approval is good until {spoken(until)}.", theirs=True, origin=of)


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
