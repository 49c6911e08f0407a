"""What a model's sentence claims, in whatever language it is written: patterns of all languages, made once."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from state.language import LANGUAGES
from state.language.language import Language

CLAUSE = re.compile(r"[,;:]")
NOTHING = re.compile(r"(?!)")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Claim(StrEnum):
    """What a sentence may say happened: to the whole form, or (done) to a row of an operation; and, beyond what happened, what is so."""

    FILED = "filed"
    SAVED = "saved"
    CANCELLED = "cancelled"
    DONE = "done"
    SURE = "sure"
    PERSONAL = "personal"
    COMPLETE = "complete"
    LACKING = "lacking"
    LEADING = "leading"
    LEADS_OVER = "leads_over"
    DENIED = "denied"


@dataclass(frozen=True)
class Patterns:
    """One language's."""

    claims: Mapping[Claim, re.Pattern[str]]
    pending: re.Pattern[str]
    denied: re.Pattern[str]
    request: re.Pattern[str]


def _words(fragments: Iterable[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    joined = "|".join(dict.fromkeys(fragments))
    return re.compile(rf"\b(?:{joined})\b", flags) if joined else NOTHING


def _patterns(language: Language) -> Patterns:
    own = language.claims
    lead, asking = "|".join(own.request_leads), "|".join(own.requests)
    request = re.compile(rf"\s*(?:{lead})?\s*(?:{asking})\b", re.IGNORECASE) if asking else NOTHING
    claims = {claim: _words(getattr(own, claim)) for claim in Claim}
    return Patterns(claims, _words(own.pending), _words(own.denied), request)


PATTERNS = tuple(_patterns(language) for language in LANGUAGES.values())
MACHINERY = _words((w for language in LANGUAGES.values() for w in language.claims.machinery), re.NOFLAG)
"""Words for what people never read of, in any language."""
STANDING = _words(w for language in LANGUAGES.values() for w in (*language.claims.filed, *language.claims.saved))
"""Words by which any claim about a form is made that is not cancelled."""


def claims(sentence: str, claim: Claim) -> bool:
    """Whether a sentence claims this, and neither promises it nor denies it in the same clause, in the words of the claim's language."""
    return any(_claims(sentence, claim, patterns) for patterns in PATTERNS)


def says_done(sentence: str) -> bool:
    """Whether a sentence says that an operation was done, or that it was not: only what runs may say either."""
    return any(p.claims[Claim.DONE].search(sentence) and not p.pending.search(sentence) for p in PATTERNS)


def requests(sentence: str) -> bool:
    """Whether a sentence begins by asking to tell or confirm something, question mark or not."""
    return any(p.request.match(sentence) for p in PATTERNS)


def _claims(sentence: str, claim: Claim, patterns: Patterns) -> bool:
    said = patterns.claims[claim]
    if not said.search(sentence) or patterns.pending.search(sentence):
        return False
    return any(said.search(clause) and not patterns.denied.search(clause) for clause in CLAUSE.split(sentence))


@lru_cache(maxsize=16)
def _own(language: Language) -> Mapping[Claim, re.Pattern[str]]:
    return {claim: _words(getattr(language.claims, claim)) for claim in Claim}


def speaks(language: Language, claim: Claim, text: str) -> bool:
    """Whether a text claims this in a language, conditions and denials apart."""
    return _own(language)[claim].search(level(text)) is not None


@lru_cache(maxsize=16)
def _harmless(language: Language) -> tuple[frozenset[str], tuple[str, ...]]:
    """Words that may be said of anything, and beginnings of such words."""
    groups = (*language.claims.joining, *language.claims.harmless)
    words = [level(word) for entry in groups for word in entry.split()]
    return frozenset(w for w in words if not w.endswith("*")), tuple(w[:-1] for w in words if w.endswith("*"))


def harmless(language: Language, word: str) -> bool:
    """Whether a word, in small letters and without accents, may be said of anything."""
    whole, begun = _harmless(language)
    return word in whole or word.startswith(begun)


@lru_cache(maxsize=16)
def _joining(language: Language) -> frozenset[str]:
    return frozenset(level(word) for entry in language.claims.joining for word in entry.split())


def joins(language: Language, word: str) -> bool:
    """Whether a word says nothing by itself."""
    return word in _joining(language)


def opens_with(language: Language, sentence: str) -> bool:
    """Whether a sentence begins with a word that points back at the one before."""
    first = WORD.search(sentence)
    return first is not None and level(first.group()) in {level(w) for w in language.claims.leaning}


def matches(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names stands in the text, a plural's ending aside."""
    row = f" {_row(text)} "
    return any(f" {bare}" in row for name in names if (bare := _row(name)))


@lru_cache(maxsize=8192)
def _row(text: str) -> str:
    return " ".join(map(level, WORD.findall(text)))


@lru_cache(maxsize=8192)
def level(word: str) -> str:
    """A word as it is compared: small letters, accents off."""
    plain = unicodedata.normalize("NFD", word.casefold().replace("’", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c))
