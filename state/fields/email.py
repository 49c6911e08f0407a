"""Addresses of electronic mail. Canonical: as written, the domain in small letters."""

import re
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.plain import if_plain, is_plain
from state.form import Field
from state.form.data import Data
from state.language.tokens import trimmed

LONGEST, LONGEST_LOCAL = 254, 64
"""RFC 5321, 4.5.3.1."""
ADDRESS = re.compile(
    r"(?<![A-Za-z0-9._%+'-])(?P<local>[A-Za-z0-9_%+'-]+(?:\.[A-Za-z0-9_%+'-]+)*)"
    r"@(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24})(?![\w@-])"
)
MAILTO = re.compile(r"<mailto:[^<>|\s]{1,254}\|([^<>|\s]{1,254})>")


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one address of a message that says nothing else; Slack's own marking of it does not matter."""
    bare = MAILTO.sub(r"\1", text)
    found = find(field, bare, context)
    one = len({r.data for r in found}) == 1
    return found[0].data if one and is_plain(field, bare, found[0].start, found[-1].end, context) else None


def find(_field: Field, text: str, _context: Context) -> tuple[Candidate, ...]:
    """Every address, in order."""
    return tuple(Candidate(_canonical(m), m.start(), m.end()) for m in ADDRESS.finditer(text) if _is_short(m))


def parse(_field: Field, given: object, _context: Context) -> Data:
    """The address. Raises Unreadable: not_an_email."""
    text = MAILTO.sub(r"\1", trimmed(given)) if isinstance(given, str) else ""
    match = ADDRESS.fullmatch(text)
    if match is None or not _is_short(match):
        raise Unreadable("not_an_email")
    return _canonical(match)


def show(_field: Field, data: Data, _context: Context) -> str:
    """As it is stored."""
    return str(data)


def schema(_field: Field) -> dict[str, Any]:
    """A string."""
    return {"type": "string"}


def _canonical(match: re.Match[str]) -> str:
    return f"{match['local']}@{match['domain'].lower()}"


def _is_short(match: re.Match[str]) -> bool:
    return len(match.group()) <= LONGEST and len(match["local"]) <= LONGEST_LOCAL


KIND = Kind(
    name="email", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    claims=True, slip_shows=True,
)  # fmt: skip
