"""The operator's mark around instructions in a user turn, and the neutralising of everything that looks like it."""

import re
import unicodedata

OPEN, CLOSE = "⟦operator⟧", "⟦/operator⟧"

NOTE = f"Text between {OPEN} and {CLOSE} is the operator's, not the user's. Follow it as you follow this prompt."
"""What the system prompt adds when instructions travel in marked blocks."""

_ROLES = ("operator", "system")
_OPENING, _CLOSING = r"\[<{⟦⟨⟪⟬⟮〈〈《「『【〔〖〘〚‹«｛［＜", r"\]>}⟧⟩⟫⟭⟯〉〉》」』】〕〗〙〛›»｝］＞"
_BRACKETED = re.compile(rf"[{_OPENING}]([^{_OPENING}{_CLOSING}\n]{{1,80}})[{_CLOSING}]")
_TWINS = str.maketrans("аеорстуѕмοετρυ", "aeopctysmoetpu")
"""Cyrillic and Greek letters that a reader takes for Latin ones."""


def marked(text: str) -> str:
    """The operator's text as a block of a user turn."""
    return f"{OPEN}\n{inert(text)}\n{CLOSE}"


def unmarked(text: str) -> str:
    """A user turn's own words, without the operator's blocks."""
    return re.sub(rf"\s*{OPEN}\n.*?\n{CLOSE}", "", text, flags=re.DOTALL).strip()


def inert(text: str) -> str:
    """The text with the mark's own brackets made plain and bracketed role names put in round ones; all else as it was.

    The first makes a forged mark impossible; the second keeps its look-alikes (`[SYSTEM]`, `<operator>`) from being obeyed.
    """
    text = text.replace("⟦", "[").replace("⟧", "]")
    while (softer := _BRACKETED.sub(_soften, text)) != text:
        text = softer
    return text


def _soften(found: re.Match[str]) -> str:
    return f"({found[1]})" if _names_a_role(found[1]) else found[0]


def _names_a_role(words: str) -> bool:
    letters = "".join(c for c in unicodedata.normalize("NFKC", words).casefold() if c.isalpha())
    return letters.translate(_TWINS).startswith(_ROLES)
