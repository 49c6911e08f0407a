"""What a case costs and which documents it needs, from its elements, its dimensions and who certifies the work. Without tax (IVA)."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from state.draft.draft import Draft
from state.rules import Decider, Decision

from .answers import answer, elements
from .checks import warnings
from .prices import Prices, euros

OURS = "nuestro"


def lines(draft: Draft, prices: Prices) -> Iterator[tuple[str, Decimal]]:
    """Return what the price is made of: name and euros, the opening of the case first."""
    yield "opening", Decimal(prices.opening)
    for name in elements(draft):
        yield name, Decimal(prices.elements[name].price)
    if answer(draft, "cambian_dimensiones"):
        yield "dimensions", Decimal(prices.dimensions)
    if answer(draft, "taller") == OURS:
        yield "workshop_certificate", Decimal(prices.workshop_certificate)


def total(draft: Draft, prices: Prices) -> Decimal:
    """Return the price in euros, without tax."""
    return sum((amount for _, amount in lines(draft, prices)), Decimal())


def documents(draft: Draft, prices: Prices) -> tuple[str, ...]:
    """Return names of the documents that the case may need, in the price list's order; a change of dimensions needs a project."""
    wanted = {d for name in elements(draft) for d in prices.elements[name].documents}
    if answer(draft, "cambian_dimensiones"):
        wanted |= {"project", "final_certificate"}
    return tuple(spoken for name, spoken in prices.documents.items() if name in wanted)


def quote(prices: Prices) -> Decider:
    """Return the price of the elements, said before anything is asked for, and what to look out for."""

    def decide(draft: Draft, _facts: Mapping[str, Any]) -> Decision:
        certificate = euros(Decimal(prices.workshop_certificate))
        price = f"El precio es de {euros(total(draft, prices))} sin IVA"
        extra = f"el certificado de nuestro taller, si lo quiere, son {certificate} más."
        warned = tuple(w for name in elements(draft) if (w := prices.elements[name].warning))
        return Decision("quoted", (f"{price}; {extra}", *(f"⚠️ {w}" for w in warned)))

    return decide


def final_price(prices: Prices) -> Decider:
    """Return the whole price and what was remarked upon, said above the review."""

    def decide(draft: Draft, _facts: Mapping[str, Any]) -> Decision:
        price = f"El precio total es de {euros(total(draft, prices))} sin IVA."
        return Decision("priced", (price, *(f"⚠️ {w}" for w in warnings(draft))))

    return decide
