"""What a submission becomes: blocked, approved by rule, or put before the manager, with its reasons in sentences."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from state.draft.draft import Draft
from state.draft.missing import holds
from state.rules import Filer, Filing

from .facts import Facts, answer, fact, on, says_yes
from .holding import approval_until, spoken
from .policy import Policy
from .risk import Level, amount, concerns, held_until, kind_of, overall, pounds

SHOWN = 5
"""Earlier requests for the same security that those who decide read."""
BLOCKED, APPROVED, PENDING = "blocked", "auto_approved", "pending_manager"


def filer(policy: Policy) -> Filer:
    """The filer under a policy."""

    def file(draft: Draft, facts: Facts) -> Filing:
        blocks, found = tuple(hard_blocks(draft, facts, policy)), concerns(draft, facts, policy)
        level, vetoes = overall(found), tuple(_vetoes(draft, facts, policy))
        reasons = tuple(dict.fromkeys((*(c.text for c in found), *vetoes)))
        state = BLOCKED if blocks else APPROVED if level is Level.LOW and not vetoes else PENDING
        until = _approval(draft, facts, policy) if state == APPROVED else None
        computed = {
            "risk": level.value,
            "risk_reasons": [c.text for c in found],
            "hard_blocks": list(blocks),
            "approval_vetoes": list(vetoes),
            "approval_until": until.isoformat() if until else None,
            **_figures(draft, facts, policy),
        }
        by_state = {BLOCKED: blocks, PENDING: reasons, APPROVED: tuple(_approved(until, policy))}
        told = tuple(c.text for c in found if c.theirs) if state == PENDING else by_state[state]
        return Filing(
            state, by_state[state], computed, told, until=until.isoformat() if until else "",
            background=tuple(background(draft, facts, level)),
        )  # fmt: skip

    return file


def approved_until(policy: Policy) -> Callable[[Draft, str, str], str]:
    """The last day of an approval that is given today; nothing else ends."""

    def until(draft: Draft, state: str, today: str) -> str:
        if state not in ("approved", APPROVED):
            return ""
        days = policy.number("approval_validity")
        return approval_until(date.fromisoformat(today), days, fact(draft, "exchange")).isoformat()

    return until


def background(draft: Draft, facts: Facts, level: Level) -> Iterator[str]:
    """What those who decide read beside the answers: the risk, and the person's own earlier requests for the same security."""
    yield f"Risk: {level.value}."
    same = [r for r in facts["requests"] if r["security"] == answer(draft, "security")]
    yield from (_earlier(request) for request in same[:SHOWN])
    if not same:
        yield f"No earlier request of theirs for {fact(draft, 'name')} is on record."
    elif len(same) > SHOWN:
        yield f"There are {len(same) - SHOWN} older ones."


def _earlier(request: Mapping[str, Any]) -> str:
    about = request.get("essence") or "an earlier request"
    return f"Earlier: {request['number']}, {about}, filed {on(request['day'])}, {request['state'].replace('_', ' ')}."


def hard_blocks(draft: Draft, facts: Facts, policy: Policy) -> Iterator[str]:
    """What no approval can mend: the restricted list, inside information, a prohibited kind of instrument."""
    if facts["restricted"]:
        yield f"{fact(draft, 'name')} is on the restricted list since {on(facts['restricted'])}."
    if says_yes(draft, "has_inside_info"):
        yield f"Inside information about {fact(draft, 'name')} was declared."
    if fact(draft, "kind") in policy.words("prohibited_kinds"):
        yield f"{fact(draft, 'name')} is {kind_of(draft)}, which may not be traded."


def _vetoes(draft: Draft, facts: Facts, policy: Policy) -> Iterator[str]:
    """What keeps a request of low risk from being approved by rule alone."""
    value, most = pounds(draft, facts, policy), policy.amount("auto_approve_below")
    if value is not None and value >= most:
        yield f"{amount(value)} is not under {amount(most)}, so a person decides."
    yield from (advisory.text for advisory in policy.advisories if holds(advisory.when, draft))
    stale = policy.unusable(date.fromisoformat(facts["today"]))
    if stale:
        names = ", ".join(name.replace("_", " ") for name in stale)
        yield f"Part of the policy is not in force or is due for review ({names}), so a person decides."


def _approval(draft: Draft, facts: Facts, policy: Policy) -> date:
    today = date.fromisoformat(facts["today"])
    return approval_until(today, policy.number("approval_validity"), fact(draft, "exchange"))


def _approved(until: date | None, policy: Policy) -> Iterator[str]:
    if until:
        yield f"The risk is low and the value is under {amount(policy.amount('auto_approve_below'))}."
        yield f"The approval is good until {spoken(until)}."


def _figures(draft: Draft, facts: Facts, policy: Policy) -> dict[str, Any]:
    """What the judgement rests on, as plain data."""
    value, held = pounds(draft, facts, policy), held_until(draft, facts, policy)
    bought_today = date.fromisoformat(facts["today"]) + timedelta(days=policy.number("holding_period"))
    until = bought_today if answer(draft, "direction") == "buy" else held
    return {
        "value_gbp": str(value) if value is not None else None,
        "rate": facts["rate"] if value is not None else None,
        "holding_until": until.isoformat() if until else None,
        "policy_version": policy.version,
        "limits": {
            name: policy.number(name) for name in ("approval_validity", "contract_note", "contract_note_tolerance")
        },
    }
