"""The facts that a request is judged by: gathered once, kept with the record, and enough to judge it again."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from state.draft.draft import Draft
from state.rules import Gatherer, Sources

from .holding import spoken
from .tables import Tables

Facts = Mapping[str, Any]
MAY_TRADE = frozenset({"approved", "auto_approved", "executed", "expired"})
"""States in which the trade may have been made by now: nobody reports yet what was traded before an approval ended."""


def gatherer(tables: Tables) -> Gatherer:
    """Gathers `today`, the person's own `requests`, and of the security `restricted`, `firm_trades` and the currency's `rate`."""

    async def gather(draft: Draft, sources: Sources) -> Facts:
        isin, currency = answer(draft, "security"), answer(draft, "currency")
        since, rate = tables.restricted.get(isin), tables.rates.get(currency)
        return {
            "today": sources.today(),
            "requests": [_request(record) for record in await sources.own_records()],
            "restricted": since.isoformat() if since else None,
            "firm_trades": [t.day.isoformat() for t in tables.firm_trades if t.isin == isin],
            "rate": {"gbp": str(rate.gbp), "day": rate.day.isoformat(), "source": rate.source} if rate else None,
        }

    return gather


def _request(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the rules look at in an earlier request; `valid_until` says how long an approval counts that a person gave."""
    values, filed = record.get("values", {}), str(record["filed_at"])[:10]
    until = record.get("valid_until") or record.get("computed", {}).get("approval_until")
    return {
        "number": record["number"],
        "state": record["state"],
        "essence": record.get("essence", ""),
        "day": filed,
        "may_trade": record["state"] in MAY_TRADE,
        "approval_until": until,
        "traded_by": until or filed,
        **{name: values[name]["data"] if name in values else None for name in ("security", "direction", "quantity")},
    }


def answer(draft: Draft, name: str) -> Any:
    """A field's canonical value; None while there is none."""
    return draft.values[name].data if name in draft.values else None


def says_yes(draft: Draft, name: str) -> bool:
    """Whether yes was answered, or disclosed beside another answer."""
    return answer(draft, name) is True or any(d.field == name for d in draft.disclosures)


def fact(draft: Draft, name: str) -> str:
    """What the look-up knew of the security: its name, its kind, its exchange."""
    return str(draft.values["security"].facts.get(name, ""))


def on(iso: str) -> str:
    """A stored day as people read it."""
    return spoken(date.fromisoformat(iso))
