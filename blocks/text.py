"""Words of people and models made safe to show: nothing in them formats, links, mentions, hides or overflows.

Slack reads two kinds of text. In `mrkdwn` three characters are escaped and marks that would format are replaced by
look-alikes (https://docs.slack.dev/messaging/formatting-message-text); `plain_text` is shown as it stands.
"""

import re
import unicodedata
from functools import lru_cache

SECTION = 3000
"""Characters of one section's text, and of a message's fallback."""
LINK = 600
"""Characters of an escaped address that is shown as a link, twice in its mark-up: no text is cut or split within it."""
RECENT = 2048
"""Texts that are kept as they are shown: most of a card stands on the one before as well."""
NOTHING = "–"
"""Stands where Slack wants a text and there is none."""

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LOOK_ALIKES = {"*": "∗", "_": "ˍ", "~": "∼"}
_SPECIAL = re.compile(r"[&<>*_~`]")
_MARK = re.compile(r"(?<![^\W_])[*_~]|[*_~](?![^\W_])")
_QUOTE = re.compile(r"^(\s*)>+", re.MULTILINE)
_BREAKS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"
_LONE_JOINER = re.compile(rf"[{_JOINERS}]{{2,}}|(?<![^\x00-\u024f])[{_JOINERS}]|[{_JOINERS}](?![^\x00-\u024f])")
_BLANKS = re.compile(r"[\u115f\u1160\u3164\uffa0\U000e0100-\U000e01ef]")
_HALF_ENTITY = re.compile(r"&[a-z]{0,3}$")
_WEB = re.compile(r"https?://[^\s<>|]+")
_CLOSING = re.compile(r"(?:(?<=\s)|^)[^\s.!?…][^.!?…\n]*\?$")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def size(text: str) -> int:
    """Return the length as Slack's clients count it, in UTF-16 units: never less than Python's."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def clean(text: str) -> str:
    """Remove characters that nobody sees: controls, direction overrides, zero-width marks (but joiners inside emoji and scripts)."""
    if text.isascii() and text.isprintable():  # as nearly all of it is
        return text.strip()
    text = _BREAKS.sub("\n", text).replace("\t", " ")
    kept = "".join(c for c in text if c in _JOINERS or c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return _LONE_JOINER.sub("", _BLANKS.sub("", kept)).strip()


def one_line(text: str) -> str:
    """Return clean text with every run of white space as one blank."""
    return " ".join(clean(text).split())


def cut(text: str, limit: int) -> str:
    """Cut a text to `limit` characters, the last one "…" where something was left out; an escape is never cut in two."""
    if size(text) <= limit:
        return text
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * (limit - 1)].decode("utf-16-le", "ignore")
    return _HALF_ENTITY.sub("", kept).rstrip() + "…"


def lines(*texts: str) -> str:
    """Return the texts that are not empty, one below the other."""
    return "\n".join(filter(None, texts))


@lru_cache(maxsize=RECENT)
def line(text: str, limit: int) -> str:
    """Return clean text on one line, of at most `limit` characters."""
    return cut(one_line(_head(text, limit)), limit)


def plain(text: str, limit: int) -> str:
    """Return one line for a `plain_text` object; never empty, since Slack refuses that."""
    return line(text, limit) or NOTHING


def question_of(text: str) -> str:
    """Return the question that a text closes with; empty where it closes with none."""
    found = _CLOSING.search(text.strip())
    return found[0].strip() if found else ""


def literal(text: str) -> str:
    """Return text for `mrkdwn` that is shown letter by letter, never as a link, a mention, a quote or a format. Blanks stay as they are."""
    if not _SPECIAL.search(text):  # as nearly all of it is
        return text
    text = _QUOTE.sub(r"\1›", text).replace("`", "ˋ")
    return _MARK.sub(lambda m: _LOOK_ALIKES[m[0]], text).translate(_ENTITIES)


@lru_cache(maxsize=RECENT)
def escape(text: str, limit: int = SECTION) -> str:
    """Return words of a person or a model for `mrkdwn`: clean, literal, at most `limit` characters, apart from the sentence around."""
    return isolated(cut(literal(clean(_head(text, limit))), limit - 2))


def unescape(text: str) -> str:
    """Return words as they were typed: Slack writes the three characters that it reserves as entities."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def linked(address: str, shown: str) -> str:
    """Return escaped text that shows all of a web page's address as a link to it; any other, and what is too long to be one, as it is."""
    whole = size(shown) <= LINK and shown == isolated(literal(address)) and _WEB.fullmatch(address)
    return f"<{address.translate(_ENTITIES)}|{shown}>" if whole else shown


def _head(text: str, limit: int) -> str:
    """Return the part of a very long text that can come to be shown, so that nobody waits for the rest to be cleaned."""
    return text if len(text) <= 4 * limit else text[: 4 * limit] + "…"


def isolated(text: str) -> str:
    """Put right-to-left words into a run of their own, so that they do not reorder the sentence around them."""
    if text.isascii():
        return text
    turned = "\n" not in text and any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in text)
    return f"\u2068{text}\u2069" if turned else text


def split(text: str, limit: int = SECTION) -> tuple[str, ...]:
    """Split escaped text into parts of at most `limit` characters, at line ends or blanks where there are any."""
    parts = []
    while size(text) > limit:
        part = cut(text, limit)[:-1]
        end = next((at for gap in ("\n", " ") if (at := part.rfind(gap)) > limit // 2), len(part))
        parts.append(part[:end].rstrip())
        text = text[end:].lstrip()
    return (*parts, text) if text else tuple(parts)
