"""The price list beside the form: prices.toml, read and checked once."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from state.form.files import Files
from state.form.near import meant
from state.form.source import FormError
from state.form.wording import worded

FILE = "prices.toml"
Euros = Annotated[str, StringConstraints(pattern=r"^\d{1,5}(?:\.\d{2})?$")]
"""An amount in euros, before tax: "95" or "95.50"."""


class Element(BaseModel):
    """What an element costs, the documents that it may need, and what everybody who changes it is told."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    price: Euros
    documents: tuple[str, ...] = ()
    warning: str = ""


class Prices(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    try:
        prices = Prices.model_validate(source.data)
    except ValidationError as error:
        raise FormError(worded(source, error, {"": Prices, "elements": Element})) from error
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
