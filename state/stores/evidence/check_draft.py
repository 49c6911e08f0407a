"""Finds faults, in words, in a draft's chain, its row and its bodies, its records and its documents, in words."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from state.stores.evidence.found import RESTORE, Facts, Fault, FoundCall, FoundDraft, FoundEvent, FoundRecord
from state.stores.evidence.keys import Keyring
from state.stores.evidence.links import DRAFT, EVENT, beside, digest_of, link_hash, moment
from state.stores.rows import Link

NAMES = ("draft", "form", "tenant", "hash", "filed_at")
FILED_AT, SEALED, KEY, STATE = 4, 5, 6, 7
KEEP_UNTIL = 5
CHANGED = "The draft itself was changed after it was written."


@dataclass(frozen=True)
class Signed:
    """A head that a checkpoint has signed."""

    last: int
    hash: str
    checkpoint: int


@dataclass(frozen=True)
class Known:
    """Knowledge about a draft from elsewhere: the facts, the keys (None offline), the newest head that was signed."""

    facts: Facts
    keys: Keyring | None
    signed: Signed | None

    def adopted(self, draft: str) -> Mapping[str, Any] | None:
        """Return the draft as it was found before links had MACs."""
        return self.facts.adopted.get(draft)


def draft_fault(found: FoundDraft, known: Known) -> str:
    """Return the first thing that is wrong, in words; empty where all is well."""
    if found.reads == "unreadable":
        return "A value of it, or of what is beside it, is of another kind than was written: it cannot be read."
    if found.reads == "no":
        return CHANGED
    return (
        chain_fault([event.link for event in found.events], found, known)
        or _row_fault(found, known)
        or _key_fault(found, known.facts)
        or _body_fault(found, known.facts)
        or _calls_fault(found, known)
        or _shown_fault(found, known.facts)
    )


def chain_fault(links: Sequence[Link], found: FoundDraft, known: Known) -> str:
    """Return what is wrong with the first link that is not as it was written, or not where the draft, a checkpoint or the adoption has it."""
    last, head, revision = 0, "", 0
    for link in links:
        wrong = _link_fault(link, last, head, revision) or _mac_fault(link, known) or _place_fault(link, known)
        if wrong:
            return wrong
        last, head, revision = link.n, link.hash, link.revision
    if (last, head) != (found.last, found.head):
        return f"The chain ends at event {last}; the draft says that event {found.last} is the newest."
    if revision != found.revision:
        return f"The newest event is at revision {revision}; the draft is at {found.revision}."
    if known.signed and known.signed.last > last:
        signed = known.signed
        return f"The chain ends at event {last}; checkpoint {signed.checkpoint} signed event {signed.last}: it was cut off or rolled back."
    return ""


def _link_fault(link: Link, last: int, head: str, revision: int) -> str:
    if link.n != last + 1:
        return f"Event {last + 1} is missing."
    if link.previous != head:
        return f"Event {link.n} does not follow event {last}: that one was another when this was written."
    if link.hash != link_hash(link):
        return f"Event {link.n} was changed after it was written."
    if link.revision not in (revision, revision + 1):
        return f"Event {link.n} is at revision {link.revision}; {revision} or {revision + 1} would follow."
    return ""


def _mac_fault(link: Link, known: Known) -> str:
    adopted = known.adopted(link.draft)
    old = adopted["last"] if adopted else 0
    if not link.mac:
        return (
            ""
            if link.n <= old
            else f"Event {link.n} has no MAC, as every link has that was written since there are any."
        )
    if known.keys and not known.keys.made(link.mac, EVENT, link.hash):
        return f"Event {link.n} has a MAC that was not made with the installation's key."
    return ""


def _place_fault(link: Link, known: Known) -> str:
    adopted, signed = known.adopted(link.draft), known.signed
    if adopted and adopted["last"] == link.n and adopted["head"] != link.hash:
        return f"Event {link.n} is not the one that stood there when links were given MACs."
    if signed and signed.last == link.n and signed.hash != link.hash:
        return f"Event {link.n} is not the one that checkpoint {signed.checkpoint} signed."
    return ""


def _row_fault(found: FoundDraft, known: Known) -> str:
    """Check the row's own MAC; a row from before there were any must be as it was found then."""
    if known.keys is None:
        return ""
    if found.mac:
        return "" if known.keys.made(found.mac, DRAFT, found.row) else CHANGED
    adopted = known.adopted(found.name)
    return "" if adopted and adopted["row"] == found.row else CHANGED


def _key_fault(found: FoundDraft, facts: Facts) -> str:
    erased = facts.erased.get(found.name)
    if found.reads == "missing":
        return "The key that its words are sealed with is not there any more."
    if found.reads == "destroyed" and not (found.key in facts.destroyed or found.emptied):
        return "It reads as erased, and no link says that it was: its key was destroyed by another hand."
    if found.reads == "yes" and erased:
        return f"It was erased on {erased:%Y-%m-%d}, and its words are here again."
    return ""


