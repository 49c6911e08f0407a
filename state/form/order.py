"""Limits that belong together: in a chain of them none is above the next. Forms, the tables beside them and lists are held against it alike."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time
from itertools import pairwise
from typing import Any

from state.form.files import Files
from state.form.locate import Path as Keys
from state.form.source import Problem

CHAINS = (
    ("minimum", "maximum"), ("effective", "stale_after"), ("valid_from", "valid_until"), ("opens", "closes"),
)  # fmt: skip
"""Keys that are limits of one thing, in whatever table of a TOML file."""


def falls(names: Iterable[str], values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each limit that is above the next one of the chain, and that one. Those that are absent or empty are passed over."""
    given = [name for name in names if values.get(name) not in (None, "")]
    return ((low, high) for low, high in pairwise(given) if _above(values[low], values[high]))


def contradiction(low: str, high: str, value: object) -> str:
    """Return the sentence for whoever wrote two such limits; `value` is one of theirs."""
    return f"`{low}` is {'after' if isinstance(value, date | time) else 'above'} `{high}`. Turn them round."


def contradictions(files: Files) -> Iterator[Problem]:
    """Yield the pairs of limits, in any TOML file beside a form, that contradict each other, each at its line."""
    for source in files.sources(*(high for _, high in CHAINS)):
        yield from (source.problem(keys, told) for keys, told in disorder(source.data))


def disorder(given: Any, keys: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Yield the pairs of limits in a file's data that contradict each other, each by the keys of the lower one."""
    if isinstance(given, Mapping):
        for low, high in (pair for chain in CHAINS for pair in falls(chain, given)):
            yield (*keys, low), contradiction(low, high, given[low])
    inner = given.items() if isinstance(given, Mapping) else enumerate(given) if isinstance(given, list) else ()
    for key, value in inner:
        yield from disorder(value, (*keys, key))


def _above(low: Any, high: Any) -> bool:
    try:
        return bool(low > high)
    except TypeError:
        return False  # two sorts of value: their kinds are checked elsewhere
