"""A text's words with their places in it. Case, accents and typographic apostrophes are levelled; places are those of the text."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from state.language.language import Language

WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*(?:['’ʼ´`][^\W_]+)*")
ELIDED = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")
APOSTROPHES = str.maketrans("’ʼ´`", "''''")
NOISE = re.compile(
    r"<[@#!][^<>\s]{1,100}>"  # Slack's mentions
    r"|(?:https?://|www\.)[^\s<>|]+"
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|(?<![\w:]):(?=[a-z0-9_'+-]{0,60}[a-z]|[+-]1:)[a-z0-9_'+-]{1,60}:(?!\w)",  # Slack's emoji, such as :+1:
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[!?;\n？؟！。…]|\.(?=[\s)\"'”»])")
ORDINAL_POINT = re.compile(r"[0-9]{1,2}\. ")
CLAUSE_END = re.compile(r"[,()\[\]—–،、]|\s-+\s")
ASKING = re.compile(r"[?¿？؟]")

UNSEEN = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
RECENT = 16
"""Texts whose words are kept at hand: every field of a form reads the same message, and the clauses of it."""
OWN = 4096
"""Phrases of languages and forms whose words are kept at hand."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word. It is compared by its `key`; `stop`: 0 nothing ended just before it, 1 a clause, 2 a sentence."""

    key: str
    start: int
    end: int
    stop: int = 0


@lru_cache(maxsize=RECENT)
def masked(text: str) -> str:
    """Return the text with mentions, links, addresses and emoji names blanked out; every other character keeps its place."""
    return NOISE.sub(lambda m: " " * len(m.group()), text)


def trimmed(text: str) -> str:
    """Return the text without white space and characters that cannot be seen at either end."""
    return text.strip(UNSEEN)


def asks(text: str) -> bool:
    """Return True if there is a question mark of any script in it."""
    return ASKING.search(text) is not None


def key_of(word: str, language: Language) -> str:
    """Return what a word is compared by."""
    whole = unicodedata.normalize("NFC", word.translate(APOSTROPHES)).casefold()
    if whole in language.accented:
        return whole
    plain = whole if whole.isascii() else without_accents(whole)
    for written, letter in language.digraphs.items():
        plain = plain.replace(written, letter)
    return _contractions(language).get(plain, plain)


@cache
def _contractions(language: Language) -> Mapping[str, str]:
    return {word.replace("'", ""): word for word in language.contractions}


def without_accents(word: str) -> str:
    """Return the word with plain letters."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@lru_cache(maxsize=RECENT)
def tokens(text: str, language: Language) -> tuple[Token, ...]:
    """Return the words of a text (masked, where that matters), in order."""
    return _split(text, language)


@lru_cache(maxsize=OWN)
def keys_of(phrase: str, language: Language) -> tuple[str, ...]:
    """Return what the words of a table's phrase are compared by."""
    return tuple(key for key, _, _ in _words(phrase, language))


def _words(text: str, language: Language) -> Iterator[tuple[str, int, int]]:
    """Yield what each word is compared by, and where it stands."""
    for match in (ELIDED if language.elides else WORD).finditer(text):
        start, end = match.span()
        key = key_of(match.group(), language)
        if language.apostrophe_accents and text[end : end + 1] in ("'", "’"):
            key = language.apostrophe_accents.get(key, key)
        yield key, start, end


def _split(text: str, language: Language) -> tuple[Token, ...]:
    found: list[Token] = []
    last = 0
    for key, start, end in _words(text, language):
        ordinal = language.ordinal_point and found and ORDINAL_POINT.fullmatch(text, found[-1].start, start)
        found.append(Token(key, start, end, 0 if ordinal else _stop(text, last, start)))
        last = end
    return tuple(found)


def _stop(text: str, last: int, start: int) -> int:
    gap = text[last:start]
    if last == 0 or gap in ("", " "):
        return 0
    if gap in (",", ".") and text[last - 1].isdigit() and text[start].isdigit():
        return 0
    if SENTENCE_END.search(gap):
        return 2
    return 1 if CLAUSE_END.search(gap) else 0
