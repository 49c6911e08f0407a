"""The chain of a draft's events: each link holds the hash of the one before, so that no event can be changed, dropped or slipped in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from state.stores.evidence.keys import EvidenceKey
from state.stores.evidence.links import digest, keyed, link_hash
from state.stores.protocol import Link, RevisionGap, Store, StoredDraft, StoredEvent, Tampered, TurnWrites


@dataclass(frozen=True)
class Verdict:
    """What came of a check. `broken` is empty, or says in words which link is the first broken one."""

    draft: str
    events: int
    broken: str = ""


def linked(
    key: EvidenceKey, happened: StoredEvent, n: int, previous: str, at: datetime, body: bytes, beside: str = ""
) -> Link:
    """The link for an event that is about to be appended with this stored body, and with what is written beside it."""
    versions = (happened.form_version, happened.rules_version)
    start = (happened.draft, n, happened.kind, happened.revision, *versions, at, digest(body), previous)
    return keyed(Link(*start, beside=beside), key)


def belong(work: TurnWrites) -> None:
    """Raises RevisionGap where an event's draft, or a tool call's, is not written with it."""
    about = {event.draft for event in work.events} | {call.draft for call in work.calls}
    if strays := about - {draft.id for draft in work.drafts}:
        raise RevisionGap(f"{len(strays)} drafts have events or calls here and are not written with them.")


def follow(before: int, events: Sequence[StoredEvent], draft: StoredDraft) -> None:
    """Raises RevisionGap unless these events lead from the stored revision to the draft's, one step for each that changes."""
    if not events:
        raise RevisionGap("A draft is written together with the events that changed it.")
    revision = before
    for event in events:
        revision += 1 if event.changes else 0
        if event.revision != revision:
            raise RevisionGap(f"An event at revision {event.revision} does not follow; {revision} would.")
    if draft.revision != revision:
        raise RevisionGap(f"The draft's revision {draft.revision} is not its newest event's, {revision}.")


def broken(links: Iterable[Link], draft: StoredDraft) -> str:
    """The first thing that is wrong with a draft's chain, in words; empty where all is well."""
    last, head, revision = 0, "", 0
    for link in links:
        if found := _fault(link, last, head, revision):
            return found
        last, head, revision = link.n, link.hash, link.revision
    if (last, head) != (draft.last, draft.head):
        return f"The chain ends at event {last}; the draft says that event {draft.last} is the newest."
    if revision != draft.revision:
        return f"The newest event is at revision {revision}; the draft is at {draft.revision}."
    return ""


def _fault(link: Link, last: int, head: str, revision: int) -> str:
    if link.n != last + 1:
        return f"Event {last + 1} is missing."
    if link.previous != head:
        return f"Event {link.n} does not follow event {last}: that one was another when this was written."
    if link.hash != link_hash(link):
        return f"Event {link.n} was changed after it was written."
    if link.revision not in (revision, revision + 1):
        return f"Event {link.n} is at revision {link.revision}; {revision} or {revision + 1} would follow."
    return ""


async def verify(store: Store, draft: str) -> Verdict:
    """Check a draft's chain and its gapless revisions, also after its person was erased. KeyError for an unknown draft."""
    while True:
        try:
            before, links, after = await store.draft(draft), await store.links(draft), await store.draft(draft)
        except Tampered:
            return Verdict(draft, 0, "The draft itself was changed after it was written.")
        if before is None or after is None:
            raise KeyError(draft)
        if before.last == after.last:  # else a turn was written meanwhile: look again
            return Verdict(draft, len(links), broken(links, after))


async def verify_all(store: Store) -> tuple[int, list[str]]:
    """Check every draft: how many there are, and a sentence for each that is broken."""
    checked, faults, after = 0, list[str](), ""
    while names := await store.drafts(after):
        verdicts = [await verify(store, name) for name in names]
        faults += [f"Draft {verdict.draft}: {verdict.broken}" for verdict in verdicts if verdict.broken]
        checked, after = checked + len(names), names[-1]
    return checked, faults
