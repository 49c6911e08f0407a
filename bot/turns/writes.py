"""Build what a turn writes: the draft, its events, its record, and its tool calls as rows of the log, whose words are sealed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from blocks.cards import build_card
from bot.slack.places import person_key
from prompts.system import prompt_version
from state.advance import Outcome
from state.draft.changes import Change
from state.draft.draft import Draft
from state.engine.cards import Review
from state.engine.codec import encode
from state.engine.context import JudgedCall
from state.engine.effects import File
from state.engine.events import DraftEvent, OperationCompleted
from state.stores.figures import ERROR, ESCALATED, HANDED_OVER, OPERATE
from state.stores.rows import Body, Number, Record, StoredDraft, StoredEvent, ToolLogEntry, TurnWrites
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.tools")


@dataclass
class Turn:
    """A turn as it is judged: what it writes, its drafts after it by name, and what waits for a record's number."""

    work: TurnWrites
    after: dict[str, Draft] = field(default_factory=dict)
    numbered: Callable[[Number], None] | None = None

    def write(self, number: Number) -> TurnWrites:
        """All that is to be written; run within the transaction."""
        if self.numbered:
            self.numbered(number)
        return self.work


def stored_draft(draft: Draft, stored: StoredDraft | None) -> StoredDraft:
    """Return the draft as it is stored."""
    person = person_key(draft.tenant, draft.owner)
    fresh = StoredDraft(draft.id, person, draft.conversation, draft.form, draft.status, draft.revision, encode(draft))
    if stored is None:
        return fresh
    return replace(stored, status=draft.status, revision=draft.revision, body=encode(draft))


def record_of(workflow: Workflow, before: Draft, outcome: Outcome, filing: File) -> Record:
    """Return the record, with the review's wording as it was shown when it was confirmed."""
    after = outcome.draft
    shown = (
        build_card(workflow.form_of(before), before, Review(), filing.card, before.began[:10]) if filing.card else None
    )
    versions = {**filing.body.get("versions", {}), "prompt": prompt_version(workflow.form)}
    body: dict[str, Any] = {
        **filing.body,
        "versions": versions,
        "owner": after.owner,
        "reasons": list(filing.reasons),
        "confirmed": {"text": shown.text, "blocks": list(shown.blocks)} if shown else None,
    }
    person = person_key(after.tenant, after.owner)
    return Record(after.filed.number, after.id, after.form, person, after.tenant, filing.state, before.hash, body)


def happened_as(workflow: Workflow, draft: Draft, kind: str, body: Body, changes: tuple[Body, ...] = ()) -> StoredEvent:
    """Return an event as stored, with the versions that judged it."""
    return StoredEvent(
        draft.id, kind, body, changes, draft.revision, form_version=workflow.form.version,
        rules_version=workflow.rules.version,
    )  # fmt: skip


CODE = "code"
"""Who handed over, where no reader did."""


def tool_calls(draft: Draft, calls: tuple[JudgedCall, ...]) -> list[ToolLogEntry]:
    """Return a row per call, and a line in the log that says its outcome."""
    for call in calls:
        log.info(
            "tool_call",
            tool=call.tool, status=call.status, reason=call.reason, reader=call.reader, form=draft.form, draft=draft.id,
            turn=call.turn, step=call.step, idempotent=call.idempotent,
        )  # fmt: skip
    return [_row(draft, call) for call in calls]


def hand_overs(draft: Draft, changes: tuple[Change, ...]) -> list[ToolLogEntry]:
    """Return a row for each time that code gave the conversation to a person, with the reason: the report counts those of loops."""
    whys = [str(getattr(change, "why", "")) for change in changes if type(change).__name__ == "HandedOver"]
    return [
        _row(draft, JudgedCall(HANDED_OVER, ESCALATED, why, CODE, draft.turn, 0, False, False, {}, {})) for why in whys
    ]


def outcomes(draft: Draft, event: DraftEvent) -> list[ToolLogEntry]:
    """Return a row for an operation that was called and could not be carried out: the report counts it as an error of the tool."""
    if not isinstance(event, OperationCompleted) or event.came != "refused":
        return []
    result = {"told": event.text}
    return [_row(draft, JudgedCall(OPERATE, ERROR, event.act, CODE, event.turn, 0, False, False, {}, result))]


def _row(draft: Draft, call: JudgedCall) -> ToolLogEntry:
    return ToolLogEntry(
        draft.id, person_key(draft.tenant, draft.owner), draft.tenant, draft.form, call.turn, call.step, call.reader,
        call.tool, call.status, call.reason, call.idempotent, call.finalizes,
        {"arguments": dict(call.arguments), "result": dict(call.result)},
    )  # fmt: skip
