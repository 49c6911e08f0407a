"""Addresses of electronic mail. Canonical: as written, the domain in small letters.

Where they stand is found here; whether they are addresses is email-validator's to say, without asking the network.
"""

import re

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.quantities import one_answer
from state.form import Field
from state.form.field import Data
from state.language.tokens import trimmed

ADDRESS = re.compile(
    r"(?<![\w.%+'-])(?P<local>[\w%+'-]+(?:\.[\w%+'-]+)*)@(?P<domain>(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24})(?![\w@-])"
)
LONGEST = 254
"""RFC 5321, 4.5.3.1."""
MAILTO = re.compile(r"<mailto:[^<>|\s]{1,254}\|([^<>|\s]{1,254})>")


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one address of a message that says nothing else; Slack's own marking of it does not matter."""
    bare = MAILTO.sub(r"\1", text)
    return one_answer(field, bare, find(field, bare, context), context)


def find(_field: Field, text: str, _context: Context) -> tuple[Candidate, ...]:
    """Return every address, in order."""
    found = ((m, _canonical(m.group())) for m in ADDRESS.finditer(text))
    return tuple(Candidate(address, m.start(), m.end()) for m, address in found if address)


def parse(_field: Field, given: object, _context: Context) -> Data:
    """Return the address. Raises Unreadable: not_an_email."""
    text = MAILTO.sub(r"\1", trimmed(given)) if isinstance(given, str) else ""
    address = _canonical(text) if ADDRESS.fullmatch(text) else ""
    if not address:
        raise Unreadable("not_an_email")
    return address


def _canonical(text: str) -> str:
    """Return the address as it is kept; empty where it is none, or would not be found again as it is kept."""
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415  only an address is worth its start

    if len(text) > LONGEST:
        return ""
    try:
        address = validate_email(text, check_deliverability=False, strict=True).normalized
    except EmailNotValidError:
        return ""
    return address if ADDRESS.fullmatch(address) else ""


KIND = Kind(
    name="email", whole=whole, find=find, parse=parse,
    claims=True, slip_shows=True,
)  # fmt: skip
