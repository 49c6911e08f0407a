"""What documents propose: kept beside the draft until the person's click, never a value of it."""

from collections.abc import Mapping
from dataclasses import replace

from state.advance.work import Work
from state.draft.changes import ReadingsChanged
from state.draft.draft import DocumentReading, Value
from state.draft.missing import reachable


def propose(work: Work, document: str, values: Mapping[str, Value]) -> None:
    """Add values to what a document proposes; the newest reading of a field counts."""
    known = next((r for r in work.draft.readings if r.document == document), DocumentReading(document))
    others = tuple(r for r in work.draft.readings if r.document != document)
    if values:
        work.change(ReadingsChanged((*others, replace(known, values={**known.values, **values}))))


def prune(work: Work) -> bool:
    """Drop proposals that say what stands already, whose question is gone, or whose document is. Says whether any was."""
    there = work.draft.held
    fields = {f.name for f in reachable(work.form, work.draft)}
    left = (replace(r, values=_left(work, r, fields)) for r in work.draft.readings if r.document in there)
    kept = tuple(r for r in left if r.values)
    if kept == work.draft.readings:
        return False
    work.change(ReadingsChanged(kept))
    return True


def _left(work: Work, reading: DocumentReading, fields: set[str]) -> dict[str, Value]:
    given = work.draft.values
    return {n: v for n, v in reading.values.items() if n in fields and (n not in given or given[n].data != v.data)}


def drop(work: Work, reading: DocumentReading, names: tuple[str, ...]) -> None:
    """Take proposals away without setting anything."""
    left = replace(reading, values={n: v for n, v in reading.values.items() if n not in names})
    readings = (left if r.document == reading.document else r for r in work.draft.readings)
    work.change(ReadingsChanged(tuple(r for r in readings if r.values)))


def differing(work: Work, reading: DocumentReading) -> tuple[str, ...]:
    """Proposed fields to which the person gave another answer."""
    return tuple(n for n in reading.values if n in work.draft.values)
