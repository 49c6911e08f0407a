"""The vehicle case's rules: prices, checks, warnings, and what a confirmed case becomes."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from state.draft.draft import Draft, Status
from state.form.files import Files
from state.rules import Answerer, Filer, Filing, Gatherer, Rules, Sources

from .checks import WARNINGS, checks, warnings
from .prices import Prices, documents, elements, euros, final_price, lines, on_request, quote, read_prices, total

STATES: Mapping[str, str] = {
    "collecting": "en recogida de datos",
    "pending_images": "pendiente de fotos",
    "pending_review": "pendiente de revisión",
    "in_progress": "en trámite",
    "resolved": "resuelto",
    "returned": "devuelto",
    "cancelled": "cancelado",
    "abandoned": "abandonado",
}
"""The states of a case, as they are called in a sentence."""


def commands(prices: Prices) -> Mapping[str, Answerer]:
    """Return the answers by the names that the form uses."""

    def price(_rest: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        if facts["elements"]:
            more = ", más lo que es a consultar" if facts["on_request"] else ""
            return (f"El precio es de {euros(Decimal(facts['total']))} sin IVA{more}.",)
        least = Decimal(prices.opening) + min(Decimal(e.price) for e in prices.elements.values() if e.price is not None)
        return (f"Depende de los elementos que haya cambiado: desde {euros(least)} sin IVA.",)

    return {"status": _status, "price": price}


def _status(_rest: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
    now = facts["status"]
    mine = (f"El expediente que tiene abierto aquí está {STATES[now]}.",) if now and now != "cancelled" else ()
    filed = []
    for case in facts["cases"][:10]:
        about = f" ({case['essence']})" if case.get("essence") else ""
        filed.append(f"El expediente {case['number']}{about} está {STATES.get(case['state'], case['state'])}.")
    return (*mine, *filed) or ("Todavía no tiene ningún expediente.",)


PHOTOS = ("_fotos", "vistas", "ficha_tecnica", "permiso_circulacion")
"""How the fields are called that hold pictures."""


def gatherer(prices: Prices) -> Gatherer:
    """Return the gatherer of `today`, the present case's `status` and `elements`, and the person's own `cases`."""

    async def gather(draft: Draft, sources: Sources) -> Mapping[str, Any]:
        cases = [
            {"number": r["number"], "state": r["state"], "essence": r.get("essence", "")}
            for r in await sources.own_records()
        ]
        today = sources.today()
        return {"today": today, "status": status(draft, today, prices), "total": str(total(draft, prices)),
                "elements": list(elements(draft)), "on_request": list(on_request(draft, prices)), "cases": cases}  # fmt: skip

    return gather


def status(draft: Draft, today: str, prices: Prices) -> str:
    """Return the status of a case that is no record yet: collecting, pending_images, abandoned or cancelled; empty once it is one."""
    if draft.status is Status.CANCELLED:
        return "cancelled"
    if not draft.open:
        return ""
    last = max((v.provenance.at[:10] for v in draft.values.values()), default=draft.began[:10])
    if (date.fromisoformat(today) - date.fromisoformat(last)).days > prices.abandoned_after_days:
        return "abandoned"
    return "pending_images" if draft.asked.endswith(PHOTOS) else "collecting"


def filer(prices: Prices) -> Filer:
    """Return the filer: every case waits for a technician, nothing is decided by rule."""

    def file(draft: Draft, _facts: Mapping[str, Any]) -> Filing:
        warned = warnings(draft)
        computed = {
            "price": str(total(draft, prices)),
            "price_lines": {name: str(amount) for name, amount in lines(draft, prices)},
            "price_on_request": list(on_request(draft, prices)),
            "prices_version": prices.version,
            "documents": list(documents(draft, prices)),
            "warnings": list(warned),
        }
        return Filing("pending_review", warned, computed)

    return file


VERSION = "1"


def rules(files: Files) -> Rules:
    """Read prices.toml and data/provinces.csv. Raises FormError with the lines to mend."""
    prices = read_prices(files)
    provinces = {row["code"]: row["province"] for row in files.table("data/provinces.csv", ("code", "province"))}
    return Rules(
        version=f"{VERSION}, prices {prices.version}",
        checks=checks(provinces),
        warnings=WARNINGS,
        decisions={"quote": quote(prices), "total": final_price(prices)},
        commands=commands(prices),
        gather=gatherer(prices),
        file=filer(prices),
    )
