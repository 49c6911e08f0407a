"""Currencies. Canonical: the ISO 4217 code of money that is tender today. Never assumed: "$" alone names none."""

from typing import Any

from babel.numbers import list_currencies

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.amounts import amounts
from state.fields.values.marks import code_of, marks
from state.fields.values.quantities import one_answer
from state.form import Field
from state.form.field import Data
from state.language.tokens import masked, trimmed

CURRENCIES: frozenset[str] = frozenset(list_currencies())
"""ISO 4217, past codes included."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one currency of a message that says nothing else."""
    code = code_of(trimmed(text))
    return code if code and _is_allowed(field, code) else one_answer(field, text, find(field, text, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the currencies of sums first, then those that are named without one; a mark that leaves the country open names none."""
    clean = masked(text)
    beside = {a.mark.start: a for a in amounts(clean, context)}
    clear = [m for m in marks(clean, context) if m.code and (m.start in beside or not m.weak)]
    told = (
        Candidate(m.code, beside[m.start].start, beside[m.start].end, named=True)
        if m.start in beside
        else Candidate(m.code, m.start, m.end)
        for m in clear
    )
    return tuple(sorted((r for r in told if _is_allowed(field, str(r.data))), key=lambda r: not r.named))


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the code. Raises Unreadable: not_a_currency, ambiguous_currency, not_a_choice."""
    text = trimmed(given) if isinstance(given, str) else ""
    code = code_of(text) or _named(text, context)
    if not _is_allowed(field, code):
        raise Unreadable("not_a_choice", {"choices": ", ".join(c.label for c in field.choices)})
    return code


def schema(field: Field) -> dict[str, Any]:
    """Return a string; the form's own currencies where it lists them."""
    return {
        "type": "string",
        **({"enum": [c.value for c in field.choices]} if field.choices else {"description": "ISO 4217"}),
    }


def _named(text: str, context: Context) -> str:
    found = [m for m in marks(text, context) if (m.start, m.end) == (0, len(text))]
    if not found:
        raise Unreadable("not_a_currency")
    if not found[0].code:
        raise Unreadable("ambiguous_currency")
    return found[0].code


def _is_allowed(field: Field, code: str) -> bool:
    return not field.choices or field.choice(code) is not None


KIND = Kind(
    name="currency", whole=whole, find=find, parse=parse, schema=schema,
    fits=lambda _, value: value in CURRENCIES, wanted='must be an ISO 4217 code, like "GBP"',
    claims=True, money="currency", usual=lambda _, currency: currency,
)  # fmt: skip
