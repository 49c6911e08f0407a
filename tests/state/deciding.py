"""A small form whose records wait for a manager and for compliance, a filed draft of it, and verdicts on that."""

from dataclasses import replace
from typing import Any

from state.advance import Outcome, advance, with_number
from state.draft.draft import Draft
from state.draft.route import decision_hash, decision_wanted, message_wanted
from state.engine.effects import Ephemeral
from state.engine.events import DecisionMade
from state.form import Form
from state.form.filing import FilingTable
from state.rules import Filing, Rules
from tests.state.forms import AT, FORM, RULES, click, gathered, reviewing

MANAGER, OFFICER, SENIOR, DEPUTY = "U0MANA", "U0OFFI", "U0SENI", "U0DEPU"
HELD = {"manager": (MANAGER,), "compliance": (OFFICER, "U0OFF2"), "senior": (SENIOR, OFFICER)}
UNTIL, LONGER = "2026-11-24", "2026-11-26"
"""The last day of an approval, and of one that was extended."""
ROUTE = FilingTable.model_validate({
    "states": {
        "pending_manager": {
            "by": "manager", "decide": {"approve": "pending_compliance", "decline": "declined"}, "withdraw": "withdrawn",
            "ask": True,
        },
        "pending_compliance": {
            "by": "compliance", "decide": {"approve": "approved", "refer": "pending_senior", "decline": "declined"},
            "conditions": True, "withdraw": "withdrawn", "ask": True,
        },
        "pending_senior": {
            "by": "senior", "decide": {"approve": "approved", "decline": "declined"}, "needs": 2, "withdraw": "withdrawn",
        },
        "approved": {"expires": "expired", "extend": {"by": "senior"}},
    }
})  # fmt: skip
ROUTED: Form = FORM.model_copy(update={"filing": ROUTE})
JUDGED = Rules(
    lookups=RULES.lookups, graders=RULES.graders,
    until=lambda _draft, state, today: "" if state != "approved" else UNTIL if today < UNTIL else LONGER,
    file=lambda _draft, _facts: Filing("pending_manager", ("It is large.",), background=("Risk: LOW.",)),
)  # fmt: skip


def routed(draft: Draft, event: Any) -> Outcome:
    """What the form with the route makes of an event."""
    return advance(ROUTED, JUDGED, draft, event)


def filed() -> Draft:
    """A request that waits for its manager."""
    draft = reviewing()
    return with_number(routed(draft, gathered(draft)), "SM-2026-000001").draft


def verdict(draft: Draft, who: str, verdict: str = "approve", **more: Any) -> DecisionMade:
    """A verdict on what the present card shows, with the facts as `HELD` has them; `more` says them otherwise."""
    role = decision_wanted(ROUTED, draft).by
    note = "Because." if message_wanted(ROUTED, draft, verdict) else ""
    facts = {"role": role, "own": who in HELD.get(role, ()), "reason": "Because.", "note": note, "where": "C1", **more}
    given = {"card": draft.filed.pending.card, "hash": decision_hash(draft), **facts}
    return DecisionMade(f"v{len(draft.filed.decisions)}{who}{verdict}", AT, who, verdict, **given)


def decided(draft: Draft, who: str, word: str = "approve", **more: Any) -> Draft:
    """The draft after a verdict."""
    return routed(draft, verdict(draft, who, word, **more)).draft


def withdrawn(draft: Draft) -> Draft:
    """The draft after its owner took it back."""
    return routed(draft, click("withdraw_confirmed", card="c")).draft


def asked(draft: Draft, who: str, *fields: str, **more: Any) -> DecisionMade:
    """A question to the owner about these fields."""
    return verdict(draft, who, "ask", **{"fields": fields, "note": "Please say more.", "reason": "", **more})


def refiled(draft: Draft) -> Draft:
    """The draft once its owner has submitted it again."""
    outcome = routed(draft, replace(gathered(draft), id=f"g{draft.revision}"))
    return with_number(outcome, draft.filed.number).draft


def approved() -> Draft:
    """A request that was approved until a day."""
    return decided(decided(filed(), MANAGER), "U0OFF2")


def wanted(draft: Draft) -> Draft:
    """The same once its owner has asked to extend it."""
    return routed(draft, click("extend", card=draft.filed.receipt)).draft


def refused(draft: Draft, event: DecisionMade) -> str:
    """The key of the private note with which a verdict is refused; nothing has changed then."""
    outcome = routed(draft, event)
    assert outcome.changes == () and outcome.draft == draft
    (note,) = (e for e in outcome.effects if isinstance(e, Ephemeral))
    assert (note.who, note.channel) == (event.who, "C1")
    return note.line.key
