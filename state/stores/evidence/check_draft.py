"""What is wrong with a draft's chain, its row and its bodies, in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state.stores.evidence.facts import Facts
from state.stores.evidence.found import FoundCall, FoundDraft, FoundEvent
from state.stores.evidence.keys import Keyring
from state.stores.evidence.links import DRAFT, EVENT, beside, digest_of, link_hash, moment
from state.stores.rows import Link

CHANGED = "The draft itself was changed after it was written."


@dataclass(frozen=True)
class Signed:
    """A head that a checkpoint has signed."""

    last: int
    hash: str
    checkpoint: int


@dataclass(frozen=True)
class Known:
    """What is known of a draft from elsewhere: the facts, the keys (None offline), the newest head that was signed."""

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
