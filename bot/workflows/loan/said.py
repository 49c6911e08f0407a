"""How figures and days stand in the sentences: €1.750,00, 15,8250%, 20/11/2026."""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from babel.numbers import format_decimal

ITALIAN = "it_IT"


def euro(amount: Decimal) -> str:
    """ "€1.750,00"."""
    return f"€{format_decimal(amount.quantize(Decimal('0.01'), ROUND_HALF_UP), '#,##0.00', locale=ITALIAN)}"


def percent(rate: Decimal, digits: int = 2) -> str:
    """ "30,04%"."""
    shown = rate.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{format_decimal(shown, '0.' + '0' * digits, locale=ITALIAN)}%"


def day(when: date) -> str:
    """ "20/11/2026"."""
    return f"{when:%d/%m/%Y}"


def months(count: int) -> str:
    """ "1 mese", "24 mesi"."""
    return f"{count} mese" if count == 1 else f"{count} mesi"


def numbered(lines: Iterable[str]) -> str:
    """Lines with their numbers: "1. …"."""
    return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
