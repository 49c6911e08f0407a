"""What is wrong with the numbers that were given: each once, without a gap, and no counter below the highest of its series."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from state.stores.evidence.facts import Facts
from state.stores.evidence.found import RESTORE, Evidence, Fault
from state.stores.evidence.links import CustodyLink

NUMBER = re.compile(r"([A-Z]{2,6}-\d{4})-(\d{6,})", re.ASCII)
COUNTED = "No more is filed until the counter is where it was. " + RESTORE
Issued = Mapping[str, Iterable[str]]
"""Number to the drafts that were filed, or are there, under it."""


def counter(chain: str) -> str:
    """Return the name of the counter of a chain's links."""
    return f"custody:{chain}"


def number_faults(evidence: Evidence, issued: Issued, facts: Facts) -> Iterator[Fault]:
    """Yield what is wrong with numbers and with the counters that give them; without counters, with the numbers alone."""
    for number, drafts in sorted(issued.items()):
        if len(names := sorted(set(drafts))) > 1:
            yield Fault(
                f"Record {number}", f"The number was given {len(names)} times: drafts {', '.join(names)}.", RESTORE
            )
        elif number in facts.gone:
            yield Fault(
                f"Record {number}", "The number was given again: its first record was removed by retention.", RESTORE
            )
    counted = {name: last for name, last in (facts.counted or {}).items() if NUMBER.fullmatch(f"{name}-000000")}
    begun = {prefix: max(numbers) for prefix, numbers in _series(facts.before).items()} | counted
    series = _series({*issued, *facts.gone})
    for prefix, numbers in series.items():
        first = begun.get(prefix, 0)
        yield from _skipped(prefix, sorted({first, *(number for number in numbers if number > first)}))
    if evidence.counters is None:
        return
    given = {prefix: max(begun.get(prefix, 0), *series.get(prefix, {0})) for prefix in (*begun, *series)}
    yield from _lowered(evidence.counters, {**given, **evidence.entries, **_links(evidence.custody)})
    if facts.counted is not None or not facts.before:
        yield from _raised(evidence.counters, given)


def _series(numbers: Iterable[str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for read in filter(None, map(NUMBER.fullmatch, numbers)):
        found.setdefault(read[1], set()).add(int(read[2]))
    return found


def _skipped(prefix: str, numbers: list[int]) -> Iterator[Fault]:
    for one, other in pairwise(numbers):
        if other > one + 1:
            first, last = f"{prefix}-{one + 1:06d}", f"{prefix}-{other - 1:06d}"
            where = f"Record {first}" if first == last else f"Records {first} to {last}"
            what = "There is none and none was removed: what was filed was taken away, or the counter was raised."
            yield Fault(where, what, RESTORE)


def _lowered(counters: Mapping[str, int], given: Mapping[str, int]) -> Iterator[Fault]:
    for name, highest in given.items():
        last = counters.get(name)
        if last is None or last < highest:
            told = "is missing" if last is None else f"is at {last}"
            yield Fault(f"Series {name}", f"Its counter {told}, and {highest} was given: it was lowered.", COUNTED)


def _raised(counters: Mapping[str, int], given: Mapping[str, int]) -> Iterator[Fault]:
    for name, last in counters.items():
        if NUMBER.fullmatch(f"{name}-000000") and last > given.get(name, 0):
            what = f"Its counter is at {last}, and {given.get(name, 0)} was given last: it was raised, or what was filed was taken away."
            yield Fault(f"Series {name}", what, RESTORE)


def _links(custody: Iterable[CustodyLink]) -> dict[str, int]:
    highest: dict[str, int] = {}
    for link in custody:
        highest[counter(link.chain)] = max(link.n, highest.get(counter(link.chain), 0))
    return highest
