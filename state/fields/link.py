"""Addresses of web pages.

Canonical: scheme and host in small letters, a host of other scripts in its ASCII form, so that no letter passes for another; the rest
as written ("https://example.org/Minutes"). Where one stands is found here; whether it is any is for pydantic to say. A name or password
before the host is refused: it hides where the address leads.
"""

import re
from dataclasses import replace

from pydantic import HttpUrl, TypeAdapter, ValidationError

from state.fields.base import Candidate, Context, Kind, Unreadable, described, text_of, the_whole
from state.fields.values.quantities import one_answer
from state.form import Field
from state.form.field import Data

RUN = re.compile(
    r"<(?P<wrapped>https?://[^\s<>|]+)(?:\|[^<>]*)?>"  # as Slack wraps it; what it is called says nothing
    r"|(?<![\w.%+'/@:|-])(?P<bare>https?://[^\s<>\"“”«»]+)",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:xn--[a-z0-9-]{1,58}[a-z0-9]|[^\W\d_]{2,24})"
    r"(?P<rest>(?::[0-9]{1,5})?(?:[/?#][\w.~:/?#\[\]@!$&'()*+,;=%-]*)?)",
    re.IGNORECASE,
)
LONGEST = 2000
"""Characters of an address, fewer than pydantic takes."""
CLOSING = ".,;:!?'’…"
"""Signs that end a sentence and no address."""
PAIRS = {")": "(", "]": "["}

_web = TypeAdapter(HttpUrl)


def whole_link(field: Field, text: str, context: Context) -> Data | None:
    """Return the one address of a message that says nothing else, however long it is; its own "?" asks nothing."""
    found = find_link(field, text, context)
    if len(found) != 1:
        return None
    start, end = found[0].start, found[0].end
    return one_answer(field, f"{text[:start]}x{text[end:]}", (replace(found[0], end=start + 1),), context)


def find_link(_field: Field, text: str, _context: Context) -> tuple[Candidate, ...]:
    """Return every address, in order; one that Slack wrapped stands where its brackets stand."""
    found = []
    for match in RUN.finditer(text):
        run = match["wrapped"] or _without_closing(match["bare"])
        end = match.end() if match["wrapped"] else match.start() + len(run)
        found.append((_address(run), match.start(), end))
    return tuple(Candidate(address, start, end) for address, start, end in found if address)


def parse_link(field: Field, given: object, context: Context) -> Data:
    """Return the address. Raises Unreadable: not_a_link."""
    text = text_of(given)
    found = the_whole(text, find_link(field, text, context))
    if found is None:
        raise Unreadable("not_a_link")
    return found.data


def _without_closing(run: str) -> str:
    """Return what stands before the signs that close a sentence or a bracket around it; what is too long stays as it is."""
    while len(run) <= LONGEST and (run[-1] in CLOSING or run.count(run[-1]) > run.count(PAIRS.get(run[-1], run[-1]))):
        run = run[:-1]
    return run


def _address(text: str) -> str:
    """Return the address as it is kept; empty where it is none, or would not be found again as it is kept."""
    written = ADDRESS.fullmatch(text) if len(text) <= LONGEST else None
    if written is None:
        return ""
    try:
        host = _web.validate_python(text).host
    except ValidationError:
        return ""
    address = f"{written['scheme'].lower()}://{host}{written['rest']}"
    again = len(address) <= LONGEST and ADDRESS.fullmatch(address) and _without_closing(address) == address
    return address if again else ""


LINK = Kind(
    name="link",
    about="The address of a web page, in full, without a name or password in it.",
    whole=whole_link, find=find_link, parse=parse_link, schema=described("https://example.org/page"),
    fits=lambda _, value: isinstance(value, str) and _address(value) == value,
    wanted='must be an address in quotes, like "https://example.org"', slip_shows=True, opens=True,
)  # fmt: skip
