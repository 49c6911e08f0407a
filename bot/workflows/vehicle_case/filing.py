"""What a confirmed case becomes: a record that waits for a technician, with its price, its documents and what was remarked upon."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from state.draft.draft import Draft, Status
from state.rules import Filer, Filing, Gatherer, Sources

from .answers import elements
from .checks import warnings
from .prices import Prices
from .quoting import documents, lines, total

PENDING = "pending_review"
PHOTOS = ("_fotos", "vistas", "ficha_tecnica", "permiso_circulacion")
"""How the fields are called that hold pictures."""


def gatherer(prices: Prices) -> Gatherer:
    """Gathers `today`, the present case's `status` and `elements`, and the person's own `cases`."""

    async def gather(draft: Draft, sources: Sources) -> Mapping[str, Any]:
        cases = [
            {"number": r["number"], "state": r["state"], "essence": r.get("essence", "")}
            for r in await sources.own_records()
        ]
        today = sources.today()
        return {"today": today, "status": status(draft, today, prices), "total": str(total(draft, prices)),
                "elements": list(elements(draft)), "cases": cases}  # fmt: skip

    return gather


def status(draft: Draft, today: str, prices: Prices) -> str:
    """Where a case stands that is no record yet: collecting, pending_images, abandoned or cancelled; empty once it is one."""
    if draft.status is Status.CANCELLED:
        return "cancelled"
    if not draft.open:
        return ""
    last = max((v.provenance.at[:10] for v in draft.values.values()), default=draft.began[:10])
    if (date.fromisoformat(today) - date.fromisoformat(last)).days > prices.abandoned_after_days:
        return "abandoned"
    return "pending_images" if draft.asked.endswith(PHOTOS) else "collecting"


def filer(prices: Prices) -> Filer:
    """Every case waits for a technician; nothing is decided by rule."""

    def file(draft: Draft, _facts: Mapping[str, Any]) -> Filing:
        warned = warnings(draft)
        computed = {
            "price": str(total(draft, prices)),
            "price_lines": {name: str(amount) for name, amount in lines(draft, prices)},
            "prices_version": prices.version,
            "documents": list(documents(draft, prices)),
            "warnings": list(warned),
        }
        return Filing(PENDING, warned, computed)

    return file
