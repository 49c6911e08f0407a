"""JSON from outside, read in the one way in which every reader understands it."""

import json
from typing import Any

DEEPEST, DIGITS = 64, 400
"""Objects and lists within each other, and digits of a number: nothing that Holdfast reads has more."""


def loads(text: str | bytes) -> Any:
    """Parse JSON. Raises ValueError for what readers differ in: a key given twice, NaN and Infinity, endless numbers, endless nesting."""
    try:
        told = json.loads(
            text, object_pairs_hook=_once, parse_int=_integer, parse_float=_number, parse_constant=_no_number
        )
    except RecursionError:
        raise ValueError("The JSON is nested too deeply.") from None
    if _depth(told) > DEEPEST:
        raise ValueError("The JSON is nested too deeply.")
    return told


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("A key of the JSON is given twice.")
    return told


def _integer(written: str) -> int:
    if len(written) > DIGITS:
        raise ValueError("A number of the JSON is too long.")
    return int(written)


def _number(written: str) -> float:
    number = float(written)
    if number in (float("inf"), float("-inf")):
        raise ValueError("A number of the JSON is too large.")
    return number


def _no_number(_written: str) -> Any:
    raise ValueError("The JSON holds something that is no number.")


def _depth(told: Any) -> int:
    """How many objects and lists are within each other, counted until there are too many."""
    depth, level = 0, [told]
    while level and depth <= DEEPEST:
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        depth += 1
    return depth
