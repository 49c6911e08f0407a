"""PA dealing as it is shipped, and drafts, records and facts to judge by it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bot.workflows
from state.draft.draft import Disclosure, Draft, Provenance, Value
from state.form.field import Data
from state.lists.versions import InForce
from state.workflow.load import Workflow
from tests.shipped import shipped

FOLDER = Path(bot.workflows.__file__).parent / "pa_dealing"
TODAY = "2026-11-20"
SAID = Provenance("U0ALEX", f"{TODAY}T12:00:00+00:00", "typed")
ISINS = {
    "tesco": "GB00BLGZ9862", "shell": "GB00BP6MXD84", "vodafone": "GB00BH4HKS39", "siemens": "DE0007236101",
    "world": "IE00B4L5Y983", "apple": "US0378331005",
}  # fmt: skip
PLAIN: Mapping[str, Data] = {
    "security": ISINS["tesco"], "direction": "buy", "quantity": 200, "value": "720.00", "currency": "GBP", "account": "ISA",
    "is_derivative": False, "is_leveraged": False, "has_inside_info": False, "is_related_party": False,
    "has_client_conflict": False, "holding_period_ack": True, "justification": "I am spreading my savings over more sectors",
}  # fmt: skip


def dealing() -> Workflow:
    """The workflow, loaded and checked."""
    return shipped("pa_dealing")


DEALING = dealing()


def draft_of(disclosed: tuple[str, ...] = (), facts: Mapping[str, Any] | None = None, **changed: Data) -> Draft:
    """A complete request for 200 Tesco worth GBP 720, with some answers changed; `facts` replace what was known of the security."""
    data = {**PLAIN, **changed}
    values = {name: Value(value, SAID) for name, value in data.items()}
    for option in DEALING.rules.lookups["securities"](str(data["security"])).options:
        values["security"] = Value(option.id, SAID, label=option.label, facts={**option.facts, **(facts or {})})
    told = tuple(Disclosure(name, SAID) for name in disclosed)
    return Draft("d", "pa_dealing", "T0HOLDFAST", "U0ALEX", "c", values=values, disclosures=told)


def record(
    number: int, filed: str, state: str = "approved", until: str | None = None, traded: str = "", **values: Data
) -> dict[str, Any]:
    """An earlier request, as the shell gives it; `traded` is the day on which it was reported as executed."""
    given = {"security": ISINS["tesco"], "direction": "buy", "quantity": 100, **values}
    return {
        "number": f"PA-2026-{number:06}",
        "state": state,
        "filed_at": f"{filed}T10:00:00+00:00",
        "values": {name: {"data": data} for name, data in given.items()},
        "computed": {"approval_until": until},
        **({"reported": {"traded_on": traded, "traded_quantity": 50}} if traded else {}),
    }


@dataclass(frozen=True)
class Known:
    """Sources with these records and this day."""

    records: list[Mapping[str, Any]] = field(default_factory=list)
    day: str = TODAY
    question: tuple[str, str] = ("", "")
    lists: Mapping[str, InForce] = field(default_factory=dict)

    async def own_records(self, limit: int = 200) -> list[Mapping[str, Any]]:
        """The newest ones."""
        return self.records[:limit]

    def today(self) -> str:
        """The day."""
        return self.day

    def asked(self) -> tuple[str, str]:
        """The question."""
        return self.question

    async def in_force(self, name: str) -> InForce:
        """What was given, else what ships."""
        return self.lists.get(name) or InForce(DEALING.form.lists[name].title, rows=DEALING.lists[name])


async def facts_for(
    draft: Draft,
    *records: Mapping[str, Any],
    today: str = TODAY,
    asked: tuple[str, str] = ("", ""),
    lists: Mapping[str, InForce] | None = None,
) -> Mapping[str, Any]:
    """What the workflow gathers for a draft, or for a question."""
    return await DEALING.rules.gather(draft, Known(list(records), today, asked, lists or {}))
