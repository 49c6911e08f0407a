"""Our own marks in what a model reads, and the neutralising of everything in people's words that looks like them."""

import re
import unicodedata

CLICKED = "[clicked]"
GROUND_TRUTH = "[GROUND TRUTH]"
ACTION_SUMMARY = "[ACTION SUMMARY]"
INSTRUCTION = "[INSTRUCTION]"
FLAW = "[FLAW]"
RESULT = "[TOOL RESULT]"
REMINDER = "[REMINDER]"
EARLIER = "[earlier]"
UNREAD = "[unread]"
CUT = " … [cut]"

_NAMES = (
    *(
        "clicked",
        "groundtruth",
        "actionsummary",
        "instruction",
        "flaw",
        "toolresult",
        "reminder",
        "earlier",
        "cut",
        "unread",
    ),
    *("system", "operator", "developer", "assistant", "rejected", "proceed"),
)
_OPENING = frozenset("[<{⟦⟨⟪⟬⟮〈《「『【〔〖〘〚‹«｛［＜﹤﹛﹝⁅⦋❬❮❰❲❴")
_CLOSING = frozenset("]>}⟧⟩⟫⟭⟯〉》」』】〕〗〙〛›»｝］＞﹥﹜﹞⁆⦌❭❯❱❳❵")
_REACH = 60
"""Characters after a bracket in which a mark's name is looked for, and its closing bracket."""
_TWINS = str.maketrans("аеорстуѕімԁһοετρυικνα", "aeopctysimdhoetpuikva")
"""Cyrillic and Greek letters that a reader takes for Latin ones."""
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_VERDICTS = {"REJECTED": "rejected", "PROCEED": "proceed"}
"""Words in capitals that open the verdicts of tool results."""


def inert(text: str) -> str:
    """Return the text with round brackets around whatever looks like one of our marks, and verdicts in small letters.

    As long as the text it is made from, and the same text where nothing looks like a mark.
    """
    plain = softened(text, _NAMES)
    for loud, quiet in _VERDICTS.items():
        plain = plain.replace(loud, quiet)
    return plain


def inert_act(text: str) -> str:
    """Return an act that code wrote down: its own mark stays, the value behind it is people's words."""
    return f"{CLICKED}{inert(text.removeprefix(CLICKED))}" if text.startswith(CLICKED) else inert(text)


def one_line(text: str) -> str:
    """Return the text with every run of white space and control characters as one space."""
    return _BLANKS.sub(" ", text).strip()


def cut(text: str, limit: int, mark: str = "…") -> str:
    """Return the text, at most `limit` characters with the mark that shows that there was more."""
    return text if len(text) <= limit else text[: max(0, limit - len(mark))].rstrip() + mark


def brief(text: str, limit: int) -> str:
    """Return people's words on one line, inert, of at most `limit` characters."""
    return cut(inert(one_line(text)[: limit + 1]), limit)


def softened(text: str, names: tuple[str, ...]) -> str:
    """Return the text with round brackets around whatever begins with one of these names, in whatever letters it is written."""
    if _OPENING.isdisjoint(text):
        return text
    kept, opened, until = list(text), 0, 0
    for i, char in enumerate(text):
        opened = opened if i <= until else 0
        if char in _OPENING:
            plain = unicodedata.normalize("NFKD", text[i + 1 : i + 1 + _REACH]).casefold()
            if "".join(c for c in plain if c.isalpha()).translate(_TWINS).startswith(names):
                kept[i], opened, until = "(", opened + 1, i + _REACH
        elif char in _CLOSING and opened:
            kept[i], opened = ")", opened - 1
    return "".join(kept)
