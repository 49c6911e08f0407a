"""The routed form with a report, a note and breaches; requests of it that are approved, and their outcomes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.advance import Outcome, advance
from state.draft.documents import Document
from state.draft.draft import Draft, with_record
from state.draft.route import case_hash, report_mark
from state.engine.effects import Remind
from state.engine.events import CaseJudged, DocumentsReceived, ReportMade, TimerFired
from state.form import Form
from state.form.filing import FilingTable
from tests.state.deciding import JUDGED, MANAGER, OFFICER, ROUTE, ROUTED, UNTIL, verdict
from tests.state.forms import OWNER, gathered, reviewing

REPORT = {
    "day": "done_on",
    "approved": {"done_number": "quantity"},
    "most": ["done_number"],
    "count": "done_number",
    "fields": {
        "done_on": {"kind": "date", "label": "Day", "ask": "What day was it?"},
        "done_number": {"kind": "integer", "label": "Number", "ask": "How many?", "minimum": 1, "words": ["number"]},
        "done_sum": {"kind": "money", "label": "Sum", "ask": "What did it come to?", "words": ["sum"]},
        "done_currency": {"kind": "currency", "label": "Currency", "ask": "In which currency?", "words": ["currency"]},
    },
}
NOTE = {"days": 30, "tolerance": 5, "figures": ["done_number", "done_sum", "done_on"]}
DONE = {"report": "executed"}
AFTER = {
    "approved": {"expires": "expired", "unused": "unused", "extend": {"by": "senior"}, **DONE},
    **{name: {"valid": False, **DONE} for name in ("expired", "declined", "withdrawn", "unused")},
}
STATES = {name: state.model_dump(exclude_unset=True) for name, state in ROUTE.states.items()}


def form(**changed: Any) -> Form:
    """The form; parts of its filing changed as given."""
    parts: dict[str, Any] = {"report": REPORT, "note": NOTE, "breaches": {"by": "compliance"}, **changed}
    return ROUTED.model_copy(update={"filing": FilingTable.model_validate({"states": {**STATES, **AFTER}, **parts})})


FORM = form()


def went(draft: Draft, event: Any, shape: Form = FORM) -> Outcome:
    """What the form makes of an event."""
    return advance(shape, JUDGED, draft, event)


def filed(shape: Form = FORM) -> Draft:
    """A request for 200 that waits for its manager."""
    draft = reviewing()
    return with_record(went(draft, gathered(draft), shape).draft, number="SM-2026-000001")


def approved(shape: Form = FORM, zone: str = "") -> Draft:
    """One that is approved on 20 November, until the 24th."""
    return approval(shape, zone).draft


def approval(shape: Form = FORM, zone: str = "") -> Outcome:
    """The outcome of its last verdict."""
    first = replace(filed(shape), zone=zone)
    second = went(first, verdict(first, MANAGER), shape).draft
    outcome = went(second, verdict(second, OFFICER), shape)
    assert outcome.draft.filed.valid_until == UNTIL
    return outcome


ENTRIES = {"done_on": "2026-11-23", "done_number": "180", "done_sum": "GBP 649.80"}


def report(draft: Draft, at: str = "2026-11-23T15:00:00+00:00", who: str = OWNER, **entries: Any) -> ReportMade:
    """The box as it was filled in: 180 on the 23rd for GBP 649.80, or what is given otherwise."""
    return ReportMade(
        f"r-{at}-{len(draft.filed.reports)}-{entries}", at, who, {**ENTRIES, **entries}, report_mark(draft)
    )


def reported(draft: Draft, shape: Form = FORM, **entries: Any) -> Draft:
    """The draft after its owner's report."""
    return went(draft, report(draft, **entries), shape).draft


TEXT = "Trade confirmation\nNumber: 180\nSum: GBP 649.80\nDay: 23 Nov 2026"


def note(draft: Draft, text: str = TEXT, name: str = "note.pdf", **about: Any) -> DocumentsReceived:
    """A file with this text that its owner sent."""
    document = Document(f"f-{name}", name, "application/pdf", 1, text, **about)
    return DocumentsReceived(f"n-{name}-{text}", "2026-11-25T10:00:00+00:00", "documents", (document,), draft.turn)


def noted(draft: Draft, text: str = TEXT, name: str = "note.pdf") -> Draft:
    """The draft after that."""
    return went(draft, note(draft, text, name)).draft


def judged(draft: Draft, case: str, who: str, word: Any = "close", **more: Any) -> CaseJudged:
    """An officer's judgement of what the card shows, with the facts as they are."""
    facts = {"role": "compliance", "own": who == OFFICER, "reason": "Looked at.", "where": "C1", **more}
    given = {"hash": case_hash(draft, case), **facts}
    return CaseJudged(f"j-{case}-{who}-{word}", "2026-11-26T10:00:00+00:00", who, case, word, **given)


def reminders(outcome: Outcome) -> Mapping[str, Remind]:
    """The timers that it set."""
    return {e.what: e for e in outcome.effects if isinstance(e, Remind)}


def fired(one: Remind, at: str = "") -> TimerFired:
    """A timer at its time."""
    return TimerFired(f"t-{one.what}-{one.at}-{at}", at or one.at, "timer", one.what, one.state, one.mark, one.at)
