"""Exactly one JSON object, read with limits: what a store cannot hold or a reader could take in two ways is no JSON here."""

import json
from decimal import Decimal
from typing import Any

from bot.model.reading import NESTING_LIMIT, can_be_kept
from state.exact_json import Flawed, no_number, without_doubles

LONGEST = 8_000
"""Characters of a reply: more than `max_tokens` gives a model, and less than what the adapter keeps of a text."""

DIGITS = 30
"""Digits of a number: no field of a form takes longer ones, and very long ones cost time to read."""


def read_object(written: str) -> dict[str, Any]:
    """Return the object. Raises Flawed for anything else, however it was written."""
    text = written.strip()
    if text.startswith("```"):
        raise Flawed("a code fence stands around the JSON")
    value = _parsed(text)
    if not isinstance(value, dict):
        raise Flawed("the JSON is no object")
    if not can_be_kept(value, NESTING_LIMIT):
        raise Flawed("the JSON is nested too deeply, or holds text or numbers that cannot be stored")
    return value


def _parsed(text: str) -> Any:
    try:
        value, end = _DECODER.raw_decode(text)
    except Flawed:
        raise
    except (ValueError, RecursionError):
        raise Flawed("the JSON does not parse: it is cut off, misquoted or has something else around it") from None
    if text[end:].strip():
        raise Flawed("something stands after the JSON object; there must be exactly one object and nothing else")
    return value


def _integer(written: str) -> int:
    if len(written) > DIGITS:
        raise Flawed("a number of the JSON is too long")
    return int(written)


def exact(written: str) -> Decimal:
    """Return a number with a fraction or an exponent as it was written. Raises Flawed where it is too long or too large."""
    try:
        number = Decimal(written)
    except ArithmeticError:
        number = Decimal("nan")
    if len(written) > DIGITS or not number.is_finite():
        raise Flawed("a number of the JSON is too long")
    return number


def _float(written: str) -> float:
    """Return a number that a store can hold, if it loses no digit by that."""
    number = float(written)
    if Decimal(repr(number)) != exact(written):
        raise Flawed("a number of the JSON is too long")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=without_doubles, parse_int=_integer, parse_float=_float, parse_constant=no_number
)
