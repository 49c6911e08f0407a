"""The person who asks, as the rules see them: what was told, in the types of arithmetic. What was not told is None, never 0."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from state.draft.draft import Draft
from state.rules import answer

from .figures import dti, monthly

DEBTS = 4
"""Debts that the form takes; whoever has more talks to a person."""
ASSIGNMENT, DELEGATION, MORTGAGE = "cessione", "delega", "mutuo"
INCOMES = ("net_salary", "net_pension", "other_income")


@dataclass(frozen=True)
class Debt:
    """A loan that is being paid back: euro a month, months left, and (of an assignment) months in all."""

    kind: str
    instalment: Decimal
    remaining: int
    whole: int | None = None

    @property
    def elapsed(self) -> int | None:
        """Months that have run; None where the whole length was not told, or is shorter than what is left."""
        return self.whole - self.remaining if self.whole is not None and self.whole >= self.remaining else None


@dataclass(frozen=True)
class Applicant:
    """`work` and the other words are the form's choices; `net` is euro a month."""

    work: str = ""
    wants: str = ""
    employer: str = ""
    staff: int | None = None
    contract: str = ""
    pension: str = ""
    pension_class: str = ""
    net: Decimal | None = None
    debts: tuple[Debt, ...] = ()
    certified: bool | None = None
    severance: Decimal | None = None
    quota: Decimal | None = None
    """The assignable share that INPS certified, in euro a month."""
    without_income: bool = False
    """The person said that there is no income; else a missing one is unknown."""

    def paid(self, kind: str) -> Decimal:
        """Return the instalments of the debts of one kind, in euro a month."""
        return sum((d.instalment for d in self.debts if d.kind == kind), Decimal(0))

    @property
    def ratio(self) -> Decimal | None:
        """Instalments over income in percent; None without an income."""
        return dti((d.instalment for d in self.debts), self.net) if self.net else None


def applicant(draft: Draft) -> Applicant:
    """Return what the draft tells of the person."""
    return Applicant(
        work=_text(draft, "employment_type"),
        wants=_text(draft, "product_interest"),
        employer=_text(draft, "employer_category"),
        staff=answer(draft, "employer_size"),
        contract=_text(draft, "contract"),
        pension=_text(draft, "pension_kind"),
        pension_class=_text(draft, "pension_class"),
        net=_net(draft),
        debts=tuple(_debts(draft)),
        certified=answer(draft, "tfs_certificate"),
        severance=_amount(draft, "tfs_amount"),
        quota=_amount(draft, "certified_quota"),
        without_income=answer(draft, "has_other_income") is False,
    )


def _net(draft: Draft) -> Decimal | None:
    """Return the monthly income: what the person's work brings, or a twelfth of the year's."""
    told = next((amount for name in INCOMES if (amount := _amount(draft, name)) is not None), None)
    yearly = _amount(draft, "yearly_income")
    return told if told is not None else monthly(yearly) if yearly is not None else None


def _debts(draft: Draft) -> Iterator[Debt]:
    for n in range(1, DEBTS + 1):
        instalment = _amount(draft, f"debt_instalment_{n}")
        remaining = answer(draft, f"debt_remaining_{n}")
        if instalment is not None and remaining is not None:
            yield Debt(_text(draft, f"debt_type_{n}"), instalment, remaining, answer(draft, f"debt_term_{n}"))


def _text(draft: Draft, name: str) -> str:
    return str(answer(draft, name) or "")


def _amount(draft: Draft, name: str) -> Decimal | None:
    data = answer(draft, name)
    return Decimal(str(data)) if data is not None else None
