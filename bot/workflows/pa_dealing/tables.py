"""The tables that the rules look things up in: securities, the firm's own trades, exchange rates."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from stdnum import cusip, isin
from stdnum.gb import sedol

from state.form.files import Files, Row
from state.form.source import Problem

Read = TypeVar("Read")


@dataclass(frozen=True)
class Security:
    """One instrument. `isin` is its key; `sedol`, `cusip` and `symbol` may be empty."""

    isin: str
    sedol: str
    cusip: str
    ticker: str
    symbol: str
    name: str
    exchange: str
    """Market identifier code, ISO 10383."""
    market: str
    kind: str
    currency: str


@dataclass(frozen=True)
class Rate:
    """How many pounds one unit of a currency was worth on a day."""

    gbp: Decimal
    day: date
    source: str


@dataclass(frozen=True)
class FirmTrade:
    isin: str
    day: date
    side: str


@dataclass(frozen=True)
class Tables:
    """Everything, in memory: securities by ISIN, rates by currency."""

    securities: dict[str, Security]
    firm_trades: tuple[FirmTrade, ...]
    rates: dict[str, Rate]


def read_tables(files: Files) -> Tables:
    """Read all three. Raises FormError at the first line that cannot be used."""
    securities = [_security(row) for row in files.table("data/securities.csv", tuple(Security.__annotations__))]
    trades = files.table("data/firm_trades.csv", ("isin", "date", "side"))
    rates = files.table("data/fx.csv", ("currency", "gbp", "date", "source"))
    return Tables(
        securities={s.isin: s for s in securities},
        firm_trades=tuple(FirmTrade(_isin(row), _day(row, "date"), row["side"]) for row in trades),
        rates={row["currency"]: Rate(_positive(row, "gbp"), _day(row, "date"), row["source"]) for row in rates},
    )


def stale_rates(files: Files, days: int) -> Callable[[str], Iterator[Problem]]:
    """Rates that are too old to be used on a day, told at the first of them."""
    rows = files.table("data/fx.csv", ("currency", "date"))

    def stale(today: str) -> Iterator[Problem]:
        old = [row for row in rows if date.fromisoformat(today) - _day(row, "date") > timedelta(days=days)]
        if old:
            names = ", ".join(row["currency"] for row in old)
            told = f"Rates of more than {days} days ago are not used: {names}. Write today's."
            yield Problem(old[0].file, old[0].line, told)

    return stale


def _security(row: Row) -> Security:
    _isin(row)
    for column, scheme in (("sedol", sedol), ("cusip", cusip)):
        if row[column] and not scheme.is_valid(row[column]):
            raise row.wrong(f'"{row[column]}" is no valid {column.upper()}: its check digit is off. Correct it.')
    for column in ("ticker", "name", "kind", "currency"):
        if not row[column]:
            raise row.wrong(f"The {column} is empty. Fill it in.")
    return Security(**{column: row[column] for column in Security.__annotations__})


def _isin(row: Row) -> str:
    if not isin.is_valid(row["isin"]):
        raise row.wrong(f'"{row["isin"]}" is no valid ISIN: its check digit is off. Correct it.')
    return row["isin"]


def _day(row: Row, column: str) -> date:
    return _read(row, column, date.fromisoformat, "a date like 2026-11-20")


def _positive(row: Row, column: str) -> Decimal:
    number = _read(row, column, Decimal, "a number like 0.87")
    if not number.is_finite() or number <= 0:
        raise row.wrong(f'"{row[column]}" must be above zero. Correct it.')
    return number


def _read(row: Row, column: str, read: Callable[[Any], Read], wanted: str) -> Read:
    try:
        return read(row[column])
    except (ValueError, InvalidOperation) as error:
        raise row.wrong(f'"{row[column]}" is not {wanted}. Correct it.') from error
