"""Schemes of identifiers: whether some letters and digits are one, check digit included, and how it is written."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

from stdnum import cusip, figi, iban, isin, lei
from stdnum.es import cif, nie, nif, postal_code
from stdnum.gb import sedol
from stdnum.it import codicefiscale, iva

from state.fields.base import RECENT

CHUNK = re.compile(r"[A-Za-z0-9]+")
SHORTEST_JOINED, JOINED_LENGTH, MOST_CHUNKS = 6, 34, 9
"""The shortest (an old matrícula) and the longest (IBAN, ISO 13616) that people write in pieces, and the pieces."""
Chunks = list[re.Match[str]]
# ISO 3779: 17 characters without I, O and Q; its check digit is used in North America only
VIN = re.compile(r"(?=[A-Z0-9]*[0-9])[A-HJ-NPR-Z0-9]{17}")
# RD 2822/1998, annex XVIII: four digits and three consonants, a letter before them on mopeds, historic vehicles and trailers;
# before 2000 the province, digits and letters: "es 2018 no" is none
OLD = r"(A[BLV]?|B[AIU]?|C[ACEORSU]?|G[CEIRU]|HU?|IB|J|L[EOU]?|M[ALU]?|NA|O[RU]?|P[MO]?|S[AEGHOS]?|T[EFO]?|V[AI]?|ZA?)"
MATRICULA = re.compile(r"[CHR]?[0-9]{4}[BCDFGHJKLMNPRSTVWXYZ]{3}|" + OLD + r"[0-9]{4}([A-Z]{1,2}|[0-9]{1,2})")


@dataclass(frozen=True)
class Scheme:
    """`check`: whether letters and digits in capitals are one. `compact`: without what need not be written. `pieces`: written with gaps.

    `like`: what every one of them holds; most words do not, and need no check.
    """

    like: re.Pattern[str]
    check: Callable[[str], bool]
    lengths: range
    pieces: bool = False
    compact: Callable[[str], str] = str


def _numbered(module: ModuleType, lengths: range, like: str, pieces: bool = False) -> Scheme:
    return Scheme(re.compile(like), module.is_valid, lengths, pieces, module.compact)


def _shaped(pattern: re.Pattern[str], lengths: range, pieces: bool = False) -> Scheme:
    return Scheme(pattern, lambda text: pattern.fullmatch(text) is not None, lengths, pieces)


CHECKED, SEVEN = r"[0-9]$", r"[0-9]{7}"
SCHEMES: Mapping[str, Scheme] = {
    "isin": _numbered(isin, range(12, 13), CHECKED),
    "sedol": _numbered(sedol, range(7, 8), CHECKED),
    "cusip": _numbered(cusip, range(9, 10), CHECKED),
    "figi": _numbered(figi, range(12, 13), CHECKED),
    "lei": _numbered(lei, range(20, 21), CHECKED),
    "codicefiscale": _numbered(
        codicefiscale, range(11, 17), r"[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPR-T]|[0-9]{11}", pieces=True
    ),
    "piva": _numbered(iva, range(11, 14), r"[0-9]{11}"),
    "nif": _numbered(nif, range(9, 12), SEVEN, pieces=True),
    "nie": _numbered(nie, range(9, 10), SEVEN, pieces=True),
    "cif": _numbered(cif, range(9, 12), SEVEN, pieces=True),
    "iban": _numbered(iban, range(15, 35), r"^[A-Z]{2}[0-9]{2}", pieces=True),
    "vin": _shaped(VIN, range(17, 18)),
    "codigo_postal": _numbered(postal_code, range(5, 6), r"[0-9]{5}"),
    "matricula": _shaped(MATRICULA, range(6, 9), pieces=True),
}


@dataclass(frozen=True, slots=True)
class Match:
    """An identifier in a text, compact and in capitals, with its scheme."""

    code: str
    scheme: str
    start: int
    end: int


def scheme_of(text: str, names: tuple[str, ...]) -> str:
    """Return the first of these schemes that the compact text fits; empty where none does."""
    code = text.upper()
    return next((n for n in _as_long(names, len(code)) if (s := SCHEMES[n]).like.search(code) and s.check(code)), "")


@lru_cache(maxsize=1024)
def _as_long(names: tuple[str, ...], length: int) -> tuple[str, ...]:
    """Return those of the schemes that have identifiers of this length: most words are of none."""
    return tuple(n for n in names if length in SCHEMES[n].lengths)


@lru_cache(maxsize=RECENT)
def identifiers(text: str, names: tuple[str, ...]) -> tuple[Match, ...]:
    """Identifiers of these schemes, from left to right, the longest first where several begin alike."""
    return tuple(_identifiers(text, names))


def _identifiers(text: str, names: tuple[str, ...]) -> Iterator[Match]:
    chunks = list(CHUNK.finditer(text))
    pieces = tuple(n for n in names if SCHEMES[n].pieces)
    i = 0
    while i < len(chunks):
        found, taken = _longest(text, chunks, i, names, pieces)
        if found:
            yield found
        i += taken


def _longest(
    text: str, chunks: Chunks, i: int, names: tuple[str, ...], pieces: tuple[str, ...]
) -> tuple[Match | None, int]:
    for last in reversed(_ends(text, chunks, i) if pieces else [i]):
        code = "".join(c.group() for c in chunks[i : last + 1])
        start, end = chunks[i].start(), chunks[last].end()
        joined = last > i
        scheme = "" if joined and code.isdigit() else scheme_of(code, pieces if joined else names)
        if scheme and not _glued(text, start, end):
            return Match(SCHEMES[scheme].compact(code.upper()), scheme, start, end), last - i + 1
    return None, 1


def _ends(text: str, chunks: Chunks, i: int) -> list[int]:
    """Return the last chunks of what begins here and stands apart by one space, hyphen or dot only."""
    ends, length = [i], len(chunks[i].group())
    for last in range(i + 1, min(i + MOST_CHUNKS, len(chunks))):
        length += len(chunks[last].group())
        gap = text[chunks[last - 1].end() : chunks[last].start()]
        if gap not in (" ", "-", ".") or length > JOINED_LENGTH:
            break
        if length >= SHORTEST_JOINED:
            ends.append(last)
    return ends


def _glued(text: str, start: int, end: int) -> bool:
    """Return True if letters of another script or digits with marks go on beside it."""
    beside = text[max(start - 1, 0) : start] + text[end : end + 1]
    return any(c.isalnum() or c == "_" for c in beside)
