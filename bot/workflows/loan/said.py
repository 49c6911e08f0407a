"""How figures and days stand in the sentences: €1.750,00, 15,8250%, 20/11/2026."""

from collections.abc import Iterable, Mapping
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


def limit(rate: Decimal) -> str:
    """Return a limit as it is set, without idle zeros: "40%", "37,5%"."""
    return f"{format_decimal(rate, '0.####', locale=ITALIAN)}%"


def the(shown: str) -> str:
    """Return a percentage with its article, as it is read aloud: "il 40%", "l'8%", "lo 0,5%"."""
    return f"{ARTICLES[_begins(shown)][0]}{shown}"


def of(shown: str) -> str:
    """Return a percentage after `di`: "del 30,04%", "dell'8%", "dello 0%"."""
    return f"{ARTICLES[_begins(shown)][1]}{shown}"


def _begins(shown: str) -> str:
    """Return how the number begins when it is read: with a vowel (uno, otto, undici, ottanta), with "zero", or otherwise."""
    head, *groups = shown.rstrip("%").partition(",")[0].split(".")
    vowel = head in ("8", "11") or (head[:1] == "8" and len(head) > 1) or (head == "1" and not groups)
    return "zero" if head == "0" else "vowel" if vowel else "other"


ARTICLES: Mapping[str, tuple[str, str]] = {
    "zero": ("lo ", "dello "),
    "vowel": ("l'", "dell'"),
    "other": ("il ", "del "),
}


def day(when: date) -> str:
    """ "20/11/2026"."""
    return f"{when:%d/%m/%Y}"


def months(count: int) -> str:
    """ "1 mese", "24 mesi"."""
    return f"{count} mese" if count == 1 else f"{count} mesi"


def numbered(lines: Iterable[str], first: int = 1) -> str:
    """Return lines with their numbers: "1. …"."""
    return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, first))
