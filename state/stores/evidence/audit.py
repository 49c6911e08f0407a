"""The audit: every chain against its links, the links against their MACs, and all of it against what checkpoints have signed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise

from state.stores.evidence.check_draft import (
    Known,
    Signed,
    document_faults,
    draft_fault,
    filed_and_moved,
    record_faults,
)
from state.stores.evidence.check_numbers import number_faults
from state.stores.evidence.checkpoints import Checkpoint, genuine
from state.stores.evidence.facts import Facts, custody_fault, facts_of, version_name
from state.stores.evidence.found import RESTORE, Evidence, Fault, FoundDraft, Report
from state.stores.evidence.keys import Keyring
from state.stores.evidence.links import INSTALLATION, CustodyLink

SLACK_OF_CLOCKS = timedelta(days=1)
Chains = dict[str, list[CustodyLink]]


def audit(evidence: Evidence, keys: Keyring | None, only: str = "") -> Report:
    """Return everything that is not as it was written. Without keys (offline) MACs and keys are not looked at, signatures are.

    With `only`, the faults of that draft alone: `evidence` has no other.
    """
    report = Report(newest=evidence.checkpoints[-1] if evidence.checkpoints else None)
    report.faults += checkpoint_faults(evidence.checkpoints, evidence.public)
    signed = signed_heads(evidence.checkpoints)
    chains: Chains = {chain: list(links) for chain, links in groupby(evidence.custody, lambda link: link.chain)}
    facts = facts_of(evidence.custody, keys)
    report.faults += custody_faults(chains, signed, facts, keys)
    seen, issued = set[str](), dict[str, list[str]]()
    for found in evidence.drafts:
        seen.add(found.name)
        report.faults += _of_draft(found, Known(facts, keys, signed.get(found.name)), evidence.at)
        _count(report, found, signed.get(found.name))
        for number in {*filed_and_moved(found, facts)[0], *(record.number for record in found.records)}:
            issued.setdefault(number, []).append(found.name)
    if only:
        report.faults = [fault for fault in report.faults if fault.where == f"Draft {only}"]
        return report
    report.faults += [*_missing(signed, facts, seen, evidence.checkpoints), *_rest(evidence, facts)]
    report.faults += number_faults(evidence, issued, facts)
    return report


def checkpoint_faults(checkpoints: Sequence[Checkpoint], public: Mapping[str, str]) -> Iterator[Fault]:
    """Yield checkpoints that are not as they were signed, or do not follow each other."""
    for checkpoint in checkpoints:
        if wrong := genuine(checkpoint, public):
            yield Fault(f"Checkpoint {checkpoint.n}", f"In the database {wrong}.", RESTORE)
    if checkpoints and checkpoints[0].n != 1 and checkpoints[0].restored is None:
        yield Fault("Checkpoint 1", "It is missing from the database.", RESTORE)
    for one, next_one in pairwise(checkpoints):
        restored = next_one.restored
        if next_one.n != (restored.over if restored else one.n) + 1:
            yield Fault(f"Checkpoint {one.n + 1}", "It is missing from the database.", RESTORE)
        elif next_one.previous != one.hash:
            yield Fault(f"Checkpoint {next_one.n}", "It does not follow the one before in the database.", RESTORE)


def signed_heads(checkpoints: Sequence[Checkpoint]) -> dict[str, Signed]:
    """Return the newest head of each chain that was signed."""
    return {
        chain: Signed(last, head, checkpoint.n)
        for checkpoint in checkpoints
        for chain, (last, head) in checkpoint.heads.items()
    }


def custody_faults(chains: Chains, signed: dict[str, Signed], facts: Facts, keys: Keyring | None) -> Iterator[Fault]:
    """Yield chains beside the events that are not as they were written, or shorter than was signed."""
    for chain, links in chains.items():
        wrong = custody_fault(links, keys) or _head_fault(links, signed.get(chain))
        if wrong:
            yield Fault(f"Chain {chain}", wrong, RESTORE)
    for chain in signed.keys() - chains.keys():
        of = chain.partition("/")[2]
        if chain == INSTALLATION or (of and of not in facts.removed):
            yield Fault(f"Chain {chain}", f"It is missing; checkpoint {signed[chain].checkpoint} signed it.", RESTORE)


def _head_fault(links: Sequence[CustodyLink], head: Signed | None) -> str:
    if head is None:
        return ""
    if len(links) < head.last:
        return f"It ends at link {len(links)}; checkpoint {head.checkpoint} signed link {head.last}: it was cut off or rolled back."
    if links[head.last - 1].hash != head.hash:
        return f"Link {head.last} is not the one that checkpoint {head.checkpoint} signed."
    return ""


def _of_draft(found: FoundDraft, known: Known, at: datetime) -> Iterator[Fault]:
    if found.name in known.facts.removed:
        yield Fault(f"Draft {found.name}", "It was removed by retention, and is here again.", RESTORE)
        return
    if wrong := draft_fault(found, known):
        yield Fault(f"Draft {found.name}", wrong, RESTORE)
    yield from record_faults(found, known.facts)
    yield from document_faults(found, known.facts, at)


def _count(report: Report, found: FoundDraft, signed: Signed | None) -> None:
    report.drafts += 1
    report.events += len(found.events)
    report.unkeyed += sum(not event.link.mac for event in found.events)
    report.unsigned += signed is None or signed.last < found.last


def _missing(
    signed: dict[str, Signed], facts: Facts, seen: set[str], checkpoints: Sequence[Checkpoint]
) -> Iterator[Fault]:
    """Yield drafts that are known of and are not there; removed ones that had been written to since they could be."""
    known = {chain for chain in signed if chain != INSTALLATION and "/" not in chain}
    known |= facts.adopted.keys() | facts.erased.keys() | facts.filed.keys()
    for name in sorted(known - seen - facts.removed.keys()):
        by = f"checkpoint {signed[name].checkpoint} signed it" if name in signed else "a link names it"
        yield Fault(f"Draft {name}", f"It is missing with everything of it; {by}.", RESTORE)
    times = {checkpoint.n: checkpoint.at for checkpoint in checkpoints}
    for name, before in sorted(facts.removed.items()):
        last = times.get(signed[name].checkpoint) if name in signed else None
        if last and last - SLACK_OF_CLOCKS > datetime.fromisoformat(before) and signed[name].checkpoint > 1:
            yield Fault(
                f"Draft {name}", "It was removed before its time: its row had been given an older date.", RESTORE
            )


def _rest(evidence: Evidence, facts: Facts) -> Iterator[Fault]:
    for table in evidence.unreadable:
        yield Fault(f"Table {table}", "A value in it is of another kind than was written: it cannot be read.", RESTORE)
    for number, made in facts.stones.items():
        if evidence.tombstones.get(number) != made:
            what = "was changed" if number in evidence.tombstones else "is missing"
            yield Fault(f"Tombstone {number}", f"It {what}: the link of its erasure says what it was.", RESTORE)
    for number in sorted(evidence.tombstones.keys() - facts.stones.keys()):
        yield Fault(f"Tombstone {number}", "No link says that there was such an erasure.", RESTORE)
    yield from _version_faults(evidence, facts)
    for key in sorted(evidence.destroyed - facts.destroyed):
        yield Fault(f"Key {key}", "It was destroyed, and no link says that anybody was erased.", RESTORE)
    for table, draft in evidence.strays:
        yield Fault(f"Draft {draft}", f"There are rows of it in {table}, and it is not there itself.", RESTORE)


def _version_faults(evidence: Evidence, facts: Facts) -> Iterator[Fault]:
    """Yield each version of a list that is not what its link says, is missing, or was put in by none."""
    there = {version_name(told): told for told in evidence.versions}
    for name in sorted(facts.versions.keys() | there.keys()):
        told, found = facts.versions.get(name), there.get(name)
        if found is None:
            yield Fault(f"List {name}", "This version is missing: a link says that it was published.", RESTORE)
        elif told is None:
            yield Fault(f"List {name}", "No link says that this version was published.", RESTORE)
        elif dict(told) != dict(found):
            differs = ", ".join(key for key in told if told[key] != found.get(key))
            yield Fault(f"List {name}", f"This version was changed after it was published ({differs}).", RESTORE)
