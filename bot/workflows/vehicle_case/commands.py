"""What a person may ask at any time: how their case stands, and what it costs."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from state.rules import Answerer

from .prices import Prices, euros

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
    """By the names that the form uses."""

    def price(_rest: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        if facts["elements"]:
            return (f"El precio es de {euros(Decimal(facts['total']))} sin IVA.",)
        least = Decimal(prices.opening) + min(Decimal(e.price) for e in prices.elements.values())
        return (f"Depende de los elementos que haya cambiado: desde {euros(least)} sin IVA.",)

    return {"status": _status, "price": price}


def _status(_rest: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
    now = facts["status"]
    mine = (f"El expediente que tiene abierto aquí está {STATES[now]}.",) if now and now != "cancelled" else ()
    filed = tuple(
        f"El expediente {c['number']}{_about(c)} está {STATES.get(c['state'], c['state'])}."
        for c in facts["cases"][:10]
    )
    return mine + filed or ("Todavía no tiene ningún expediente.",)


def _about(case: Mapping[str, Any]) -> str:
    return f" ({case['essence']})" if case.get("essence") else ""
