"""The chain of a draft's events: each link holds the hash of the one before, so that no event can be changed, dropped or slipped in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from state.stores.evidence.keys import EvidenceKey
from state.stores.evidence.links import digest, keyed
from state.stores.protocol import Link, RevisionGap, Store, StoredDraft, StoredEvent, TurnWrites


@dataclass(frozen=True)
class Verdict:
    """What came of a check. `broken` is empty, or says in words what is not as it was written first."""

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


async def verify(store: Store, draft: str) -> Verdict:
    """Check a draft, its chain and its gapless revisions, also after its person was erased. KeyError for an unknown draft."""
    report = await store.audit(draft)
    if not report.drafts:
        raise KeyError(draft)
    return Verdict(draft, report.events, report.faults[0].what if report.faults else "")


async def verify_all(store: Store) -> tuple[int, list[str]]:
    """Check everything: how many drafts there are, and a sentence for each thing that is not as it was written."""
    report = await store.audit()
    return report.drafts, [str(fault) for fault in report.faults]
