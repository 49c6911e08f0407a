"""The tables that the rules look things up in (securities, the firm's own trades, exchange rates), and the search for a security."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from rapidfuzz import fuzz, process
from stdnum import cusip, isin
from stdnum.gb import sedol

from state.draft.draft import Option
from state.form.files import Files, Row
from state.form.source import Problem
from state.rules import Results

Read = TypeVar("Read")


@dataclass(frozen=True)
class Security:
    """One instrument. `isin` is its key; what `WANTED` does not name may be empty."""

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

    @property
    def tickers(self) -> tuple[str, str]:
        """Return its ticker and its symbol, as they are compared."""
        return _bare(self.ticker), _bare(self.symbol)


def _bare(ticker: str) -> str:
    """Return a ticker in capitals, without the point that London puts behind two letters ("BP.")."""
    return ticker.upper().rstrip(".")


WANTED = ("isin", "name", "kind", "currency")
"""Columns that a list of securities cannot do without."""


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
    securities = [_security(row) for row in files.table("data/securities.csv", WANTED)]
    trades = files.table("data/firm_trades.csv", ("isin", "date", "side"))
    rates = files.table("data/fx.csv", ("currency", "gbp", "date", "source"))
    return Tables(
        securities={s.isin: s for s in securities},
        firm_trades=tuple(FirmTrade(_isin(row), _day(row, "date"), row["side"]) for row in trades),
        rates={row["currency"]: Rate(_positive(row, "gbp"), _day(row, "date"), row["source"]) for row in rates},
    )


def stale_rates(files: Files, days: int) -> Callable[[str], Iterator[Problem]]:
    """Return what finds rates that are too old to be used on a day, told at the first of them."""
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
    told = {column: row.cells.get(column, "") for column in Security.__annotations__}
    for column, scheme in (("sedol", sedol), ("cusip", cusip)):
        if told[column] and not scheme.is_valid(told[column]):
            raise row.wrong(f'"{told[column]}" is no valid {column.upper()}: its check digit is off. Correct it.')
    for column in WANTED:
        if not told[column]:
            raise row.wrong(f"The {column} is empty. Fill it in.")
    return Security(**told)


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


MOST = 5
"""Results shown at a time."""
ALIKE, LEAST = 75, 4
"""Least likeness, of 100, for a word that is spelt otherwise, and the least letters for that to mean anything."""
WORD = re.compile(r"[^\W_]+")
COMMON_WORDS = (
    "plc inc corp corporation company co group holding holdings ltd limited spa s p a ag se nv n v sa the and of for my in on "
    "share shares stock stocks units unit some buy sell buying selling please want to i would like etf ucits core world "
    "com banking"
)
COMMON = frozenset(COMMON_WORDS.split())
"""Words that name no security by themselves."""


def option(security: Security) -> Option:
    """Return a security as a result to pick: its ISIN is the value that is stored."""
    facts = {
        "name": security.name, "ticker": security.ticker, "exchange": security.exchange, "kind": security.kind,
        "currency": security.currency, "isin": security.isin,
    }  # fmt: skip
    label = f"{security.name} ({security.isin})"
    return Option(security.isin, label, " · ".join(filter(None, (security.ticker, security.market))), facts)


Index = dict[str, set[int]]
"""Places in a table, by a word or a code that stands there."""
NONE: set[int] = set()


class Search:
    """Looks a query up in a table of securities."""

    def __init__(self, securities: Iterable[Security]) -> None:
        self.securities = tuple(securities)
        self.words: Index = defaultdict(set)
        self.codes: Index = defaultdict(set)
        for n, one in enumerate(self.securities):
            for word in _words(one.name):
                self.words[word].add(n)
            for code in filter(None, (one.isin, one.sedol, one.cusip, *one.tickers)):
                self.codes[code].add(n)
        self.alike = [word for word in self.words if len(word) >= LEAST and word not in COMMON]

    def __call__(self, query: str) -> Results:
        """Best first, at most five. Only an identifier or a ticker is exact; an unknown identifier finds nothing."""
        sought = query.strip()
        if codes := _identifiers(sought):
            return self._results(self._those(*(self.codes.get(code, NONE) for code in codes)), exact=True)
        if tickers := self._by_ticker(sought):
            return self._results(tickers, exact=len(tickers) == 1)
        ways: tuple[Callable[[str], list[Security]], ...] = (self._by_name, self._by_any_word, self._alike)
        return self._results(next((found for way in ways if (found := way(sought))), []))

    def meant(self, said: str) -> Results:
        """Return what a question is about: where the words that could name a security are an identifier or a ticker, that; else what fits."""
        telling = " ".join(w for w in WORD.findall(said) if w.casefold() not in COMMON)
        exact = self(telling) if telling else Results(())
        return exact if exact.exact else self(said)

    def issued_by(self, issuer: str) -> Results:
        """Return what an issuer has issued: every word that tells it from others stands in the security's name as it is."""
        words = set(_telling(issuer)) or set(_words(issuer))
        found = set.intersection(*(self.words.get(word, NONE) for word in words)) if words else NONE
        return Results(tuple(option(s) for s in self._those(found)))

    def _by_ticker(self, sought: str) -> list[Security]:
        """Return what has this ticker; a bare number is a quantity or a choice, and a single small letter is none."""
        code = sought.removeprefix("$")
        if not re.search(r"[^\W\d_]", code) or (len(code) == 1 and code.islower()):
            return []
        found = self._those(self.codes.get(_bare(code), NONE))
        return [s for s in found if _bare(code) in s.tickers]

    def _by_name(self, sought: str) -> list[Security]:
        """Return those of whose name every sought word begins a word."""
        begun = [
            set().union(*(self.words[name] for name in self.words if name.startswith(word)))
            for word in _telling(sought)
        ]
        return self._those(set.intersection(*begun)) if begun else []

    def _by_any_word(self, sought: str) -> list[Security]:
        """Return a whole word of the name, or the ticker in capitals, stands somewhere in what was said."""
        named = (self.words.get(word, NONE) for word in _telling(sought))
        said = {w for w in WORD.findall(sought) if not w.isdigit() and w == w.upper()}
        tickers = ({n for n in self.codes.get(w, NONE) if _bare(self.securities[n].ticker) == w} for w in said)
        return self._those(*named, *tickers)

    def _alike(self, sought: str) -> list[Security]:
        """Return those of whose name a word is spelt much like a sought one, the likest first."""
        likeness: dict[int, float] = {}
        for word in (w for w in _telling(sought) if len(w) >= LEAST):
            near = process.extract(word, self.alike, scorer=fuzz.ratio, processor=None, score_cutoff=ALIKE, limit=None)
            for name, score, _ in near:
                likeness |= {n: max(score, likeness.get(n, 0)) for n in self.words[name]}
        return [self.securities[n] for n in sorted(likeness, key=lambda n: (-likeness[n], n))]

    def _those(self, *found: set[int]) -> list[Security]:
        """Return securities by their places in the table, in its order."""
        return [self.securities[n] for n in sorted(set().union(*found))]

    @staticmethod
    def _results(found: Iterable[Security], exact: bool = False) -> Results:
        options = tuple(option(s) for s in found)
        return Results(options[:MOST], exact and len(options) == 1)


def same_issuer(listed: str, told: str) -> bool:
    """Return True if every word of one name that tells it from others stands in the other one too."""
    shorter, longer = sorted((set(_telling(listed)), set(_telling(told))), key=len)
    return bool(shorter) and shorter <= longer


def _words(text: str) -> tuple[str, ...]:
    return tuple(w.casefold() for w in WORD.findall(text))


def _telling(text: str) -> list[str]:
    """Return the words of a query that could name a security: no bare numbers, nothing that every second name has."""
    return [w for w in _words(text) if w not in COMMON and not w.isdigit() and len(w) > 1]


def _identifiers(text: str) -> set[str]:
    """Return the whole text as an identifier, or those that stand in it; there a bare number is a quantity, whatever its check digit says."""
    whole = re.sub(r"\s", "", text).upper()
    codes = {whole, *(w.upper() for w in WORD.findall(text) if not w.isdigit())}
    return {code for code in codes if any(scheme.is_valid(code) for scheme in (isin, sedol, cusip))}
