"""Finding a security: exactly by an identifier or a ticker, else a list to choose from. Nothing is ever guessed."""

import re
from collections.abc import Callable, Iterable
from itertools import product

from rapidfuzz import fuzz
from stdnum import cusip, isin
from stdnum.gb import sedol

from state.draft.draft import Option
from state.rules import Results

from .tables import Security

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


class Search:
    """Looks a query up in a table of securities."""

    def __init__(self, securities: Iterable[Security]) -> None:
        self.securities = tuple(securities)
        self.names = {security: _words(security.name) for security in self.securities}

    def __call__(self, query: str) -> Results:
        """Best first, at most five. Only an identifier or a ticker is exact; an unknown identifier finds nothing."""
        sought = query.strip()
        if codes := _identifiers(sought):
            return self._results((s for s in self.securities if codes & {s.isin, s.sedol, s.cusip}), exact=True)
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
        found = [s for s, name in self.names.items() if words and words <= set(name)]
        return Results(tuple(option(s) for s in found))

    def _by_ticker(self, sought: str) -> list[Security]:
        """A bare number is a quantity or a choice, never a ticker; nor is a single small letter."""
        code = sought.removeprefix("$")
        if not re.search(r"[^\W\d_]", code) or (len(code) == 1 and code.islower()):
            return []
        return [s for s in self.securities if code.upper() in (s.ticker.upper(), s.symbol.upper())]

    def _by_name(self, sought: str) -> list[Security]:
        """Every word that is sought begins a word of the name."""
        words = _telling(sought)
        return [s for s, name in self.names.items() if words and all(_begins(w, name) for w in words)]

    def _by_any_word(self, sought: str) -> list[Security]:
        """Return a whole word of the name, or the ticker in capitals, stands somewhere in what was said."""
        words, said = set(_telling(sought)), {w for w in WORD.findall(sought) if not w.isdigit()}
        return [s for s, name in self.names.items() if words & set(name) - COMMON or s.ticker in said]

    def _alike(self, sought: str) -> list[Security]:
        """A word of the name is spelt much like a word that is sought, the likest first."""
        likeness = {s: _likeness(_telling(sought), name) for s, name in self.names.items()}
        return sorted((s for s in likeness if likeness[s] >= ALIKE), key=lambda s: -likeness[s])

    @staticmethod
    def _results(found: Iterable[Security], exact: bool = False) -> Results:
        options = tuple(option(s) for s in found)
        return Results(options[:MOST], exact and len(options) == 1)


def _words(text: str) -> tuple[str, ...]:
    return tuple(w.casefold() for w in WORD.findall(text))


def _telling(text: str) -> list[str]:
    """Return the words of a query that could name a security: no bare numbers, nothing that every second name has."""
    return [w for w in _words(text) if w not in COMMON and not w.isdigit() and len(w) > 1]


def _likeness(words: list[str], name: tuple[str, ...]) -> float:
    pairs = product((w for w in words if len(w) >= LEAST), (n for n in name if len(n) >= LEAST and n not in COMMON))
    return max((fuzz.ratio(*pair) for pair in pairs), default=0)


def _begins(word: str, name: tuple[str, ...]) -> bool:
    return any(part.startswith(word) for part in name)


def _identifiers(text: str) -> set[str]:
    """Return the whole text as an identifier, or those that stand in it; there a bare number is a quantity, whatever its check digit says."""
    whole = re.sub(r"\s", "", text).upper()
    codes = {whole, *(w.upper() for w in WORD.findall(text) if not w.isdigit())}
    return {code for code in codes if any(scheme.is_valid(code) for scheme in (isin, sedol, cusip))}
