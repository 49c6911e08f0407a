"""Telephone numbers. Canonical: digits alone, with a leading + where the country's code was told ("+393331234567")."""

import re
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.quantities import one_answer
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.tokens import masked, trimmed

NUMBER = re.compile(r"(?<![\w+.,/])(?P<plus>\+|00)?(?P<digits>[0-9](?:[ .-]?[0-9]){5,16})(?![\w/]|[ .,-][0-9])")
TEL = re.compile(r"<tel:[^<>|\s]{1,40}\|([^<>|]{1,40})>")
SHORTEST, SURE, LONGEST = 6, 9, 15
"""Digits: of a number that was asked for, of one that stands in a sentence (a day has eight), and at most (ITU-T E.164)."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one number of a message that says nothing else; Slack's own marking of it does not matter."""
    bare = TEL.sub(r"\1", text)
    return one_answer(field, bare, _every(bare), context)


def find(_field: Field, text: str, _context: Context) -> tuple[Candidate, ...]:
    """Numbers that are too long for a sum or a day, or begin with a plus."""
    return tuple(r for r in _every(text) if str(r.data)[0] == "+" or len(str(r.data)) >= SURE)


def parse(_field: Field, given: object, _context: Context) -> Data:
    """The number. Raises Unreadable: not_a_phone."""
    text = TEL.sub(r"\1", trimmed(given)) if isinstance(given, str) else ""
    found = next((r for r in _every(text) if (r.start, r.end) == (0, len(text))), None)
    if found is None:
        raise Unreadable("not_a_phone")
    return found.data


def show(_field: Field, data: Data, _context: Context) -> str:
    """As it is stored."""
    return str(data)


def schema(_field: Field) -> dict[str, Any]:
    """A string."""
    return {"type": "string", "description": "+393331234567"}


def _every(text: str) -> tuple[Candidate, ...]:
    found = ((m, re.sub(r"[^0-9]", "", m["digits"])) for m in NUMBER.finditer(masked(text)))
    fitting = ((m, digits) for m, digits in found if SHORTEST <= len(digits) <= LONGEST)
    return tuple(Candidate(f"{'+' if m['plus'] else ''}{digits}", m.start(), m.end()) for m, digits in fitting)


KIND = Kind(
    name="phone", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    claims=True,
)  # fmt: skip
