"""Strikes what names a person or opens a door, wherever it turns up in a line. It strikes too much rather than too little."""

import re
from collections.abc import Mapping
from typing import Any, Final

STRUCK: Final = "[struck]"
LONGEST: Final = 300
"""Characters of one value: nothing that the bot itself has to say is longer."""

PRIVATE: Final = frozenset(
    {
        "text", "words", "value", "body", "payload", "blocks", "arguments", "token", "key_material", "prompt", "response_url",
        "person", "user", "name", "conversation", "channel", "lane", "url", "file_name", "message", "said", "secret",
    }
)  # fmt: skip
"""What carries people's words, a secret, or a person, whatever it holds."""

_DATE: Final = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
_MOMENT: Final = r"\d{10}\.\d{6}"
_KEPT: Final = re.compile(rf"(?<![\w.+-])(?:{_DATE}|{_MOMENT})(?![\w.+-])")
"""Days, times and places in Slack's time: figures that nobody can be called by."""

_SECRET: Final = re.compile(
    r"""
      \b(?:xox[a-z]|xapp|xwfp)[-.][\w.-]*                       # Slack's tokens
    | \b(?:sk|pk|rk|hf)[-_][\w-]{6,}                             # keys of models and payments, tokens of ours
    | \b(?:bearer|basic|authorization|token|password|secret|api[_-]?key)\b["']?\s*[:=]?\s*\S+
    | \b[A-Za-z][\w+.-]*://[^\s"'<>]*                            # any address: what follows the host may be a key to it
    | [^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+                          # an address of e-mail, or a password before a host
    | \b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){10,30}\b                   # an account
    | \b(?-i:[UWD](?=[A-Z]*\d)[A-Z0-9]{4,})\b                    # a person in Slack, and their direct message
    | \b[A-Za-z0-9+/_-]{40,}={0,2}                               # whatever is that long is a key
    | (?<!\w)\+?\(?\d(?:[\s()./-]*\d){6,}(?!\w)                  # a telephone number, a card, a tax code
    """,
    re.VERBOSE | re.IGNORECASE,
)


def redacted(text: str) -> str:
    """The text without secrets, addresses, numbers and ids of people, and no longer than a line of our own."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{chr(len(kept))}\0"

    struck = _SECRET.sub(STRUCK, _KEPT.sub(keep, text.replace("\0", "")[: 4 * LONGEST]))
    whole = re.sub("\0(.)\0", lambda found: kept[ord(found[1]) - 1], struck, flags=re.DOTALL)
    return whole if len(whole) <= LONGEST else whole[:LONGEST] + "…"


def plain(value: Any) -> Any:
    """A value as a line may show it: figures as they are, texts redacted, names that are private without what they hold."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {redacted(str(name)): plain(one) for name, one in value.items() if str(name) not in PRIVATE}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return redacted(str(value))
