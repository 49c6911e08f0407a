"""The loan workflow as it is shipped: its figures, and people to judge by them."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import bot.workflows
from bot.workflows.loan.applicant import Applicant, Debt
from bot.workflows.loan.figures import Figures, Table, read_figures
from bot.workflows.loan.products import Match, judge
from state.draft.draft import Draft, Provenance, Value
from state.form.field import Data
from state.form.files import Files
from tests.shipped import shipped

FOLDER = Path(bot.workflows.__file__).parent / "loan"
TODAY = date(2026, 11, 20)
FIRST_QUARTER = date(2026, 2, 10)
TABLE: Table = read_figures(Files((FOLDER,)))
FIGURES: Figures = TABLE.on(TODAY)
EMPLOYEE = Applicant(
    work="dipendente", wants="consiglio", employer="statale", contract="indeterminato", net=Decimal("1750")
)
PENSIONER = Applicant(
    work="pensionato", wants="consiglio", pension="vecchiaia", pension_class="inps", net=Decimal("1200")
)


def debt(instalment: str, kind: str = "prestito", remaining: int = 24, whole: int | None = None) -> Debt:
    """A debt with so many euro a month."""
    return Debt(kind, Decimal(instalment), remaining, whole)


def matches(person: Applicant, figures: Figures = FIGURES, **changed: Any) -> dict[str, Match]:
    """Every product's match, by its name."""
    return {m.product: m for m in judge(replace(person, **changed), figures)}


LOAN = shipped("loan")
SAID = Provenance("U0ALEX", f"{TODAY}T12:00:00+00:00", "typed")


def draft_of(**values: Data) -> Draft:
    """A draft with these answers, given at noon of the day."""
    told = {name: Value(value, SAID) for name, value in values.items()}
    return Draft("d1", "loan", "T0HOLDFAST", "U0ALEX", "c", began=SAID.at, zone="Europe/Rome", values=told)
