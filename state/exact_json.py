"""JSON from outside, read in the one way in which every reader understands it."""

import json
from typing import Any

DEEPEST, DIGITS = 64, 400
"""Objects and lists within each other, and digits of a number: nothing that Holdfast reads has more."""


class Flawed(ValueError):
    """JSON that readers would differ in. `what` is a clause from a closed list: nothing that was written is in it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def loads(text: str | bytes) -> Any:
    """Parse JSON. Raises ValueError, and Flawed for what readers differ in: a key given twice, NaN and Infinity, endless numbers, endless nesting."""
    try:
        told = json.loads(
            text, object_pairs_hook=without_doubles, parse_int=_integer, parse_float=_number, parse_constant=no_number
        )
    except RecursionError:
        raise Flawed("the JSON is nested too deeply") from None
    if _depth(told) > DEEPEST:
        raise Flawed("the JSON is nested too deeply")
    return told


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object. Raises Flawed where a key is given twice, since readers differ in which one counts."""
    told = dict(pairs)
    if len(told) < len(pairs):
        raise Flawed("a key of the JSON is given twice")
    return told


def _integer(written: str) -> int:
    if len(written) > DIGITS:
        raise Flawed("a number of the JSON is too long")
    return int(written)


def _number(written: str) -> float:
    number = float(written)
    if number in (float("inf"), float("-inf")):
        raise Flawed("a number of the JSON is too large")
    return number


def no_number(_written: str) -> Any:
    """Raise Flawed: NaN and Infinity are no JSON."""
    raise Flawed("the JSON holds something that is no number")


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