def _body_fault(found: FoundDraft, facts: Facts) -> str:
    until = facts.emptied.get(found.name, 0)
    if found.emptied and not until:
        return "Its body was emptied, and no link says that it was."
    return next((wrong for event in found.events if (wrong := _event_fault(event, found, until, facts))), "")


def _event_fault(event: FoundEvent, found: FoundDraft, until: int, facts: Facts) -> str:
    link = event.link
    if event.stripped:
        return f"The MAC of event {link.n} was taken away: its body says that it had one."
    if event.emptied and link.n > until:
        return f"The body of event {link.n} was emptied, and no link says that it was."
    if not event.emptied and until >= link.n:
        return f"The body of event {link.n} was emptied by retention, and is here again."
    if not event.emptied and event.key != found.key:
        return f"Event {link.n} was put under another key than its draft's."
    before = facts.emptied_at.get(found.name, "")
    if event.emptied and before and moment(link.at) >= before:
        return f"Event {link.n} was emptied before its time: the draft's row had been given an older date."
    return ""


def _calls_fault(found: FoundDraft, known: Known) -> str:
    adopted, until = known.adopted(found.name), known.facts.emptied.get(found.name, 0)
    old = adopted["last"] if adopted else 0
    by_event: dict[int, list[FoundCall]] = {}
    for call in found.calls:
        by_event.setdefault(call.n, []).append(call)
    if adopted and digest_of([c.digest for c in found.calls if c.n <= old]) != adopted["calls"]:
        return f"The tool calls beside the first {old} events are not those that were there when links were given MACs."
    for event in found.events[old:]:
        here = by_event.pop(event.link.n, [])
        if wrong := _beside_fault(event.link, here):
            return wrong
    if strange := sorted(n for n in by_event if n > old):
        return f"A tool call stands beside event {strange[0]}, which is not there."
    return _call_bodies_fault(found, until)


def _beside_fault(link: Link, here: Sequence[FoundCall]) -> str:
    told, there = beside(link.beside).calls, [call.digest for call in sorted(here, key=lambda call: call.place)]
    if len(there) < len(told):
        return f"Beside event {link.n} stand {len(there)} tool calls of the {len(told)} that were logged."
    if len(there) > len(told):
        return f"Beside event {link.n} stand {len(there)} tool calls, and {len(told)} were logged."
    wrong = next((i for i, (a, b) in enumerate(zip(told, there, strict=True), 1) if a != b), 0)
    return f"Tool call {wrong} beside event {link.n} was changed after it was logged." if wrong else ""


def _call_bodies_fault(found: FoundDraft, until: int) -> str:
    for call in found.calls:
        if call.emptied and call.n > until:
            return f"The body of a tool call beside event {call.n} was emptied, and no link says that it was."
        if not call.emptied and call.key != found.key:
            return f"A tool call beside event {call.n} was put under another key than its draft's."
    return ""


def _shown_fault(found: FoundDraft, facts: Facts) -> str:
    """Check what was shown: it stays as long as the record does, unless that took its story along when its person was erased."""
    if not any(one.key == found.key and not one.emptied and one.number not in facts.kept for one in found.records):
        return ""
    there, until = Counter(found.shown), facts.emptied.get(found.name, 0)
    for event in found.events:
        lacks = Counter(beside(event.link.beside).shown) - there
        if lacks and event.link.n > until:
            return f"Of what was shown beside event {event.link.n}, {lacks.total()} are missing, or were changed."
    return ""


def record_faults(found: FoundDraft, facts: Facts) -> Iterator[Fault]:
    """Yield each record of a draft that is not what links say, is missing, or was filed by none."""
    told, states = filed_and_moved(found, facts)
    there = {record.number: record for record in found.records}
    for number, filed in told.items():
        given = {0: filed[STATE], **states.get(number, {})}
        wrong = _record_fault(there[number], filed, given, facts) if number in there else "It is missing."
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


def _record_fault(record: FoundRecord, filed: Sequence[str], states: dict[int, str], facts: Facts) -> str:
    version = max(states)
    for place, name in enumerate(NAMES):
        if record.facts[place] != filed[place]:
            return f"Its {name} is {record.facts[place]!r}; it was filed as {filed[place]!r}."
    if record.facts[STATE] != states[version]:
        return f"Its state is {record.facts[STATE]!r}; the links say {states[version]!r}."
    if record.version != version:
        return f"It has changed its state {record.version} times; the links say {version} times."
    return _record_body_fault(record, filed, facts)


def _record_body_fault(record: FoundRecord, filed: Sequence[str], facts: Facts) -> str:
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
