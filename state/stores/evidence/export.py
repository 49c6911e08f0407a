"""The evidence as a file: everything that an audit needs, and nothing that anybody said. The whole is signed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from state.exact_json import loads
from state.stores.evidence.audit import audit
from state.stores.evidence.checkpoints import Checkpoint, parsed
from state.stores.evidence.found import Evidence, Fault, FoundCall, FoundDraft, FoundEvent, FoundRecord, Report
from state.stores.evidence.keys import EvidenceKey, Keyring, signed
from state.stores.evidence.links import CustodyLink, digest_of, moment
from state.stores.rows import Link

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
        evidence = _evidence(content)
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


def _evidence(content: Json) -> Evidence:
    return Evidence(
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


def _found(told: Json) -> FoundDraft:
    events = [_found_event(told["name"], event) for event in told["events"]]
    calls = [FoundCall(*call) for call in told["calls"]]
    records = [FoundRecord(**record) for record in told["records"]]
    return FoundDraft(**told | {"events": events, "calls": calls, "records": records})


def _found_event(draft: str, told: Mapping[str, Any]) -> FoundEvent:
    link = {name: value for name, value in told.items() if name not in ("at", *FLAGS)}
    return FoundEvent(Link(draft=draft, at=datetime.fromisoformat(told["at"]), **link), *(told[name] for name in FLAGS))
