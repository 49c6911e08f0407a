"""What an audit of the store finds, for tests that ask whether everything is as it was written."""

from dataclasses import dataclass

from state.stores.store import Store


@dataclass(frozen=True)
class Verdict:
    """What came of a check. `broken` is empty, or says in words what is not as it was written first."""

    draft: str
    events: int
    broken: str = ""


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
