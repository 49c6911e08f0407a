"""What a turn writes: the draft, its events, its record, as they are stored."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from blocks.cards import build_card
from bot.keys import person_key
from prompts.system import prompt_version
from state.draft.draft import Draft
from state.engine import Outcome
from state.engine.cards import Review
from state.engine.codec import encode
from state.engine.effects import File
from state.stores.rows import Body, Number, Record, StoredDraft, StoredEvent, TurnWrites
from state.workflow.load import Workflow


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
    """The draft as it is stored."""
    person = person_key(draft.tenant, draft.owner)
    fresh = StoredDraft(draft.id, person, draft.conversation, draft.form, draft.status, draft.revision, encode(draft))
    if stored is None:
        return fresh
    return replace(stored, status=draft.status, revision=draft.revision, body=encode(draft))


def record_of(workflow: Workflow, before: Draft, outcome: Outcome, filing: File) -> Record:
    """The record, with the review's wording as it was shown when it was confirmed."""
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
    return Record(after.record, after.id, after.form, person, after.tenant, filing.state, before.hash, body)


def happened_as(workflow: Workflow, draft: Draft, kind: str, body: Body, changes: tuple[Body, ...] = ()) -> StoredEvent:
    """An event as stored, with the versions that judged it."""
    return StoredEvent(
        draft.id,
        kind,
        body,
        changes,
        draft.revision,
        form_version=workflow.form.version,
        rules_version=workflow.rules.version,
    )
