"""What the documents of the fast track say: proposals, each with the line that it rests on. Nothing counts before the person's click.

What a document does not say plainly is not read: two amounts under one name, or an identifier whose check digit fails, stay to be asked.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stdnum import iban
from stdnum.it import codicefiscale

from state.rules import Reader

AMOUNT = r"(?:€|EUR|Euro)?\s*(?P<value>[0-9]{1,3}(?:[.'][0-9]{3})*,[0-9]{2}|[0-9]+,[0-9]{2}|[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)\b"
DAY = r"(?P<value>[0-9]{2}[/.-][0-9]{2}[/.-][0-9]{4})\b"
BETWEEN = r"\s*[:.=]?\s*"
CODE = re.compile(
    r"(?<![A-Z0-9])[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-EHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z](?![A-Z0-9])"
)
ACCOUNT = re.compile(r"(?<![A-Z0-9])IT\s?[0-9]{2}\s?[A-Z](?:\s?[0-9A-Z]){22}(?![A-Z0-9])")
NOT_MINE = re.compile(r"datore|sostituto|azienda|ditta|coniuge|intermediario", re.IGNORECASE)
"""Lines about somebody else's identifier."""


@dataclass(frozen=True)
class DocumentLine:
    """A value that stands behind one of its names in a line."""

    field: str
    pattern: re.Pattern[str]


def _line(field: str, names: str, value: str) -> DocumentLine:
    return DocumentLine(field, re.compile(rf"\b(?:{names})\b{BETWEEN}{value}", re.IGNORECASE))


NET_SALARY = _line(
    "net_salary",
    r"netto\s+(?:in\s+busta|del\s+mese|a\s+pagare|mensile|da\s+pagare)|stipendio\s+netto(?:\s+mensile)?|retribuzione\s+netta(?:\s+mensile)?",
    AMOUNT,
)
HIRED = _line("hire_date", r"data\s+(?:di\s+)?assunzione|assunt[oa](?:\s+(?:dal|il|in\s+data))?", DAY)
BORN = _line("birth_date", r"data\s+di\s+nascita|nat[oa](?:\s+il)?|luogo\s+e\s+data\s+di\s+nascita", DAY)
STAFF = _line("employer_size", r"numero\s+(?:di\s+)?dipendenti|dipendenti\s+in\s+forza", r"(?P<value>[0-9]{1,7})\b")
CONTRACT = DocumentLine("contract", re.compile(r"\btempo\s+(?P<value>indeterminato|determinato)\b", re.IGNORECASE))
NET_PENSION = _line(
    "net_pension", r"(?:importo|pensione)\s+nett[oa](?:\s+mensile)?|netto\s+(?:a\s+pagare|mensile|del\s+mese)", AMOUNT
)
QUOTA = _line("certified_quota", r"quota\s+(?:massima\s+)?cedibile(?:\s+mensile)?", AMOUNT)
YEARLY = _line("yearly_income", r"reddito\s+netto(?:\s+annuo)?", AMOUNT)

LINES: Mapping[str, tuple[DocumentLine, ...]] = {
    "doc_identity": (BORN,),
    "doc_health_card": (BORN,),
    "doc_iban": (),
    "doc_payslips": (NET_SALARY, HIRED, BORN),
    "doc_cu": (BORN,),
    "doc_salary_certificate": (NET_SALARY, HIRED, CONTRACT, STAFF, BORN),
    "doc_pension_slip": (NET_PENSION, BORN),
    "doc_pension_quota": (QUOTA, BORN),
    "doc_tax_return": (YEARLY, BORN),
}
"""By the form's document fields."""


def readers() -> Mapping[str, Reader]:
    """Return one reader a document: the field's name to the value and the words it rests on."""

    def reader(name: str) -> Reader:
        def read(text: str) -> Mapping[str, tuple[Any, str]]:
            found = {line.field: got for line in LINES[name] if (got := _one(line, text))}
            return found | dict(_code(text)) | (dict(_account(text)) if name == "doc_iban" else {})

        return read

    return {name: reader(name) for name in LINES}


def _one(line: DocumentLine, text: str) -> tuple[str, str] | None:
    """Return the one value under the line's names, with its words; None where there is none, or several that differ."""
    found = list(line.pattern.finditer(text))
    if len({m["value"].casefold() for m in found}) != 1:
        return None
    return found[0]["value"].replace("'", "."), found[0][0].strip()


def _code(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the one codice fiscale that is not somebody else's."""
    lines = [line for line in text.splitlines() if not NOT_MINE.search(line)]
    found = {m[0] for line in lines for m in CODE.finditer(line.upper()) if codicefiscale.is_valid(m[0])}
    if len(found) == 1:
        code = found.pop()
        yield "codice_fiscale", (code, code)


def _account(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the one account."""
    found = {m[0]: iban.compact(m[0]) for m in ACCOUNT.finditer(text) if iban.is_valid(m[0])}
    if len(set(found.values())) == 1:
        words, code = next(iter(found.items()))
        yield "iban", (code, words)
