"""What is out of date in the files beside a form: entries that say after which day they no longer hold."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import groupby
from typing import Any

from state.form.files import Files
from state.form.locate import Path as Keys
from state.form.source import Problem, Source

LAST = ("stale_after", "valid_until")
"""Keys that hold the last day of an entry."""
IDENTITY = ("name", "category", "id", "key")
"""Keys that say what an entry of a list is about: of several about the same thing the latest one counts."""
Dated = tuple[date, Keys, str]
"""The last day, where it stands, and what it is about."""


def outdated(files: Files, today: date) -> Iterator[Problem]:
    """Yield the entries whose last day is over; of a list of periods only where no later one follows."""
    for source in files.sources(*LAST):
        yield from _of_file(source, today)


def _of_file(source: Source, today: date) -> Iterator[Problem]:
    ended = sorted((last, keys, about) for last, keys, about in _entries((), source.data) if last < today)
    for (last, table), group in groupby(ended, key=lambda one: (one[0], _table(one[1]))):
        found = list(group)
        keys, about = found[0][1], ", ".join(dict.fromkeys(about for _, _, about in found))
        if table:
            said = f"The last period of {about} ended on {last}. Add the next one."
        else:
            said = f"{about} held until {last}. Look at it again, and write until when it holds now."
        yield source.problem(keys, said)


def _table(keys: Keys) -> Keys:
    """Return the list that an entry is in; empty for a table by itself."""
    return keys[:-2] if isinstance(keys[-2], int) else ()


def _entries(keys: Keys, given: Any) -> Iterator[Dated]:
    """Yield every dated table, and of every list of dated tables the last of each thing."""
    if isinstance(given, dict):
        if (found := _last(given)) is not None:
            yield found[1], (*keys, found[0]), f"[{'.'.join(map(str, keys))}]"
        for key, value in given.items():
            yield from _entries((*keys, key), value)
    elif isinstance(given, list):
        latest: dict[str, Dated] = {}
        for n, entry in enumerate(given):
            found = _last(entry) if isinstance(entry, dict) else None
            if found is None:
                yield from _entries((*keys, n), entry)
                continue
            about = _about(keys, entry)
            if about not in latest or found[1] >= latest[about][0]:
                latest[about] = (found[1], (*keys, n, found[0]), about)
        yield from latest.values()


def _last(entry: Mapping[str, Any]) -> tuple[str, date] | None:
    days = ((key, entry[key]) for key in LAST if key in entry)
    return next(((key, day) for key, day in days if isinstance(day, date) and not isinstance(day, datetime)), None)


def _about(keys: Keys, entry: Mapping[str, Any]) -> str:
    return next((str(entry[key]) for key in IDENTITY if key in entry), f"`{keys[-1]}`" if keys else "this list")
