"""The index of what was filed, made from forms and drafts, and filed records as drafts again."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import structlog

from blocks.request import Step, What
from bot.operations.files import MANAGER
from bot.operations.tasks import Periodic
from bot.slack.places import person_key
from state.draft.changes import StatusMoved
from state.draft.draft import Draft, Status
from state.draft.essence import essence, subject_of, subject_words
from state.draft.record import ASK, EXTEND, WITHDRAW
from state.engine.codec import decode_draft
from state.engine.timeline import entries
from state.fields.base import Context
from state.form import Form
from state.stores.index import MINE
from state.stores.rows import Indexed, Record, StoredEvent
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.index")

SHAPE = "1"
"""Counts the ways in which entries were made: with another one all are made anew."""


def shape_of(form: Form) -> str:
    """Return what of a form its entries are made by."""
    told = "|".join((SHAPE, *subject_of(form), *posts_of(form)))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def indexed(form: Form, draft: Draft, filed_at: datetime | None = None, state: str = "") -> Indexed | None:
    """Return the entry of a submitted draft's record. `state` is the record's, where the draft is from before it kept that itself."""
    state, post = draft.filed.state or state, post_of(form, draft, draft.filed.state or state)
    filed = filed_at or _moment(draft.filed.filed_at)
    if not (draft.filed.number and state and filed):
        return None
    valid = (one for one in reversed(draft.filed.decisions) if not one.void)
    last = next(valid, None) if draft.status is Status.SUBMITTED and not post else None
    return Indexed(
        draft.filed.number,
        draft.id,
        draft.tenant,
        draft.form,
        person_key(draft.tenant, draft.owner),
        state,
        filed,
        post,
        _moment(draft.filed.pending.due or draft.filed.pending.overdue) if post else None,
        _moment(last.at) if last else None,
        last.verdict if last else "",
        subject_words(form, draft),
        _judges(draft),
        tuple(person_key(draft.tenant, who) for who in draft.filed.pending.named),
        _moment(max((one.at for one in draft.filed.breaches), default="")),
        sum(one.open for one in draft.filed.breaches),
        shape_of(form),
    )


def post_of(form: Form, draft: Draft, state: str) -> str:
    """Return what the record waits for: its state's verdict, by anybody or by name, or what was asked of a state without one."""
    pending = draft.filed.pending
    if draft.status is not Status.SUBMITTED:
        return ""
    if form.filing.waits(state):
        return f"{state}{MINE}" if pending.named else state
    return f"{state}:{pending.about}" if pending.about else ""


def posts_of(form: Form) -> dict[str, str]:
    """Everything for which a form's records may wait, and the role that decides on it."""
    states = form.filing.states
    longer = {f"{name}:{EXTEND}": state.extend.by for name, state in states.items() if state.extend}
    named = {f"{name}{MINE}": state.by for name, state in states.items() if state.waits and state.by == MANAGER}
    return {name: state.by for name, state in states.items() if state.waits} | named | longer


def changed(form: Form, before: Draft, after: Draft) -> list[Indexed]:
    """Return the entry, where this turn changed it."""
    entry = indexed(form, after) if after.filed.state else None
    return [entry] if entry is not None and entry != indexed(form, before) else []


def _judges(draft: Draft) -> tuple[str, ...]:
    """Who has decided on it, in their own or in somebody's place: they decide on it no more."""
    counted = [
        d for d in draft.filed.decisions if d.verdict != WITHDRAW and (d.state != draft.filed.state or not d.void)
    ]
    who = (name for one in counted for name in (one.who, one.deputy_of) if name)
    return tuple(person_key(draft.tenant, name) for name in dict.fromkeys(who))


def _moment(at: str) -> datetime | None:
    return datetime.fromisoformat(at).astimezone(UTC) if at else None


AT_ONCE = 100


class Indexer(Periodic):
    """Every step may be repeated and left off in the middle, by any number of replicas; what a turn entered meanwhile counts."""

    name = "index"

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows

    async def look(self) -> None:
        """Fill, and log how much was missing."""
        if done := await self.fill():
            log.info("indexed", records=done)

    async def fill(self) -> int:
        """Enter what is missing; says how many records that were."""
        shapes = {name: shape_of(w.form) for name, w in self._workflows.items() if w.form.fields}
        done, before = 0, list[str]()
        while (missing := await self._store.unindexed(shapes, AT_ONCE)) and missing != before:
            await self._store.enter([one for number in missing if (one := await self._entry(number))])
            done, before = done + len(missing), missing
        return done

    async def _entry(self, number: str) -> Indexed | None:
        record = await self._store.record(number)
        if record is None or record.erased or record.form not in self._workflows:
            return None
        stored = await self._store.draft(record.draft)
        draft = decode_draft(stored.body) if stored and stored.body and not stored.erased else draft_of_record(record)
        return indexed(self._workflows[record.form].form, draft, record.filed_at, record.state)


def draft_of_record(record: Record) -> Draft:
    """The record's answers and disclosures; of an emptied record, none."""
    body = record.body
    stored = {
        "id": record.draft, "form": record.form, "tenant": record.tenant, "owner": str(body.get("owner", "")),
        "language": str(body.get("language", "")), "conversation": "", "status": Status.SUBMITTED, "record": record.number,
        "values": body.get("values", {}), "disclosures": body.get("disclosures", []),
    }  # fmt: skip
    return decode_draft(stored)


def essence_of_record(form: Form, record: Record, today: str) -> str:
    """Return what the record is about, in a line; `today` (ISO 8601) says how days read."""
    return essence(form, draft_of_record(record), Context(form.language, today))


def filing_of(record: Record) -> Mapping[str, Any]:
    """Return what the person was told when it was filed: `told`, `until`, `files`. Nothing, where the record has another state by now."""
    filed: Mapping[str, Any] = record.body.get("filed") or {}
    return filed if filed.get("state") == record.state else {"files": filed.get("files", [])}


def history(events: Sequence[StoredEvent]) -> tuple[Step, ...]:
    """Return what happened to a draft, as its person would tell it; answers of one minute are told in one line."""
    steps: list[Step] = []
    for one in (happening for entry in entries(events) for happening in entry.happenings):
        on = one.change.on if isinstance(one.change, StatusMoved) else ""
        what = ON.get(on) or PERSONS.get(one.what)
        last = steps[-1] if steps else None
        if last and what == last.what == "told" and one.at[:MINUTE] == last.at[:MINUTE]:
            steps[-1] = replace(last, fields=(*last.fields, one.field))
        elif what:
            was, now = (one.was, one.now) if what == "changed" else (None, None)
            steps.append(Step(one.at, what, (one.field,) if one.field else (), was, now))
    return tuple(steps)


MINUTE = len("2026-11-20T14:32")
ON: Mapping[str, What] = {ASK: "asked", WITHDRAW: "withdrawn"}
PERSONS: Mapping[str, What] = {
    "begun": "begun", "told": "told", "changed": "changed", "disclosed": "disclosed", "person": "person", "back": "back",
    "submitted": "submitted", "cancelled": "cancelled",
}  # fmt: skip
"""Happenings that are the person's own story too."""
