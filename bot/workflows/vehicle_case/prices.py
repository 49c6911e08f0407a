"""The price list beside the form (prices.toml), and what a case costs and which documents it needs. Without tax (IVA)."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from state.draft.draft import Draft
from state.form.field import Part
from state.form.files import Files
from state.form.source import FormError, meant
from state.form.validation import read_as
from state.rules import Decider, Decision, answer

from .checks import warnings

FILE = "prices.toml"
Euros = Annotated[str, StringConstraints(pattern=r"^\d{1,5}(?:\.\d{2})?$")]
"""An amount in euros, before tax: "95" or "95.50"."""


class Element(Part):
    """What an element costs (nothing said: on request), the documents that it may need, and what everybody who changes it is told."""

    price: Euros | None = None
    documents: tuple[str, ...] = ()
    warning: str = ""


class Prices(Part):
    """The whole file."""

    version: str
    opening: Euros
    workshop_certificate: Euros
    dimensions: Euros
    abandoned_after_days: Annotated[int, Field(ge=1)]
    elements: Mapping[str, Element]
    documents: Mapping[str, str]


def read_prices(files: Files) -> Prices:
    """Read and check prices.toml. Raises FormError with the lines to mend."""
    source = files.toml(FILE)
    prices = read_as(Prices, source, {"elements": Element})
    unknown = [
        source.problem(
            ("elements", name, "documents"),
            f'"{document}" is no document. Add it to [documents].{meant(document, prices.documents)}',
        )
        for name, element in prices.elements.items()
        for document in element.documents
        if document not in prices.documents
    ]
    if unknown:
        raise FormError(unknown)
    return prices


def euros(amount: Decimal) -> str:
    """ "1.205 €", "95,50 €": as people read it in Spanish."""
    whole, _, cents = f"{amount:,.2f}".partition(".")
    return whole.replace(",", ".") + ("" if cents == "00" else f",{cents}") + " €"


OURS = "nuestro"


def elements(draft: Draft) -> tuple[str, ...]:
    """Return the elements that were changed, in the form's order."""
    return tuple(answer(draft, "elementos") or ())


def lines(draft: Draft, prices: Prices) -> Iterator[tuple[str, Decimal]]:
    """Return what the price is made of: name and euros, the opening of the case first."""
    yield "opening", Decimal(prices.opening)
    for name in elements(draft):
        price = prices.elements[name].price
        if price is not None:
            yield name, Decimal(price)
    if answer(draft, "cambian_dimensiones"):
        yield "dimensions", Decimal(prices.dimensions)
    if answer(draft, "taller") == OURS:
        yield "workshop_certificate", Decimal(prices.workshop_certificate)


def on_request(draft: Draft, prices: Prices) -> tuple[str, ...]:
    """Return the elements that a technician prices."""
    return tuple(name for name in elements(draft) if prices.elements[name].price is None)


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
        more = ", más lo que es a consultar" if on_request(draft, prices) else ""
        price = f"El precio es de {euros(total(draft, prices))} sin IVA{more}"
        extra = f"el certificado de nuestro taller, si lo quiere, son {certificate} más."
        warned = tuple(w for name in elements(draft) if (w := prices.elements[name].warning))
        return Decision("quoted", (f"{price}; {extra}", *(f"⚠️ {w}" for w in warned)))

    return decide


def final_price(prices: Prices) -> Decider:
    """Return the whole price and what was remarked upon, said above the review."""

    def decide(draft: Draft, _facts: Mapping[str, Any]) -> Decision:
        more = ", más lo que es a consultar" if on_request(draft, prices) else ""
        price = f"El precio total es de {euros(total(draft, prices))} sin IVA"
        return Decision("priced", (f"{price}{more}.", *(f"⚠️ {w}" for w in warnings(draft))))

    return decide
