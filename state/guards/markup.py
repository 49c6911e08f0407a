"""Words that were written for code: what of a model's text no person may read, however it is mangled."""

import json
import re
import unicodedata
from collections.abc import Iterable

QUOTES = "\"'`“”„‟‘’‚‛«»‹›＂＇"
KEYS = "action|trigger|arguments?|args|tool|params|parameters"
OWN = r"tool_calls?|tool_use|next_state|confirmationSuggested|confirmationMessage"
MARKUP = re.compile(
    rf"""
      [{{}}❴❵⦃⦄`]                                       # braces, and code between ticks
    | ^\s*(?:[-–—―_=*~\#]\s*){{2,}}$                    # a line of nothing but strokes
    | (?:[-–—―=~]\s?){{2,}}\s*$ | [_*\#]{{3,}}\s*$      # or one that ends in them
    | "[a-z_][\w ]*"\s*:                               # a key
    | [{QUOTES}][A-Za-z_][\w ]*[{QUOTES}]\s*[:=]\s*[{QUOTES}\[\d]   # with its value, in other quotes
    | \[\s*[{QUOTES}\[]                                # a list
    | ^\s*\[+[a-z_.]+\]+\s*$                           # a table's head
    | </?[a-z!?]                                       # a tag
    | \\["'nrtux{{\[]                                   # an escape
    | &(?:quot|apos|lt|gt|amp|[lr]cub|\#\w+);          # an entity
    | \b[A-Za-z]\w*(?:=\S|\s*=\s*["'\d])              # a setting
    | \b[a-z]+(?:_[a-z0-9]+)+\s*[:=(]                  # a name that is given something
    | \b[a-z]+\([a-z_]+\s*[=:]                         # a call
    | \b(?i:{KEYS})\W{{0,3}}[:=]                       # a key without its quotes
    | \b(?:{OWN})\b
    """,
    re.VERBOSE | re.MULTILINE,
)
INVISIBLE = "Cf"


def reads_as_code(text: str, names: Iterable[str] = ()) -> bool:
    """Return True if a text holds, or is, JSON, a fence, a tag, a call or a key; `names` are those of tools and fields that it may not speak of."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != INVISIBLE)
    return bool(MARKUP.search(plain)) or _is_json(plain) or _names(plain, names)


def _names(text: str, names: Iterable[str]) -> bool:
    """Return True if it has a name that is no word of any language."""
    return any("_" in name and name in text for name in names)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
