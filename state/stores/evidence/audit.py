"""The audit: every chain against its links, the links against their MACs, and all of it against the signed checkpoints.

It reads what `finding` found in the database, or the evidence as a file: everything that an audit needs, and nothing that anybody said.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import Any

from state.exact_json import loads
from state.stores.evidence import check_draft
from state.stores.evidence.checkpoints import Checkpoint, genuine, parsed
from state.stores.evidence.found import (
    RESTORE,
    Evidence,
    Facts,
    Fault,
    FoundCall,
    FoundDraft,
    FoundEvent,
    FoundRecord,
    Report,
    custody_fault,
    facts_of,
    version_name,
)
from state.stores.evidence.keys import EvidenceKey, Keyring, signed
from state.stores.evidence.links import INSTALLATION, CustodyLink, counter, digest_of, moment
from state.stores.rows import Link

SLACK_OF_CLOCKS = timedelta(days=1)
Chains = dict[str, list[CustodyLink]]


def audit(evidence: Evidence, keys: Keyring | None, only: str = "") -> Report:
    """Return everything that is not as it was written. Without keys (offline) MACs and keys are not looked at, signatures are.

    With `only`, the faults of that draft alone: `evidence` has no other.
    """
    report = Report(newest=evidence.checkpoints[-1] if evidence.checkpoints else None)
    report.faults += checkpoint_faults(evidence.checkpoints, evidence.public)
    signed = {
        chain: check_draft.Signed(last, head, checkpoint.n)
        for checkpoint in evidence.checkpoints
        for chain, (last, head) in checkpoint.heads.items()
    }
    chains: Chains = {chain: list(links) for chain, links in groupby(evidence.custody, lambda link: link.chain)}
    facts = facts_of(evidence.custody, keys)
    report.faults += custody_faults(chains, signed, facts, keys)
    seen, issued = set[str](), dict[str, list[str]]()
    for found in evidence.drafts:
        seen.add(found.name)
        report.faults += _of_draft(found, check_draft.Known(facts, keys, signed.get(found.name)), evidence.at)
        _count(report, found, signed.get(found.name))
        for number in {*check_draft.filed_and_moved(found, facts)[0], *(record.number for record in found.records)}:
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


def custody_faults(
    chains: Chains, signed: dict[str, check_draft.Signed], facts: Facts, keys: Keyring | None
) -> Iterator[Fault]:
    """Yield chains beside the events that are not as they were written, or shorter than was signed."""
    for chain, links in chains.items():
        wrong = custody_fault(links, keys) or _head_fault(links, signed.get(chain))
        if wrong:
            yield Fault(f"Chain {chain}", wrong, RESTORE)
    for chain in signed.keys() - chains.keys():
        of = chain.partition("/")[2]
        if chain == INSTALLATION or (of and of not in facts.removed):
            yield Fault(f"Chain {chain}", f"It is missing; checkpoint {signed[chain].checkpoint} signed it.", RESTORE)


def _head_fault(links: Sequence[CustodyLink], head: check_draft.Signed | None) -> str:
    if head is None:
        return ""
    if len(links) < head.last:
        return f"It ends at link {len(links)}; checkpoint {head.checkpoint} signed link {head.last}: it was cut off or rolled back."
    if links[head.last - 1].hash != head.hash:
        return f"Link {head.last} is not the one that checkpoint {head.checkpoint} signed."
    return ""


def _of_draft(found: FoundDraft, known: check_draft.Known, at: datetime) -> Iterator[Fault]:
    if found.name in known.facts.removed:
        yield Fault(f"Draft {found.name}", "It was removed by retention, and is here again.", RESTORE)
        return
    if wrong := check_draft.draft_fault(found, known):
        yield Fault(f"Draft {found.name}", wrong, RESTORE)
    yield from check_draft.record_faults(found, known.facts)
    yield from check_draft.document_faults(found, known.facts, at)


def _count(report: Report, found: FoundDraft, signed: check_draft.Signed | None) -> None:
    report.drafts += 1
    report.events += len(found.events)
    report.unkeyed += sum(not event.link.mac for event in found.events)
    report.unsigned += signed is None or signed.last < found.last


def _missing(
    signed: dict[str, check_draft.Signed], facts: Facts, seen: set[str], checkpoints: Sequence[Checkpoint]
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


NUMBER = re.compile(r"([A-Z]{2,6}-\d{4})-(\d{6,})", re.ASCII)
COUNTED = "No more is filed until the counter is where it was. " + RESTORE
Issued = Mapping[str, Iterable[str]]
"""Number to the drafts that were filed, or are there, under it."""


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


Json = dict[str, Any]
VERSION = 1
FLAGS = ("emptied", "key", "stripped")
NEW_EXPORT = "Make the export anew where the installation is: holdfast export --format evidence."


def written(evidence: Evidence, key: EvidenceKey, keys: Keyring) -> str:
    """Return the file. What an audit with the keys finds meanwhile is part of it."""
    drafts = list(evidence.drafts)
    report = audit(replace(evidence, drafts=drafts), keys)
    content = {
        "version": VERSION,
        "at": moment(evidence.at),
        "public": dict(evidence.public),
        "checkpoints": [[one.text, one.hash, one.signature] for one in evidence.checkpoints],
        "custody": [vars(link) | {"at": moment(link.at)} for link in evidence.custody],
        "drafts": [_draft(found) for found in drafts],
        "tombstones": {str(number): made for number, made in evidence.tombstones.items()},
        "destroyed": sorted(evidence.destroyed),
        "strays": [list(stray) for stray in evidence.strays],
        "unreadable": list(evidence.unreadable),
        "versions": [dict(told) for told in evidence.versions],
        "faults": [vars(fault) for fault in report.faults],
    }
    signature = key.sign(_statement(content))
    return json.dumps({"evidence": content, "key": key.id, "signature": signature}, indent=1) + "\n"


def audited(text: str, public: str) -> tuple[Report, list[Checkpoint]]:
    """Return what an audit of such a file finds with nothing but the public key, and its checkpoints. ValueError where it is no such file."""
    try:
        whole = loads(text)
        content: Json = whole["evidence"]
        evidence = Evidence(
            at=datetime.fromisoformat(content["at"]),
            public=content["public"],
            checkpoints=[parsed(*one) for one in content["checkpoints"]],
            custody=[CustodyLink(**link | {"at": datetime.fromisoformat(link["at"])}) for link in content["custody"]],
            drafts=[_found(draft) for draft in content["drafts"]],
            tombstones={int(number): made for number, made in content["tombstones"].items()},
            destroyed=frozenset(content["destroyed"]),
            strays=[(table, draft) for table, draft in content["strays"]],
            unreadable=content["unreadable"],
            versions=content.get("versions", ()),
        )
        faults = [Fault(**fault) for fault in content["faults"]]
        genuine = signed(public, _statement(content), str(whole["signature"]))
        trusted = replace(evidence, public={**evidence.public, str(whole["key"]): public})
        report = audit(trusted, None)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError("This is no export of the evidence, or it was cut off.") from error
    known = {str(fault) for fault in report.faults}
    report.faults += [fault for fault in faults if str(fault) not in known]
    if not genuine:
        what = "It was changed after it was written, or is another installation's: this public key did not sign it."
        report.faults.insert(0, Fault("Export", what, NEW_EXPORT))
    return report, list(evidence.checkpoints)


def _statement(content: Json) -> str:
    return f"holdfast evidence {digest_of(content)}"


def _draft(found: FoundDraft) -> Json:
    return vars(found) | {
        "events": [_event(event) for event in found.events],
        "calls": [list(vars(call).values()) for call in found.calls],
        "records": [vars(record) for record in found.records],
    }


def _event(event: FoundEvent) -> Json:
    link = {name: value for name, value in vars(event.link).items() if name not in ("draft", "at")}
    return link | {"at": moment(event.link.at), "emptied": event.emptied, "key": event.key, "stripped": event.stripped}


def _found(told: Json) -> FoundDraft:
    events = [_found_event(told["name"], event) for event in told["events"]]
    calls = [FoundCall(*call) for call in told["calls"]]
    records = [FoundRecord(**record) for record in told["records"]]
    return FoundDraft(**told | {"events": events, "calls": calls, "records": records})


def _found_event(draft: str, told: Mapping[str, Any]) -> FoundEvent:
    link = {name: value for name, value in told.items() if name not in ("at", *FLAGS)}
    return FoundEvent(Link(draft=draft, at=datetime.fromisoformat(told["at"]), **link), *(told[name] for name in FLAGS))
