"""Sums as people read them: with the sign of the form's one currency, where their language puts it."""

import pytest

from state.draft.display import display_value, plainly
from state.draft.draft import Provenance, Value
from state.fields.base import Context
from tests.kinds.fields import NET, VALUE

SAID = Provenance("U0ALEX", "2026-11-20T12:00:00+00:00", "typed")


@pytest.mark.parametrize(
    ("locale", "written"), [("it-IT", "€1.750,00"), ("en-GB", "€1,750.00"), ("es-ES", "1.750,00 €")]
)
def test_a_sum_in_the_one_currency_has_its_sign(locale: str, written: str) -> None:
    """A field with a fixed currency is shown with that currency's sign; what is stored stays the bare amount."""
    context = Context(locale, "2026-11-20")
    assert display_value(NET, Value("1750.00", SAID), context) == plainly(NET, "1750.00", context) == written


def test_a_sum_beside_a_currency_field_is_shown_bare() -> None:
    """Where the currency is an answer of its own, none is added."""
    assert plainly(VALUE, "1750.00", Context("it-IT", "2026-11-20")) == "1.750,00"
