"""What is wrong with a draft's records and documents, in words."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from state.stores.evidence.facts import Facts
from state.stores.evidence.found import RESTORE, Fault, FoundDraft, FoundRecord
from state.stores.evidence.links import beside, moment

NAMES = ("draft", "form", "tenant", "hash", "filed_at")
FILED_AT, SEALED, KEY, STATE = 4, 5, 6, 7
KEEP_UNTIL = 5


def record_faults(found: FoundDraft, facts: Facts) -> Iterator[Fault]:
    """Yield each record of a draft that is not what links say, is missing, or was filed by none."""
    told, states = filed_and_moved(found, facts)
    there = {record.number: record for record in found.records}
    for number, filed in told.items():
        given = {0: filed[STATE], **states.get(number, {})}
        wrong = _fault(there[number], filed, given, facts) if number in there else "It is missing."
        if wrong:
            yield Fault(f"Record {number}", wrong, RESTORE)
    for number in there.keys() - told.keys():
        yield Fault(f"Record {number}", "No link says that it was filed: it was put in by another hand.", RESTORE)


def filed_and_moved(found: FoundDraft, facts: Facts) -> tuple[dict[str, Sequence[str]], dict[str, dict[int, str]]]:
    """Return what was filed, and the states that the records were given, by the draft's own links and by others."""
    filed: dict[str, Sequence[str]] = dict(facts.filed.get(found.name, {}))
    states: dict[str, dict[int, str]] = {}
    adopted = facts.adopted.get(found.name)
    for number, (version, *record) in (adopted["records"] if adopted else {}).items():
        filed[number] = record
        states[number] = {version: record[STATE]}
    for event in found.events:
        said = beside(event.link.beside)
        filed |= said.filed
        for number, (version, state) in said.states.items():
            states.setdefault(number, {})[version] = state
    for number in filed:
        states.setdefault(number, {}).update(facts.states.get(number, {}))
    return filed, states


def _fault(record: FoundRecord, filed: Sequence[str], states: dict[int, str], facts: Facts) -> str:
    version = max(states)
    for place, name in enumerate(NAMES):
        if record.facts[place] != filed[place]:
            return f"Its {name} is {record.facts[place]!r}; it was filed as {filed[place]!r}."
    if record.facts[STATE] != states[version]:
        return f"Its state is {record.facts[STATE]!r}; the links say {states[version]!r}."
    if record.version != version:
        return f"It has changed its state {record.version} times; the links say {version} times."
    return _body_fault(record, filed, facts)


def _body_fault(record: FoundRecord, filed: Sequence[str], facts: Facts) -> str:
    number, kept = record.number, facts.kept.get(record.number)
    sealed, key, until = kept or (filed[SEALED], filed[KEY], record.until)
    if record.emptied:
        return _emptied_fault(number, filed, facts)
    if number in facts.emptied_records:
        return "Its body was emptied by retention, and is here again."
    if record.facts[SEALED] != sealed:
        return "Its body was changed after it was filed."
    if str(record.key) != str(key):
        return "It was put under another key than the one that sealed it."
    if record.until != until:
        return f"The day on which it goes is {record.until or 'none'}; its erasure's link says {until}."
    if record.reads in ("no", "missing"):
        return "Its body does not open, or it is not found as its person's: its key or whose it is was changed."
    if record.reads == "destroyed" and record.key not in facts.destroyed:
        return "It reads as erased, and no link says that it was: its key was destroyed by another hand."
    return ""


def _emptied_fault(number: str, filed: Sequence[str], facts: Facts) -> str:
    before = facts.emptied_records.get(number)
    if before is None:
        return "Its body was emptied, and no link says that it was."
    if number in facts.against:
        return "Its body was emptied while a legal hold stood on it: the hold had been taken from the database."
    if number in facts.early or (before and filed[FILED_AT] >= before):
        return "Its body was emptied before its time: its row, or its key's, had been given an older date."
    return ""


def document_faults(found: FoundDraft, facts: Facts, at: datetime) -> Iterator[Fault]:
    """Yield each document of a draft that is not what links say, went before its time, or was put in by none."""
    told = facts.documents.get(found.name, {})
    for name, kept in told.items():
        wrong = _document_fault(found.documents.get(name), kept, at)
        if wrong and found.name not in facts.erased:
            yield Fault(f"Document {name} of draft {found.name}", wrong, RESTORE)
    for name in found.documents.keys() - told.keys():
        yield Fault(f"Document {name} of draft {found.name}", "No link says that it was kept, or still is.", RESTORE)


def _document_fault(there: Sequence[Any] | None, kept: Sequence[Any], at: datetime) -> str:
    if there is None:
        return "It is missing before its time." if str(kept[KEEP_UNTIL]) > moment(at) else ""
    return "" if list(there) == list(kept) else "What is said about it was changed after it was kept."
