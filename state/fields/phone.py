"""Telephone numbers. Canonical: digits alone, with a leading + where the country's code was told ("+393331234567").

Where they stand is found here; whether they are numbers that a country has is libphonenumber's to say. A number that was
asked for may be one of any country, told without its code: it is kept as it was told.
"""

import re
from types import ModuleType
from typing import TYPE_CHECKING

from state.fields.base import Candidate, Context, Kind, Unreadable, described
from state.fields.values.quantities import one_answer
from state.form import Field
from state.form.field import Data
from state.language.tokens import masked, trimmed

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

GAP = r"(?:[ .-]|[ .-]?\([0-9]{1,5}\)[ .-]?)?"
NUMBER = re.compile(
    rf"(?<![\w+.,/])(?P<plus>\+|00)?(?P<digits>(?:\([0-9]{{2,5}}\)[ .-]?)?[0-9](?:{GAP}[0-9]){{3,16}})(?![\w/]|[ .,-][0-9])"
)
TRUNK = "(0)"
"""The zero that is dialled at home only ("+44 (0)20")."""
TEL = re.compile(r"<tel:[^<>|\s]{1,40}\|([^<>|]{1,40})>")
SHORTEST, SURE, LONGEST = 6, 9, 15
"""Digits: of a number that was asked for, of one that stands in a sentence without its country's code, and at most (ITU-T E.164)."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one number of a message that says nothing else; Slack's own marking of it does not matter."""
    bare = TEL.sub(r"\1", text)
    return one_answer(field, bare, _every(bare), context)


def find(_field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return numbers that their country has: the one whose code was told, else the form's own."""
    return tuple(r for r in _every(text) if _is_valid(str(r.data), context))


def parse(_field: Field, given: object, _context: Context) -> Data:
    """Return the number. Raises Unreadable: not_a_phone."""
    text = TEL.sub(r"\1", trimmed(given)) if isinstance(given, str) else ""
    found = next((r for r in _every(text) if (r.start, r.end) == (0, len(text))), None)
    if found is None:
        raise Unreadable("not_a_phone")
    return found.data


def _every(text: str) -> tuple[Candidate, ...]:
    found = ((m, _canonical(m)) for m in NUMBER.finditer(masked(text)))
    return tuple(Candidate(number, m.start(), m.end()) for m, number in found if _is_possible(number))


def _canonical(match: re.Match[str]) -> str:
    told = match["digits"].replace(TRUNK, "") if match["plus"] else match["digits"]
    return ("+" if match["plus"] else "") + re.sub(r"[^0-9]", "", told)


def _is_possible(number: str) -> bool:
    """Return True if a number may have these digits; with its country's code, in that country."""
    if not SHORTEST <= len(number.removeprefix("+")) <= LONGEST:
        return False
    if number[0] != "+":
        return True
    parsed, phonenumbers = _parsed(number, None), _library()
    whole = phonenumbers.ValidationResult.IS_POSSIBLE
    return parsed is not None and bool(phonenumbers.is_possible_number_with_reason(parsed) == whole)


def _is_valid(number: str, context: Context) -> bool:
    """Return True if a country has this number; what is too short to be told from a day or a sum is none."""
    region = context.babel.territory
    if number[0] != "+" and (len(number) < SURE or region is None):
        return len(number) >= SURE
    parsed = _parsed(number, region)
    return parsed is not None and _library().is_valid_number(parsed)


def _parsed(number: str, region: str | None) -> "PhoneNumber | None":
    phonenumbers = _library()
    try:
        parsed: PhoneNumber = phonenumbers.parse(number, region)
    except phonenumbers.NumberParseException:
        return None
    return parsed


def _library() -> ModuleType:
    import phonenumbers  # noqa: PLC0415  a tenth of a second that only a number is worth

    return phonenumbers


KIND = Kind(
    name="phone", whole=whole, find=find, parse=parse, schema=described("+393331234567"),
    claims=True,
)  # fmt: skip
