"""Addresses of electronic mail and telephone numbers.

Canonical: an address as written, its domain in small letters; a number's digits alone, with a leading + where the country's code
was told ("+393331234567"). Where they stand is found here; whether they are any is for email-validator and libphonenumber to say.
A number that was asked for may be one of any country, told without its code: it is kept as it was told.
"""

import re
from types import ModuleType
from typing import TYPE_CHECKING

from state.fields.base import Candidate, Context, Kind, Unreadable, described, text_of, the_whole
from state.fields.values.quantities import one_answer
from state.form import Field
from state.form.field import Data
from state.language.tokens import masked

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

ADDRESS = re.compile(
    r"(?<![\w.%+'-])(?P<local>[\w%+'-]+(?:\.[\w%+'-]+)*)@(?P<domain>(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24})(?![\w@-])"
)
LONGEST_EMAIL = 254
"""RFC 5321, 4.5.3.1."""
MAILTO = re.compile(r"<mailto:[^<>|\s]{1,254}\|([^<>|\s]{1,254})>")


def whole_email(field: Field, text: str, context: Context) -> Data | None:
    """Return the one address of a message that says nothing else; Slack's own marking of it does not matter."""
    bare = MAILTO.sub(r"\1", text)
    return one_answer(field, bare, find_email(field, bare, context), context)


def find_email(_field: Field, text: str, _context: Context) -> tuple[Candidate, ...]:
    """Return every address, in order."""
    found = ((m, _address(m.group())) for m in ADDRESS.finditer(text))
    return tuple(Candidate(address, m.start(), m.end()) for m, address in found if address)


def parse_email(_field: Field, given: object, _context: Context) -> Data:
    """Return the address. Raises Unreadable: not_an_email."""
    text = MAILTO.sub(r"\1", text_of(given))
    address = _address(text) if ADDRESS.fullmatch(text) else ""
    if not address:
        raise Unreadable("not_an_email")
    return address


def _address(text: str) -> str:
    """Return the address as it is kept; empty where it is none, or would not be found again as it is kept."""
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415  only an address is worth its start

    if len(text) > LONGEST_EMAIL:
        return ""
    try:
        address = validate_email(text, check_deliverability=False, strict=True).normalized
    except EmailNotValidError:
        return ""
    return address if ADDRESS.fullmatch(address) else ""


EMAIL = Kind(
    name="email",
    about="An email address, letters of any script.",
    whole=whole_email, find=find_email, parse=parse_email, slip_shows=True,
)  # fmt: skip


GAP = r"(?:[ .-]|[ .-]?\([0-9]{1,5}\)[ .-]?)?"
NUMBER = re.compile(
    rf"(?<![\w+.,/])(?P<plus>\+|00)?(?P<digits>(?:\([0-9]{{2,5}}\)[ .-]?)?[0-9](?:{GAP}[0-9]){{3,16}})(?![\w/]|[ .,-][0-9])"
)
TRUNK = "(0)"
"""The zero that is dialled at home only ("+44 (0)20")."""
TEL = re.compile(r"<tel:[^<>|\s]{1,40}\|([^<>|]{1,40})>")
SHORTEST, SURE, LONGEST = 6, 9, 15
"""Digits: of a number that was asked for, of one that stands in a sentence without its country's code, and at most (ITU-T E.164)."""


def whole_phone(field: Field, text: str, context: Context) -> Data | None:
    """Return the one number of a message that says nothing else; Slack's own marking of it does not matter."""
    bare = TEL.sub(r"\1", text)
    return one_answer(field, bare, _every(bare), context)


def find_phone(_field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return numbers that their country has: the one whose code was told, else the form's own."""
    return tuple(r for r in _every(text) if _is_valid(str(r.data), context))


def parse_phone(_field: Field, given: object, _context: Context) -> Data:
    """Return the number. Raises Unreadable: not_a_phone."""
    text = TEL.sub(r"\1", text_of(given))
    found = the_whole(text, _every(text))
    if found is None:
        raise Unreadable("not_a_phone")
    return found.data


def _every(text: str) -> tuple[Candidate, ...]:
    found = ((m, _digits(m)) for m in NUMBER.finditer(masked(text)))
    return tuple(Candidate(number, m.start(), m.end()) for m, number in found if _is_possible(number))


def _digits(match: re.Match[str]) -> str:
    told = match["digits"].replace(TRUNK, "") if match["plus"] else match["digits"]
    return ("+" if match["plus"] else "") + re.sub(r"[^0-9]", "", told)


def _is_possible(number: str) -> bool:
    """Return True if a number may have these digits; with its country's code, in that country."""
    if not SHORTEST <= len(number.removeprefix("+")) <= LONGEST:
        return False
    if number[0] != "+":
        return True
    parsed, phonenumbers = _parsed(number, None), _library()
    possible = phonenumbers.ValidationResult.IS_POSSIBLE
    return parsed is not None and bool(phonenumbers.is_possible_number_with_reason(parsed) == possible)


def _is_valid(number: str, context: Context) -> bool:
    """Return True if a country has this number; what is too short to be told from a day or a sum is none."""
    region = context.babel.territory
    if number[0] != "+" and (len(number) < SURE or region is None):
        return len(number) >= SURE
    return exists(number, region)


def exists(number: str, region: str | None) -> bool:
    """Return True if a country has this number: the one whose code it begins with, else the one with this code (ISO 3166)."""
    parsed = _parsed(number, region)
    return parsed is not None and bool(_library().is_valid_number(parsed))


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


PHONE = Kind(
    name="phone",
    about="A telephone number; one with a country's code is checked against that country's.",
    whole=whole_phone, find=find_phone, parse=parse_phone, schema=described("+393331234567"),
)  # fmt: skip
